// Natural batching: what is submitted while a run is in flight waits and rides together in the next one. Nothing waits for
// company: at rest an item runs alone and at once, under load the cost of a run is shared.

export interface BatchOptions<Item> {
  readonly maxSize: number;
  /** Runs in flight at once. */
  readonly maxInFlight: number;
  /**
   * When a run may begin beside others: with `from` items, or when the last one is `afterMs` old. Without it always. What
   * is gathered for longer makes fewer and larger runs.
   */
  readonly beside?: { readonly from: number; readonly afterMs: number };
  /** What an item counts towards maxWeight (bytes, say); a heavier one runs alone. */
  readonly weigh?: (item: Item) => number;
  readonly maxWeight?: number;
}

const ALWAYS = { from: 1, afterMs: 0 };

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
  /** When the last run began. */
  #begunAt = 0;
  #timer: NodeJS.Timeout | undefined;
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
      if ([1, this.#options.beside?.from].includes(this.#waiting.length))
        setImmediate(() => this.#next());
    });
  }

  /** Resolves when nothing waits or runs. */
  async drained(): Promise<void> {
    if (this.#waiting.length === 0 && this.#inFlight === 0) return;
    await new Promise<void>(resolve => this.#idle.push(resolve));
  }

  #next(): void {
    const { maxInFlight, beside = ALWAYS } = this.#options;
    while (this.#inFlight < maxInFlight && this.#waiting.length > 0) {
      const leftMs = this.#begunAt + beside.afterMs - performance.now();
      if (this.#inFlight > 0 && this.#waiting.length < beside.from && leftMs > 0) {
        this.#lookAgain(leftMs);
        return;
      }
      this.#inFlight += 1;
      this.#begunAt = performance.now();
      void this.#runOne(this.#take());
    }
  }

  #lookAgain(inMs: number): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#next();
    }, inMs).unref();
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
      if (results.length !== batch.length)
        throw new Error(`${batch.length} items gave ${results.length} results`);
      for (const [index, { resolve }] of batch.entries()) resolve(results[index] as Result);
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
    this.#inFlight -= 1;
    this.#next();
    if (this.#waiting.length === 0 && this.#inFlight === 0)
      for (const resolve of this.#idle.splice(0)) resolve();
  }
}
