// The words of a queued write: what the web process submits, what a worker makes of it, and what each kind of write
// (invoices, stock) has to supply.
import { createHash } from 'node:crypto';
import { v5 as uuidv5, v7 as uuidv7 } from 'uuid';
import type { Transaction } from '../platform/db/connection.js';
import type { Problem } from '../platform/errors.js';
import type { ProblemDocument } from '../platform/problem-document.js';

export type JobType = 'invoice.create' | 'inventory.adjust';

/** A write on its way. Travels as JSON in a queue job or waits in its jobs row. */
export interface Submission {
  readonly companyId: string;
  /** The job's id: UUIDv5 of company and Idempotency-Key, or UUIDv7. */
  readonly id: string;
  /** SHA-256 of path and canonical body, in hex. */
  readonly fingerprint: string;
  /** This submission's own id: a job settled for another one is answered as a replay. */
  readonly submissionId: string;
  readonly requestId: string;
  readonly acceptedAt: string;
  readonly payload: unknown;
  /** Where the waiting process listens; empty where nobody does. */
  readonly replyTo: string;
}

/** What became of a job. `status` is queued where another submission holds its key and is not done. */
export interface Settled {
  readonly companyId: string;
  readonly id: string;
  readonly type: JobType;
  readonly status: 'queued' | 'succeeded' | 'failed';
  readonly fingerprint: string;
  readonly submissionId: string;
  readonly resultId: string | null;
  /** The created resource's JSON text. */
  readonly body: string | null;
  readonly problem: ProblemDocument | null;
}

/** One write of a batch, as its slice sees it. */
export interface Posting<Payload> {
  readonly companyId: string;
  /** Stands in the created resource, once: the wall behind the jobs row. */
  readonly submissionId: string;
  /** The id that the created resource takes. */
  readonly resultId: string;
  readonly payload: Payload;
}

/** What a kind of write makes of a batch. */
export interface Posted {
  /** One a posting, in order: why it is refused, or null. */
  readonly refusals: readonly (Problem | null)[];
  /** Resolves when all is written, to the JSON texts of the created resources by id. */
  readonly written: Promise<ReadonlyMap<string, string>>;
}

/** A kind of write. The worker calls `read` and `post`, reading uses the rest. */
export interface WriteKind<Payload = unknown, Ground = unknown> {
  readonly type: JobType;
  readonly queue: 'invoices' | 'stock';
  /** The endpoint's path: `instance` of a refusal, part of the fingerprint. */
  readonly path: string;
  /** SQL for a job's `result` object, with the jobs row as j. */
  readonly resultSql: string;
  /** Locks what a batch may change and reads what it is decided by. Waits for no answer in between. */
  read(asked: readonly Asked<Payload>[], tx: Transaction): Promise<Ground>;
  /**
   * Decides a batch on that ground at once and sends what writes it. A transaction that is undone is begun anew, with
   * another ground.
   */
  post(postings: readonly Posting<Payload>[], ground: Ground, tx: Transaction): Posted;
  /** The constraints that another transaction's result violates: what is begun anew finds it. */
  readonly retryOn: readonly string[];
  /** The JSON texts of created resources by id. */
  bodies(
    results: readonly { companyId: string; resultId: string }[],
    tx?: Transaction,
  ): Promise<Map<string, string>>;
}

/** What a write asks for. */
export type Asked<Payload> = Pick<Posting<Payload>, 'companyId' | 'payload'>;

/** The same company and key give the same job, on every process and for ever; without a key each job is new. */
export function jobId(companyId: string, idempotencyKey: string | undefined): string {
  return idempotencyKey === undefined ? uuidv7() : uuidv5(idempotencyKey, companyId);
}

/** Fingerprint of a request: equal for bodies that are equal as JSON. */
export function fingerprintOf(path: string, body: unknown): string {
  return createHash('sha256')
    .update(`POST ${path}\n${canonicalJson(body)}`)
    .digest('hex');
}

function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([key, member]) => `${JSON.stringify(key)}:${canonicalJson(member)}`).join(',')}}`;
}
