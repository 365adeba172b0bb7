// Turns a request into a submission. The job's id and the body's fingerprint decide whether two
// requests are the same write.
import { hash } from 'node:crypto';
import { v5 as uuidv5 } from 'uuid';
import type { Actor } from '../../companies/actor.js';
import type { Problem } from '../../platform/errors.js';
import { newId } from '../../platform/values/ids.js';
import { withCurrency } from '../checked-currency.js';
import type { SequencePlace, Submission, WriteKind } from '../write-kind.js';

/** Fingerprint of requests without an Idempotency-Key, which are compared with no other request. */
const NO_FINGERPRINT = '00'.repeat(32);

export interface WriteRequest {
  readonly companyId: string;
  readonly requestId: string;
  readonly createdBy: Actor;
  readonly idempotencyKey: string | undefined;
  /** The body as received, for the fingerprint. */
  readonly body: unknown;
  /** The body as validated, for the worker. */
  readonly payload: unknown;
  /** The company's currency with which the body was validated. */
  readonly currency: string;
  /** Why the body is invalid. A write that the same body started earlier is still replayed. */
  readonly refusal?: Problem | undefined;
  /** About the length of the payload's JSON. */
  readonly bytes: number;
  /** How long to wait for the outcome; 0 asks for a 202 at once. */
  readonly waitMs: number;
  readonly sequence?: SequencePlace;
}

export function toSubmission(kind: WriteKind, request: WriteRequest, replyTo: string): Submission {
  const { companyId, requestId, createdBy, idempotencyKey, body, payload, currency } = request;
  const { sequence } = request;
  const id = jobId(companyId, idempotencyKey);
  const isKeyed = idempotencyKey !== undefined;
  return {
    companyId,
    type: kind.type,
    id,
    fingerprint: isKeyed ? fingerprintOf(kind.path(payload), body) : NO_FINGERPRINT,
    // Without a key, the job has no other submission.
    submissionId: isKeyed ? newId() : id,
    requestId,
    acceptedAt: new Date().toISOString(),
    payload: kind.hasAmounts ? withCurrency(payload, currency) : payload,
    createdBy,
    replyTo,
    ...(sequence && { sequence }),
  };
}

/** Whether the submission's request had an Idempotency-Key. */
export const hasKey = ({ fingerprint }: Submission): boolean => fingerprint !== NO_FINGERPRINT;

/** The same company and key give the same job in every process; without a key each job is new. */
export function jobId(companyId: string, idempotencyKey: string | undefined): string {
  return idempotencyKey === undefined ? newId() : uuidv5(idempotencyKey, companyId);
}

/** The same for a repeat of the request with its key. No key has a space, so no job has this id. */
export function sequenceId(companyId: string, idempotencyKey: string | undefined): string {
  return jobId(companyId, idempotencyKey && `sequence ${idempotencyKey}`);
}

/** The fingerprint of a request: equal for bodies that are equal as JSON. */
export function fingerprintOf(path: string, body: unknown): string {
  return hash('sha256', `POST ${path}\n${canonicalJson(body)}`);
}

function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, member]) => `${JSON.stringify(key)}:${canonicalJson(member)}`);
  return `{${members.join(',')}}`;
}
