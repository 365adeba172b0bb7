// The vocabulary of a queued write. A request becomes a submission; several submissions form a
// batch; the slice locks, plans and writes the batch; each job row is settled in that transaction.
import type { Scope } from '../api-keys/model.js';
import type { Actor } from '../companies/actor.js';
import type { Transaction } from '../platform/db/connection.js';
import type { Problem } from '../platform/errors.js';
import type { ProblemDocument } from '../platform/problem-document.js';

/** A write on its way to a worker, as JSON in a queue job or in its jobs row. */
export interface Submission {
  readonly companyId: string;
  /** The type of its kind of write: a queue may carry several. */
  readonly type: string;
  /** The job's id: a UUIDv5 of the company and the Idempotency-Key, otherwise a UUIDv7. */
  readonly id: string;
  /**
   * SHA-256 of the path and the canonical body, in hex. All zeros without an Idempotency-Key: the
   * job's id is then new, so no other request can have it.
   */
  readonly fingerprint: string;
  /** Unique per submission. A job settled for another submission is answered as a replay. */
  readonly submissionId: string;
  readonly requestId: string;
  readonly acceptedAt: string;
  readonly payload: unknown;
  /** Null for demo data. */
  readonly createdBy: Actor | null;
  /** The reply address of the waiting process; empty if no process waits. */
  readonly replyTo: string;
  /** Absent or null: the write is settled in no order with others. */
  readonly sequence?: SequencePlace | null;
}

/**
 * The place of a write in a sequence: writes of one request that are settled in order. None is
 * settled before those ahead of it are, or have failed by an internal error.
 */
export interface SequencePlace {
  /** The sequence's id. */
  readonly id: string;
  /** Counted from 0. Places may be missing. */
  readonly place: number;
}

/** The state of a job, with its result. `queued`: not settled yet. */
export interface JobOutcome {
  readonly companyId: string;
  readonly id: string;
  readonly type: string;
  readonly status: 'queued' | 'succeeded' | 'failed';
  readonly fingerprint: string;
  readonly submissionId: string;
  readonly resultId: string | null;
  /** The created resource's JSON text. */
  readonly body: string | null;
  readonly problem: ProblemDocument | null;
}

/** The part of a submission that `lock` needs. */
export interface WriteInput<Payload = unknown> {
  readonly companyId: string;
  readonly payload: Payload;
}

/** One write of a batch, to be planned. */
export interface BatchWrite<Payload = unknown> extends WriteInput<Payload> {
  /** Stored in the created resource, so that verify and the audit can match it with its job. */
  readonly submissionId: string;
  /** Stored in the created resource, and not part of its JSON. */
  readonly createdBy: Actor | null;
  /** The id of the resource that the write creates. */
  readonly resultId: string;
}

/** The decision of `plan` for one write. */
export type Decision<Plan> = { readonly plan: Plan } | { readonly refusal: Problem };

/** A write that `plan` accepted. */
export interface PlannedWrite<Payload = unknown, Plan = unknown> {
  readonly write: BatchWrite<Payload>;
  readonly plan: Plan;
}

/** A kind of write. The kinds of one queue share its batches. */
export interface WriteKind<Payload = unknown, Locked = unknown, Plan = unknown> {
  readonly type: string;
  /** The name of its queue. */
  readonly queue: string;
  /** The endpoint's path: the `instance` of a refusal, and part of the fingerprint. */
  path(payload: Payload): string;
  /** The scope that reads the kind's jobs. */
  readonly readScope: Scope;
  /** SQL for a job's `result` object, with the jobs row as j. */
  readonly resultSql: string;
  /** Payloads have amounts of money. Plans call refuseOtherCurrency (checked-currency.ts). */
  readonly hasAmounts?: true;
  /** Number of lines. A batch's duration is roughly proportional to it. */
  lineCount(payload: Payload): number;
  /**
   * Accepts or refuses a write. Deterministic, without I/O; changes the locked state, so that the
   * next write of the batch is planned against the state after this one.
   */
  plan(write: BatchWrite<Payload>, locked: Locked): Decision<Plan>;
  /** The JSON texts of created resources by id. */
  readBodies(
    results: readonly { companyId: string; resultId: string }[],
  ): Promise<Map<string, string>>;
}

/**
 * A queue of writes. A worker settles a batch in one transaction: `lock`, the plan of each write in
 * order, `write`. A transaction that is rolled back is retried from `lock`.
 */
export interface WriteQueue<Payload = unknown, Locked = unknown, Plan = unknown> {
  readonly name: string;
  /** The queue's name in logs and metrics: the type of its only kind, if it has one. */
  readonly label: string;
  readonly kinds: readonly WriteKind<Payload, Locked, Plan>[];
  /** Locks the companies and then reads what plans need, in one round trip where it can. */
  lock(inputs: readonly WriteInput<Payload>[], tx: Transaction): Promise<Locked>;
  /**
   * Writes the accepted ones. Sends all its statements before it awaits an answer, since COMMIT
   * follows them at once. Resolves to the created JSON texts by id.
   */
  write(
    planned: readonly PlannedWrite<Payload, Plan>[],
    locked: Locked,
    tx: Transaction,
  ): Promise<ReadonlyMap<string, string>>;
}

export function kindOf(
  { name, kinds }: Pick<WriteQueue, 'name' | 'kinds'>,
  { type }: Pick<Submission, 'type'>,
): WriteKind {
  const kind = kinds.find(each => each.type === type);
  if (!kind) throw new Error(`queue ${name} carries no ${type}`);
  return kind;
}

/**
 * The most lines of a batch. They take about 0.2 s, and their text at most 4 MB. A batch that is
 * planned for longer than the limit of an idle transaction could never be settled.
 */
export const MAX_BATCH_LINES = 2_500;
/** A write of few lines takes a worker about as long as this many lines. */
export const MIN_WEIGHT = 5;

/** The cost of a write in lines: the unit of a company's share and backlog. */
export function weightOf({ lineCount }: Pick<WriteKind, 'lineCount'>, payload: unknown): number {
  return Math.max(MIN_WEIGHT, lineCount(payload));
}
