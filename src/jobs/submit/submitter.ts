// The web process's side of a write: finds out whether an earlier request with its key has started
// it, else submits it, and waits for the outcome.
import { Batcher } from '../../platform/async/batch.js';
import { Problem } from '../../platform/errors.js';
import type { OnStop } from '../../platform/process/lifecycle.js';
import type { Log } from '../../platform/process/log.js';
import type { QueueShards } from '../../platform/queue/open.js';
import type { Reply } from '../../platform/queue/replies.js';
import { findKeyedOutcomes, findOutcomes, type JobRef } from '../queries.js';
import type { JobOutcome, Submission, WriteKind } from '../write-kind.js';
import { type Answer, isInternalFailure, refuseOtherBody, settledAnswer } from './answer.js';
import { Backpressure } from './backpressure.js';
import { requeue } from './delivery.js';
import { onceAccepted } from './outages.js';
import { PendingSequence, type PendingWrite } from './pending-write.js';
import { PendingWrites } from './pending-writes.js';
import { toSubmission, type WriteRequest } from './submission.js';

const OUTCOMES_PER_READ = 500;
const READS_IN_FLIGHT = 2;

interface Write {
  readonly request: WriteRequest;
  readonly submission: Submission;
}

/** How a write continues: it was settled before, is waited for, or is not accepted. */
type Start =
  | { readonly earlier: JobOutcome }
  | { readonly pending: PendingWrite }
  | { readonly error: unknown };

export interface SubmitterOptions {
  readonly kinds: readonly WriteKind[];
  /** The shards of the kinds' queues. */
  readonly producers: QueueShards;
  /** The reply address; read per request, since the listener opens after the submitter. */
  readonly replyTo: () => string;
  readonly log: Log;
  readonly onStop: OnStop;
}

export class Submitter {
  readonly #replyTo: () => string;
  readonly #outcomes: Batcher<JobRef, JobOutcome | null>;
  /** The outcomes of earlier requests by their Idempotency-Keys. */
  readonly #keyed: Batcher<JobRef, JobOutcome | null>;
  readonly #backpressure: Backpressure;
  readonly #pending: PendingWrites;

  constructor({ kinds, producers, replyTo, log, onStop }: SubmitterOptions) {
    this.#replyTo = replyTo;
    const reading = {
      maxSize: OUTCOMES_PER_READ,
      maxInFlight: READS_IN_FLIGHT,
      ownerOf: ({ companyId }: JobRef) => companyId,
    };
    const outcomes = new Batcher((refs: JobRef[]) => findOutcomes(refs, kinds), reading);
    this.#outcomes = outcomes;
    this.#keyed = new Batcher(refs => findKeyedOutcomes(refs, kinds), reading);
    const backpressure = new Backpressure(log, onStop);
    this.#backpressure = backpressure;
    this.#pending = new PendingWrites({ producers, outcomes, backpressure, log, onStop });
  }

  /**
   * Submits a write and waits for its outcome. `accepted` means that its row is in Postgres. Throws
   * Problem `idempotency_key_reused`, or `service_unavailable`, whose detail says whether the write
   * may still be carried out.
   */
  async submit(kind: WriteKind, request: WriteRequest): Promise<Answer> {
    const [answer] = this.submitInOrder(kind, [request]);
    return answer as Promise<Answer>;
  }

  /**
   * Submits the writes of one HTTP request, whose places are in their order. One that is not
   * accepted because of an outage or back-pressure prevents those behind it from being accepted.
   */
  submitInOrder(kind: WriteKind, requests: readonly WriteRequest[]): Promise<Answer>[] {
    const writes = requests.map(request => ({
      request,
      submission: toSubmission(kind, request, this.#replyTo()),
    }));
    const starting = Promise.allSettled(writes.map(write => this.#findEarlier(write))).then(found =>
      this.#startAll(kind, writes, found),
    );
    return writes.map(async ({ request, submission }, index): Promise<Answer> => {
      const start = (await starting)[index] as Start;
      if ('error' in start) throw start.error;
      if ('earlier' in start) return settledAnswer(start.earlier, submission);
      const outcome = await this.#pending.waitFor(start.pending, request.waitMs);
      refuseOtherBody(submission, outcome);
      return outcome
        ? settledAnswer(outcome, submission)
        : { kind: 'accepted', jobId: submission.id };
    });
  }

  /** The state of a job that an earlier request with this key has started. */
  async #findEarlier({ request, submission }: Write): Promise<JobOutcome | null> {
    if (request.idempotencyKey === undefined || this.#pending.find(submission)) return null;
    const found = await this.#keyed.submit(submission);
    refuseOtherBody(submission, found);
    return found && isInternalFailure(found) ? this.#retry(submission) : found;
  }

  /** Decides how each write continues, in order, and starts those that are new. */
  #startAll(
    kind: WriteKind,
    writes: readonly Write[],
    found: readonly PromiseSettledResult<JobOutcome | null>[],
  ): Start[] {
    let outage: unknown;
    const unsettled: PendingWrite[] = [];
    const started: PendingWrite[] = [];
    let isQueueable = writes.every(({ request }) => request.waitMs > 0);
    const starts = writes.map(({ request, submission }, index): Start => {
      try {
        const earlier = unwrap(found[index] as PromiseSettledResult<JobOutcome | null>);
        if (earlier && earlier.status !== 'queued') return { earlier };
        // Another request with this key may have started the write since the look-up.
        let pending = this.#pending.find(submission);
        refuseOtherBody(submission, pending?.submission);
        isQueueable &&= !earlier && !pending;
        if (!pending) {
          if (!earlier && request.refusal) throw request.refusal;
          if (!earlier && outage) throw outage;
          if (!earlier) this.#backpressure.admit(request.companyId);
          pending = this.#pending.start(kind, submission, request.bytes);
          started.push(pending);
        }
        pending.requests += 1;
        unsettled.push(pending);
        return { pending };
      } catch (error) {
        if (!isRefusal(error)) outage ??= error;
        return { error };
      }
    });
    const [first, ...others] = unsettled;
    if (!first) return starts;
    const sequence = others.length > 0 ? new PendingSequence([first, ...others]) : first.sequence;
    for (const pending of started) pending.sequence = sequence;
    // respond-async: the rows alone, so the 202 never waits for a worker's lock. The same if an
    // earlier request has started some: the queue may have them, and this sequence has all of them.
    if (isQueueable) this.#pending.queue(sequence);
    return starts;
  }

  /** Queues a job again that failed because of an internal error, and returns its state. */
  async #retry(submission: Submission): Promise<JobOutcome | null> {
    this.#backpressure.admit(submission.companyId);
    return onceAccepted(async () => {
      await requeue(submission);
      return this.#outcomes.submit(submission);
    });
  }

  /** Takes the replies of workers. A reply without content says that the outcome can be read. */
  onReplies(replies: readonly Reply<JobOutcome>[]): void {
    this.#pending.onReplies(replies);
  }

  /** Ends all waiting soon, since the process stops; there is time left to send the answers. */
  finishSoon(): void {
    this.#pending.finishSoon();
  }
}

function unwrap<Value>(result: PromiseSettledResult<Value>): Value {
  if (result.status === 'rejected') throw result.reason;
  return result.value;
}

/** True for an answer about the write itself, not about the state of the service. */
const isRefusal = (error: unknown) =>
  error instanceof Problem && error.code !== 'service_unavailable';
