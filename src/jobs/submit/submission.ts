// Turns a request into a submission. The job's id and the body's fingerprint decide whether two
// requests are the same write.
import { createHash } from 'node:crypto';
import { v5 as uuidv5, v7 as uuidv7 } from 'uuid';
import type { Submission, WriteKind } from '../write-kind.js';

export interface WriteRequest {
  readonly companyId: string;
  readonly requestId: string;
  readonly idempotencyKey: string | undefined;
  /** The body as received, for the fingerprint. */
  readonly body: unknown;
  /** The body as validated, for the worker. */
  readonly payload: unknown;
  /** How long to wait for the outcome; 0 asks for a 202 at once. */
  readonly waitMs: number;
}

export function toSubmission(kind: WriteKind, request: WriteRequest, replyTo: string): Submission {
  const { companyId, requestId, idempotencyKey, body, payload } = request;
  return {
    companyId,
    id: jobId(companyId, idempotencyKey),
    fingerprint: fingerprintOf(kind.path, body),
    submissionId: uuidv7(),
    requestId,
    acceptedAt: new Date().toISOString(),
    payload,
    replyTo,
  };
}

/** The same company and key give the same job in every process; without a key each job is new. */
export function jobId(companyId: string, idempotencyKey: string | undefined): string {
  return idempotencyKey === undefined ? uuidv7() : uuidv5(idempotencyKey, companyId);
}

/** The fingerprint of a request: equal for bodies that are equal as JSON. */
export function fingerprintOf(path: string, body: unknown): string {
  return createHash('sha256')
    .update(`POST ${path}\n${canonicalJson(body)}`)
    .digest('hex');
}

function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, member]) => `${JSON.stringify(key)}:${canonicalJson(member)}`);
  return `{${members.join(',')}}`;
}
