// Limits work that costs much memory, processor time or a connection: few turns per key at a time,
// and few in all. The next turn goes to the key that has the fewest. Of those it goes to the key
// that has waited longest since its last turn, and there to the caller that has waited longest. So
// a key with many callers delays a caller of another key by one turn at most.
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
  /** The count of arrivals and ends of turns. */
  readonly arrival: number;
  readonly start: () => void;
}

export class Turns {
  readonly #limits: TurnLimits;
  /** The number of turns that each key has. A key without any is absent. */
  readonly #running = new Map<string, number>();
  readonly #waiting = new Set<Waiter>();
  /** The count at the end of the last turn of each key that has turns or callers that wait. */
  readonly #lastTurns = new Map<string, number>();
  #total = 0;
  #count = 0;

  constructor(limits: TurnLimits) {
    this.#limits = limits;
  }

  /**
   * Runs `work` in a turn of the key. Rejects with NoTurn if it does not get one, in `waitMs` if
   * that is shorter than the limit.
   */
  async run<Result>(
    key: string,
    work: () => Promise<Result>,
    waitMs = this.#limits.waitMs,
  ): Promise<Result> {
    await this.#turn(key, Math.min(waitMs, this.#limits.waitMs));
    try {
      return await work();
    } finally {
      this.#end(key);
      this.#startNext();
    }
  }

  /** True if the key has a turn, or a caller that waits for one. */
  isBusy(key: string): boolean {
    return this.#running.has(key) || this.#waitersOf(key) > 0;
  }

  #turn(key: string, waitMs: number): Promise<void> {
    const { waitingPerKey, waiting } = this.#limits;
    if (this.#isFree(key)) {
      this.#begin(key);
      return Promise.resolve();
    }
    if (this.#waitersOf(key) >= waitingPerKey) return Promise.reject(new NoTurn(true));
    if (this.#waiting.size >= waiting) return Promise.reject(new NoTurn(false));
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#waiting.delete(waiter);
        reject(new NoTurn(this.#turnsOf(key) > 0));
        this.#forget(key);
      }, waitMs);
      this.#count += 1;
      const waiter = {
        key,
        arrival: this.#count,
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

  #next(): Waiter | undefined {
    let found: Waiter | undefined;
    for (const waiter of this.#waiting)
      if (this.#isFree(waiter.key) && (!found || this.#isBefore(waiter, found))) found = waiter;
    return found;
  }

  #isBefore(one: Waiter, other: Waiter): boolean {
    const fewer = this.#turnsOf(one.key) - this.#turnsOf(other.key);
    return fewer < 0 || (fewer === 0 && this.#waitsSince(one) < this.#waitsSince(other));
  }

  #waitsSince({ key, arrival }: Waiter): number {
    return Math.max(arrival, this.#lastTurns.get(key) ?? 0);
  }

  #isFree(key: string): boolean {
    const { running, perKey = 1 } = this.#limits;
    return this.#total < running && this.#turnsOf(key) < perKey;
  }

  #turnsOf(key: string): number {
    return this.#running.get(key) ?? 0;
  }

  #waitersOf(key: string): number {
    let count = 0;
    for (const waiter of this.#waiting) if (waiter.key === key) count += 1;
    return count;
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
    this.#count += 1;
    this.#lastTurns.set(key, this.#count);
    this.#forget(key);
  }

  #forget(key: string): void {
    if (!this.isBusy(key)) this.#lastTurns.delete(key);
  }
}
