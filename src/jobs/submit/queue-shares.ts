// A company's share of a queue. The queue is first come, first served, so a process puts only about
// one batch of a company into it at a time. Further writes wait here until earlier ones are
// settled. Those that wait for long are persisted instead: workers settle rows by company.
import { MAX_BATCH_LINES } from '../write-kind.js';
import type { PendingSequence, PendingWrite } from './pending-write.js';

interface Share {
  weight: number;
  readonly queued: Set<PendingWrite>;
  /** In the order of their turns. */
  readonly waiting: Set<PendingSequence>;
}

export class QueueShares {
  readonly #enqueue: (sequence: PendingSequence) => void;
  readonly #shares = new Map<string, Share>();

  constructor(enqueue: (sequence: PendingSequence) => void) {
    this.#enqueue = enqueue;
  }

  /** Enqueues the sequence, at once or when it has its turn. */
  add(sequence: PendingSequence): void {
    const key = keyOf(sequence);
    const share = this.#shares.get(key) ?? { weight: 0, queued: new Set(), waiting: new Set() };
    this.#shares.set(key, share);
    share.waiting.add(sequence);
    this.#fill(share);
  }

  /** Ends a sequence's wait for its turn, because it is persisted and workers find its rows. */
  withdraw(sequence: PendingSequence): void {
    this.#shares.get(keyOf(sequence))?.waiting.delete(sequence);
  }

  /**
   * Frees the share of a write that is settled, or that no request waits for any more. If its
   * sequence waits, it gets no turn: a part of it must not be enqueued.
   */
  remove(write: PendingWrite): void {
    const key = keyOf(write.sequence);
    const share = this.#shares.get(key);
    if (!share) return;
    share.waiting.delete(write.sequence);
    if (share.queued.delete(write)) share.weight -= write.weight;
    this.#fill(share);
    if (share.queued.size === 0) this.#shares.delete(key);
  }

  #fill(share: Share): void {
    for (const sequence of share.waiting) {
      const isFull = share.weight + sequence.weight > MAX_BATCH_LINES;
      if (isFull && share.queued.size > 0) return;
      share.waiting.delete(sequence);
      for (const write of sequence.writes) share.queued.add(write);
      share.weight += sequence.weight;
      this.#enqueue(sequence);
    }
  }
}

const keyOf = ({ kind, companyId }: PendingSequence) => `${kind.queue} ${companyId}`;
