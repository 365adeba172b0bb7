// The web process's side of a queued write: submit, wait, and where the answer does not come in time or the queue is
// away, write the jobs row so that a 202 may be given. The queue is a fast path, Postgres is the promise.
import { v7 as uuidv7 } from 'uuid';
import { Batcher } from '../platform/batch.js';
import { describeError, query } from '../platform/db.js';
import { Problem, unavailable } from '../platform/errors.js';
import type { OnStop } from '../platform/lifecycle.js';
import type { Log } from '../platform/log.js';
import type { Producer } from '../platform/queue.js';
import type { Reply } from '../platform/replies.js';
import { findSettled, type JobRef } from './queries.js';
import { fingerprintOf, jobId, type Settled, type Submission, type WriteKind } from './submission.js';

/** Not answered by then, a submission gets its row: a lost queue job costs this much and a poll. */
const DURABLE_AFTER_MS = 2_000;
/** A worker that has the submission from the queue gets this long before the recovery poll may take its row. */
const RECOVER_AFTER_MS = 2_000;
/** How often, and from what age on, waiting submissions are looked up: replies may be lost. */
const LOOK_INTERVAL_MS = 250;
/** Submissions in one queue job, adds in flight, and bytes in one queue job. */
const SUBMISSIONS_PER_ADD = 50;
const ADDS_IN_FLIGHT = 2;
const BYTES_PER_ADD = 1024 * 1024;
/** A wait that has its row is looked after this often, and ends so long after the process is told to stop. */
const WAIT_SLICE_MS = 1_000;
const STOP_WAIT_MS = 8_000;

export interface Write {
  readonly companyId: string;
  readonly requestId: string;
  readonly idempotencyKey: string | undefined;
  /** The body as received, for the fingerprint. */
  readonly body: unknown;
  /** The body as validated, for the worker. */
  readonly payload: unknown;
  /** How long to wait for the outcome; 0 asks for 202 at once. */
  readonly waitMs: number;
}

export type Answer =
  | { readonly kind: 'settled'; readonly settled: Settled; readonly replayed: boolean }
  | { readonly kind: 'accepted'; readonly jobId: string };

export interface Submitter {
  /**
   * Submits a write and waits for its outcome. `accepted` is a promise kept in Postgres. Throws Problem
   * `idempotency_key_reused`, or `service_unavailable` where nothing could be promised.
   */
  submit(kind: WriteKind, write: Write): Promise<Answer>;
  /** For replies from workers. */
  onReplies(replies: readonly Reply[]): void;
  /** The process stops: every wait ends in time for its answer to be sent. */
  finishSoon(): void;
}

export interface SubmitterOptions {
  readonly producers: Readonly<Record<WriteKind['queue'], Producer>>;
  readonly kinds: readonly WriteKind[];
  /** Set once the listener is open. */
  readonly replyTo: () => string;
  readonly log: Log;
  readonly onStop: OnStop;
}

/** A job that somebody here waits for. */
interface Waiter {
  readonly kind: WriteKind;
  readonly submission: Submission;
  readonly since: number;
  readonly settled: Promise<Settled>;
  readonly settle: (settled: Settled) => void;
  /** The row's writing, once begun. */
  durable?: Promise<unknown>;
  waiting: number;
}

export function createSubmitter(options: SubmitterOptions): Submitter {
  const { kinds, log } = options;
  const waiters = new Map<string, Waiter>();
  const enqueue = createEnqueue(options.producers);
  const keep = createKeep();
  const look = new Batcher<JobRef, Settled | null>(refs => findSettled(refs, kinds), { maxSize: 500, maxInFlight: 2 });

  const settle = (settled: Settled | null): void => {
    if (
      settled &&
      (settled.status !== 'queued' || settled.fingerprint !== waiters.get(settled.id)?.submission.fingerprint)
    ) {
      waiters.get(settled.id)?.settle(settled);
    }
  };
  const lookUp = (waiter: Waiter): void => {
    look
      .submit(waiter.submission)
      .then(settle, error => log.debug({ err: describeError(error) }, 'jobs look-up failed'));
  };
  let lastMoment = Number.POSITIVE_INFINITY;
  const timer = setInterval(() => {
    const due = performance.now() - LOOK_INTERVAL_MS;
    for (const waiter of waiters.values()) if (waiter.since < due) lookUp(waiter);
  }, LOOK_INTERVAL_MS);
  timer.unref();
  options.onStop('job look-ups', () => clearInterval(timer));

  const ensureKept = (waiter: Waiter, runInMs: number): Promise<unknown> => {
    waiter.durable ??= keep.submit({ kind: waiter.kind, submission: waiter.submission, runInMs }).catch(error => {
      delete waiter.durable;
      throw error;
    });
    return waiter.durable;
  };

  const start = (kind: WriteKind, submission: Submission, isNew: boolean): Waiter => {
    const waiter: Waiter = { kind, submission, since: performance.now(), waiting: 0, ...deferred<Settled>() };
    waiters.set(submission.id, waiter);
    if (isNew) {
      enqueue[kind.queue].submit(submission).catch(error => {
        log.debug({ jobId: submission.id, err: describeError(error) }, 'queue unreachable, going the durable way');
        ensureKept(waiter, 0).catch(() => undefined);
      });
    }
    return waiter;
  };

  return {
    async submit(kind, write) {
      const submission = toSubmission(kind, write, options.replyTo());
      const running = waiters.get(submission.id);
      const earlier = write.idempotencyKey === undefined || running ? null : await look.submit(submission);
      refuseOtherBody(submission, running?.submission ?? earlier);
      if (earlier && earlier.status !== 'queued') return answer(earlier, submission);
      const waiter = waiters.get(submission.id) ?? start(kind, submission, earlier === null);
      waiter.waiting += 1;
      try {
        const settled = await waitFor(waiter, write.waitMs, ensureKept, () => lastMoment);
        if (settled) refuseOtherBody(submission, settled);
        return settled ? answer(settled, submission) : { kind: 'accepted', jobId: submission.id };
      } finally {
        waiter.waiting -= 1;
        if (waiter.waiting === 0) waiters.delete(submission.id);
      }
    },
    onReplies(replies) {
      for (const { jobId: id, content } of replies) {
        const waiter = waiters.get(id);
        if (!waiter) continue;
        if (content === undefined) lookUp(waiter);
        else settle(content as Settled);
      }
    },
    finishSoon() {
      lastMoment = performance.now() + STOP_WAIT_MS;
    },
  };
}

/** The outcome, or null when the time is up and the submission is kept. Throws `service_unavailable` where it is not. */
async function waitFor(
  waiter: Waiter,
  waitMs: number,
  ensureKept: (waiter: Waiter, runInMs: number) => Promise<unknown>,
  lastMoment: () => number,
): Promise<Settled | null> {
  const deadline = performance.now() + waitMs;
  const quick = await within(waiter.settled, Math.min(waitMs, DURABLE_AFTER_MS));
  if (quick) return quick;
  for (;;) {
    const kept = await ensureKept(waiter, RECOVER_AFTER_MS).then(
      () => true,
      () => false,
    );
    const left = Math.min(deadline, lastMoment()) - performance.now();
    const settled = await within(waiter.settled, Math.min(left, kept ? WAIT_SLICE_MS : 500));
    if (settled) return settled;
    if (left > 0) continue;
    if (kept) return null;
    throw unavailable(
      'The write could not be taken on; nothing was promised. Try again with the same Idempotency-Key.',
    );
  }
}

function answer(settled: Settled, submission: Submission): Answer {
  return { kind: 'settled', settled, replayed: settled.submissionId !== submission.submissionId };
}

function refuseOtherBody(submission: Submission, other: { fingerprint: string } | null | undefined): void {
  if (other && other.fingerprint !== submission.fingerprint) {
    throw new Problem('idempotency_key_reused', 'This Idempotency-Key was used with another request; use a fresh one.');
  }
}

function toSubmission(kind: WriteKind, write: Write, replyTo: string): Submission {
  return {
    companyId: write.companyId,
    id: jobId(write.companyId, write.idempotencyKey),
    fingerprint: fingerprintOf(kind.path, write.body),
    submissionId: uuidv7(),
    requestId: write.requestId,
    acceptedAt: new Date().toISOString(),
    payload: write.payload,
    replyTo,
  };
}

/** Submissions that arrive while an add is in flight ride together in the next queue job. */
function createEnqueue(
  producers: SubmitterOptions['producers'],
): Record<WriteKind['queue'], Batcher<Submission, null>> {
  const batcher = (producer: Producer) =>
    new Batcher<Submission, null>(
      async submissions => {
        await producer.add('batch', { submissions });
        return submissions.map(() => null);
      },
      {
        maxSize: SUBMISSIONS_PER_ADD,
        maxInFlight: ADDS_IN_FLIGHT,
        weigh: submission => JSON.stringify(submission.payload).length,
        maxWeight: BYTES_PER_ADD,
      },
    );
  return { invoices: batcher(producers.invoices), stock: batcher(producers.stock) };
}

interface Keeping {
  readonly kind: WriteKind;
  readonly submission: Submission;
  readonly runInMs: number;
}

/** Writes jobs rows as queued; a row that is there already, settled or not, stays as it is. */
function createKeep(): Batcher<Keeping, null> {
  return new Batcher<Keeping, null>(
    async keepings => {
      const rows = keepings.map(({ kind, submission, runInMs }) => ({ ...submission, type: kind.type, runInMs }));
      await query(
        `INSERT INTO jobs (company_id, id, type, status, fingerprint, submission_id, request_id, payload, run_at, created_at)
         SELECT s."companyId", s.id, s.type, 'queued', decode(s.fingerprint, 'hex'), s."submissionId", s."requestId", s.payload,
           now() + s."runInMs" * interval '1 millisecond', s."acceptedAt"
         FROM json_to_recordset($1) AS s ("companyId" uuid, id uuid, type text, fingerprint text, "submissionId" uuid,
           "requestId" text, payload json, "runInMs" int, "acceptedAt" timestamptz)
         ORDER BY s."companyId", s.id
         ON CONFLICT (company_id, id) DO NOTHING`,
        [JSON.stringify(rows)],
      );
      return keepings.map(() => null);
    },
    { maxSize: 500, maxInFlight: 2 },
  );
}

/** The promise's value, or null where it takes longer. */
async function within<Value>(promise: Promise<Value>, ms: number): Promise<Value | null> {
  if (ms <= 0) return Promise.race([promise, Promise.resolve(null)]);
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>(resolve => {
    timer = setTimeout(() => resolve(null), ms);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

function deferred<Value>(): { settled: Promise<Value>; settle: (value: Value) => void } {
  let settle: (value: Value) => void = () => undefined;
  const settled = new Promise<Value>(resolve => {
    settle = resolve;
  });
  return { settled, settle };
}
