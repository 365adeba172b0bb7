// Natural batching: items submitted while a run is in flight wait and go into the next run.
// There is no timer: an idle batcher runs a single item at once, a busy one shares the cost.

export interface BatchOptions<Item> {
  readonly maxSize: number;
  /** Runs in flight at the same time. */
  readonly maxInFlight: number;
  /**
   * A run may start beside another one only with at least `from` items waiting, or once the last
   * run is `afterMs` old. Default: always. Waiting longer makes fewer and larger runs.
   */
  readonly beside?: { readonly from: number; readonly afterMs: number };
  /** An item's share of `maxWeight`, for example its bytes. A heavier item runs alone. */
  readonly weigh?: (item: Item) => number;
  readonly maxWeight?: number;
}

type Run<Item, Result> = (items: Item[]) => Promise<(Result | Promise<Result>)[]>;

const ALWAYS = { from: 1, afterMs: 0 };

interface Entry<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result | Promise<Result>) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Collects items for `run`, which returns one result per item in the same order. If it throws,
 * every item of that run rejects. A result may be a promise: the run ends before that item does.
 */
export class Batcher<Item, Result> {
  readonly #run: Run<Item, Result>;
  readonly #options: BatchOptions<Item>;
  #waiting: Entry<Item, Result>[] = [];
  #inFlight = 0;
  #lastRunAt = 0;
  #timer: NodeJS.Timeout | undefined;
  #drainWaiters: (() => void)[] = [];

  constructor(run: Run<Item, Result>, options: BatchOptions<Item>) {
    this.#run = run;
    this.#options = options;
  }

  /** Number of items that wait for a run. */
  get waiting(): number {
    return this.#waiting.length;
  }

  submit(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, resolve, reject });
      // Starts after this turn of the event loop, so that items from one socket read share a run.
      const { length } = this.#waiting;
      if (length === 1 || length === this.#options.beside?.from)
        setImmediate(() => this.#startRuns());
    });
  }

  /** Resolves when no item waits or runs. */
  async drained(): Promise<void> {
    if (this.#isIdle()) return;
    await new Promise<void>(resolve => this.#drainWaiters.push(resolve));
  }

  #isIdle(): boolean {
    return this.#waiting.length === 0 && this.#inFlight === 0;
  }

  #startRuns(): void {
    const { maxInFlight, beside = ALWAYS } = this.#options;
    while (this.#inFlight < maxInFlight && this.#waiting.length > 0) {
      const leftMs = this.#lastRunAt + beside.afterMs - performance.now();
      if (this.#inFlight > 0 && this.#waiting.length < beside.from && leftMs > 0) {
        this.#startLater(leftMs);
        return;
      }
      this.#inFlight += 1;
      this.#lastRunAt = performance.now();
      void this.#runBatch(this.#takeBatch());
    }
  }

  #startLater(delayMs: number): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#startRuns();
    }, delayMs).unref();
  }

  #takeBatch(): Entry<Item, Result>[] {
    const { maxSize, maxWeight = Number.POSITIVE_INFINITY, weigh } = this.#options;
    if (!weigh) return this.#waiting.splice(0, maxSize);
    let weight = 0;
    let count = 0;
    for (const { item } of this.#waiting.slice(0, maxSize)) {
      weight += weigh(item);
      if (count > 0 && weight > maxWeight) break;
      count += 1;
    }
    return this.#waiting.splice(0, count);
  }

  async #runBatch(batch: Entry<Item, Result>[]): Promise<void> {
    try {
      const results = await this.#run(batch.map(({ item }) => item));
      if (results.length !== batch.length)
        throw new Error(`a run of ${batch.length} items returned ${results.length} results`);
      for (const [index, { resolve }] of batch.entries()) resolve(results[index] as Result);
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
    this.#inFlight -= 1;
    this.#startRuns();
    if (this.#isIdle()) for (const resolve of this.#drainWaiters.splice(0)) resolve();
  }
}
