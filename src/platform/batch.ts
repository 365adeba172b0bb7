// Natural batching: what is submitted while a run is in flight waits and rides together in the next one. No timers: at
// rest an item runs alone and at once, under load the cost of a run is shared.

export interface BatchOptions<Item> {
  readonly maxSize: number;
  /** Runs in flight at once. */
  readonly maxInFlight: number;
  /** So many must wait for a run to begin beside another one; fewer wait until none is in flight. 1 by default. */
  readonly besideFrom?: number;
  /** What an item counts towards maxWeight (bytes, say); a heavier one runs alone. */
  readonly weigh?: (item: Item) => number;
  readonly maxWeight?: number;
}

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/** Gathers items for `run`, which returns one result an item, in order. Where it throws, each item of that run rejects. */
export class Batcher<Item, Result> {
  readonly #run: (items: Item[]) => Promise<Result[]>;
  readonly #options: BatchOptions<Item>;
  #waiting: Waiting<Item, Result>[] = [];
  #inFlight = 0;
  #idle: (() => void)[] = [];

  constructor(run: (items: Item[]) => Promise<Result[]>, options: BatchOptions<Item>) {
    this.#run = run;
    this.#options = options;
  }

  /** Items that wait for a run. */
  get waiting(): number {
    return this.#waiting.length;
  }

  submit(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, resolve, reject });
      // After this turn of the event loop, so that what arrived in one read of the sockets rides together.
      if ([1, this.#options.besideFrom].includes(this.#waiting.length)) setImmediate(() => this.#next());
    });
  }

  /** Resolves when nothing waits or runs. */
  async drained(): Promise<void> {
    if (this.#waiting.length === 0 && this.#inFlight === 0) return;
    await new Promise<void>(resolve => this.#idle.push(resolve));
  }

  #next(): void {
    const { maxInFlight, besideFrom = 1 } = this.#options;
    while (this.#inFlight < maxInFlight && this.#waiting.length >= (this.#inFlight === 0 ? 1 : besideFrom)) {
      this.#inFlight += 1;
      void this.#runOne(this.#take());
    }
  }

  #take(): Waiting<Item, Result>[] {
    const { maxSize, maxWeight = Number.POSITIVE_INFINITY, weigh = () => 0 } = this.#options;
    let weight = 0;
    let count = 0;
    for (const { item } of this.#waiting.slice(0, maxSize)) {
      weight += weigh(item);
      if (count > 0 && weight > maxWeight) break;
      count += 1;
    }
    return this.#waiting.splice(0, count);
  }

  async #runOne(batch: Waiting<Item, Result>[]): Promise<void> {
    try {
      const results = await this.#run(batch.map(({ item }) => item));
      if (results.length !== batch.length) throw new Error(`${batch.length} items gave ${results.length} results`);
      for (const [index, { resolve }] of batch.entries()) resolve(results[index] as Result);
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
    this.#inFlight -= 1;
    this.#next();
    if (this.#waiting.length === 0 && this.#inFlight === 0) for (const resolve of this.#idle.splice(0)) resolve();
  }
}
