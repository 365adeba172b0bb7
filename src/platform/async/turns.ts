// Turns at work that costs much memory or processor time: one per key at a time, and few in all.
// The next turn goes to the caller that has waited longest and whose key has none, so a key with
// many callers delays the others by one turn at most.

export interface TurnLimits {
  /** Turns at a time, over all keys. */
  readonly running: number;
  /** Callers that may wait, of one key and of all. */
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

interface Waiter {
  readonly key: string;
  readonly start: () => void;
}

export class Turns {
  readonly #limits: TurnLimits;
  readonly #running = new Set<string>();
  readonly #waiting = new Set<Waiter>();

  constructor(limits: TurnLimits) {
    this.#limits = limits;
  }

  /** Runs `work` in a turn of the key. Rejects with NoTurn if it does not get one. */
  async run<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
    await this.#turn(key);
    try {
      return await work();
    } finally {
      this.#running.delete(key);
      this.#startNext();
    }
  }

  #turn(key: string): Promise<void> {
    const { waitingPerKey, waiting, waitMs } = this.#limits;
    if (this.#isFree(key)) {
      this.#running.add(key);
      return Promise.resolve();
    }
    const own = [...this.#waiting].filter(waiter => waiter.key === key).length;
    if (own >= waitingPerKey) return Promise.reject(new NoTurn(true));
    if (this.#waiting.size >= waiting) return Promise.reject(new NoTurn(false));
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#waiting.delete(waiter);
        reject(new NoTurn(this.#running.has(key)));
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
    for (const waiter of this.#waiting) {
      if (!this.#isFree(waiter.key)) continue;
      this.#waiting.delete(waiter);
      this.#running.add(waiter.key);
      waiter.start();
    }
  }

  #isFree(key: string): boolean {
    return this.#running.size < this.#limits.running && !this.#running.has(key);
  }
}
