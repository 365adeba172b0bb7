// Limits work that costs much memory, processor time or a connection: few turns per key at a time,
// and few in all. The next turn goes to the key that has the fewest, and there to the caller that
// has waited longest, so a key with many callers delays the others by one turn at most.
import { setTimeout as delay } from 'node:timers/promises';

export interface TurnLimits {
  /** Turns at a time, of all keys together. */
  readonly running: number;
  /** Turns at a time, of one key; 1 by default. */
  readonly perKey?: number;
  /** Callers that may wait per key, and of all keys together. */
  readonly waitingPerKey: number;
  readonly waiting: number;
  /** The longest wait. */
  readonly waitMs: number;
}

/** No turn: too many callers wait, of this key or of all, or the wait took too long. */
export class NoTurn extends Error {
  /** True if callers of the same key were in the way. */
  readonly isOwn: boolean;

  constructor(isOwn: boolean) {
    super('no turn');
    this.isOwn = isOwn;
  }
}

/** A pause as a multiple of the time that the work took, and the longest one. */
const PAUSE_FACTOR = 5;
const MAX_PAUSE_MS = 1_000;

/**
 * Pauses after work on the processor that began at `startedAt` (of `performance.now`), so that work
 * of one key has a part of the process at most.
 */
export async function pauseAfter(startedAt: number): Promise<void> {
  const pauseMs = PAUSE_FACTOR * (performance.now() - startedAt);
  await delay(Math.min(pauseMs, MAX_PAUSE_MS), undefined, { ref: false });
}

interface Waiter {
  readonly key: string;
  readonly start: () => void;
}

export class Turns {
  readonly #limits: TurnLimits;
  /** The number of turns that each key has. A key without any is absent. */
  readonly #running = new Map<string, number>();
  readonly #waiting = new Set<Waiter>();
  #total = 0;

  constructor(limits: TurnLimits) {
    this.#limits = limits;
  }

  /** Runs `work` in a turn of the key. Rejects with NoTurn if it does not get one. */
  async run<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
    await this.#turn(key);
    try {
      return await work();
    } finally {
      this.#end(key);
      this.#startNext();
    }
  }

  #turn(key: string): Promise<void> {
    const { waitingPerKey, waiting, waitMs } = this.#limits;
    if (this.#isFree(key)) {
      this.#begin(key);
      return Promise.resolve();
    }
    const own = [...this.#waiting].filter(waiter => waiter.key === key).length;
    if (own >= waitingPerKey) return Promise.reject(new NoTurn(true));
    if (this.#waiting.size >= waiting) return Promise.reject(new NoTurn(false));
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#waiting.delete(waiter);
        reject(new NoTurn(this.#turnsOf(key) > 0));
      }, waitMs);
      const waiter = {
        key,
        start: () => {
          clearTimeout(timer);
          resolve();
        },
      };
      this.#waiting.add(waiter);
    });
  }

  #startNext(): void {
    for (let next = this.#next(); next; next = this.#next()) {
      this.#waiting.delete(next);
      this.#begin(next.key);
      next.start();
    }
  }

  /** The longest waiting caller of the key with the fewest turns. */
  #next(): Waiter | undefined {
    let found: Waiter | undefined;
    for (const waiter of this.#waiting) {
      if (!this.#isFree(waiter.key)) continue;
      if (!found || this.#turnsOf(waiter.key) < this.#turnsOf(found.key)) found = waiter;
    }
    return found;
  }

  #isFree(key: string): boolean {
    const { running, perKey = 1 } = this.#limits;
    return this.#total < running && this.#turnsOf(key) < perKey;
  }

  #turnsOf(key: string): number {
    return this.#running.get(key) ?? 0;
  }

  #begin(key: string): void {
    this.#running.set(key, this.#turnsOf(key) + 1);
    this.#total += 1;
  }

  #end(key: string): void {
    const left = this.#turnsOf(key) - 1;
    if (left > 0) this.#running.set(key, left);
    else this.#running.delete(key);
    this.#total -= 1;
  }
}
