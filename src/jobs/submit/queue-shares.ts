// A company's share of a queue. The queue is first come, first served, so a process puts only about
// one batch of a company into it at a time. Further writes wait here until earlier ones are
// settled. Those that wait for long are persisted instead: workers settle rows by company.
import { MAX_BATCH_LINES } from '../write-kind.js';
import type { PendingWrite } from './pending-write.js';

interface Share {
  weight: number;
  readonly queued: Set<PendingWrite>;
  /** In the order of their turns. */
  readonly waiting: Set<PendingWrite>;
}

export class QueueShares {
  readonly #enqueue: (write: PendingWrite) => void;
  readonly #shares = new Map<string, Share>();

  constructor(enqueue: (write: PendingWrite) => void) {
    this.#enqueue = enqueue;
  }

  /** Enqueues the write, at once or when it has its turn. */
  add(write: PendingWrite): void {
    const key = keyOf(write);
    const share = this.#shares.get(key) ?? { weight: 0, queued: new Set(), waiting: new Set() };
    this.#shares.set(key, share);
    share.waiting.add(write);
    this.#fill(share);
  }

  /** Ends a write's wait for its turn, because it is persisted and workers find its row. */
  withdraw(write: PendingWrite): void {
    this.#shares.get(keyOf(write))?.waiting.delete(write);
  }

  /** Frees the share of a write that is settled, or that no request waits for any more. */
  remove(write: PendingWrite): void {
    const key = keyOf(write);
    const share = this.#shares.get(key);
    if (!share) return;
    share.waiting.delete(write);
    if (share.queued.delete(write)) share.weight -= write.weight;
    this.#fill(share);
    if (share.queued.size === 0) this.#shares.delete(key);
  }

  #fill(share: Share): void {
    for (const write of share.waiting) {
      const isFull = share.weight + write.weight > MAX_BATCH_LINES;
      if (isFull && share.queued.size > 0) return;
      share.waiting.delete(write);
      share.queued.add(write);
      share.weight += write.weight;
      this.#enqueue(write);
    }
  }
}

const keyOf = ({ kind, submission }: PendingWrite) => `${kind.queue} ${submission.companyId}`;
