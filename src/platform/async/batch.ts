// Natural batching: items submitted while a run is in flight wait and go into the next run.
// There is no timer: an idle batcher runs a single item at once, a busy one shares the cost.
// Owners of items take turns, so an owner waits for at most a tenth of a run of each other owner.

export interface BatchOptions<Item> {
  /** The items of a run, or the sum of their sizes. */
  readonly maxSize: number;
  /** An item's share of `maxSize`. A larger item runs alone. Default: 1. */
  readonly sizeOf?: (item: Item) => number;
  /** Runs in flight at the same time. */
  readonly maxInFlight: number;
  /**
   * A run may start beside another one only with at least `from` items (or their sizes) waiting,
   * or once the last run is `afterMs` old. Default: always. Waiting longer makes fewer and larger
   * runs.
   */
  readonly beside?: { readonly from: number; readonly afterMs: number };
  /** An item's share of `maxWeight`, for example its bytes. A heavier item runs alone. */
  readonly weightOf?: (item: Item) => number;
  readonly maxWeight?: number;
  /** The items of an owner stay in order. Default: all items have the same owner. */
  readonly ownerOf?: (item: Item) => string;
}

type Run<Item, Result> = (items: Item[]) => Promise<(Result | Promise<Result>)[]>;

/** An owner's turn ends at this part of a full run, by size or weight. */
const TURN = 0.1;
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
  /** The waiting items of each owner. Owners are in the order of their turns. */
  readonly #waiting = new Map<string, Entry<Item, Result>[]>();
  /** The sum of their sizes. */
  #waitingSize = 0;
  #inFlight = 0;
  #lastRunAt = 0;
  #timer: NodeJS.Timeout | undefined;
  #drainWaiters: (() => void)[] = [];

  constructor(run: Run<Item, Result>, options: BatchOptions<Item>) {
    this.#run = run;
    this.#options = options;
  }

  /** The size of all items that wait for a run. */
  get waiting(): number {
    return this.#waitingSize;
  }

  submit(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      const owner = this.#options.ownerOf?.(item) ?? '';
      const entries = this.#waiting.get(owner) ?? [];
      if (entries.push({ item, resolve, reject }) === 1) this.#waiting.set(owner, entries);
      const before = this.#waitingSize;
      this.#waitingSize += this.#sizeOf(item);
      const { from } = this.#options.beside ?? ALWAYS;
      // Starts after this turn of the event loop, so that items from one socket read share a run.
      if (before === 0 || (before < from && this.#waitingSize >= from))
        setImmediate(() => this.#startRuns());
    });
  }

  /** Resolves when no item waits or runs. */
  async drained(): Promise<void> {
    if (this.#isIdle()) return;
    await new Promise<void>(resolve => this.#drainWaiters.push(resolve));
  }

  #sizeOf(item: Item): number {
    return this.#options.sizeOf?.(item) ?? 1;
  }

  #isIdle(): boolean {
    return this.#waitingSize === 0 && this.#inFlight === 0;
  }

  #startRuns(): void {
    const { maxInFlight, beside = ALWAYS } = this.#options;
    while (this.#inFlight < maxInFlight && this.#waitingSize > 0) {
      const leftMs = this.#lastRunAt + beside.afterMs - performance.now();
      if (this.#inFlight > 0 && this.#waitingSize < beside.from && leftMs > 0) {
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
    const batch: Entry<Item, Result>[] = [];
    let size = 0;
    let weight = 0;
    for (const [owner, entries] of this.#waiting) {
      const turn = this.#takeTurn(entries, size, weight);
      if (turn.entries.length === 0) break;
      batch.push(...turn.entries);
      size += turn.size;
      weight += turn.weight;
      // The owner goes behind all others, in this batch and in the next one.
      this.#waiting.delete(owner);
      if (entries.length > 0) this.#waiting.set(owner, entries);
    }
    this.#waitingSize -= size;
    return batch;
  }

  /** Takes the owner's items that fit into its turn and beside the items of the batch. */
  #takeTurn(from: Entry<Item, Result>[], batchSize: number, batchWeight: number) {
    const { maxSize, maxWeight = Number.POSITIVE_INFINITY, weightOf = () => 0 } = this.#options;
    let weight = 0;
    let size = 0;
    let count = 0;
    for (const { item } of from) {
      const nextWeight = weightOf(item);
      const nextSize = this.#sizeOf(item);
      const isFirst = batchSize + size === 0;
      const isFull =
        batchSize + size + nextSize > maxSize || batchWeight + weight + nextWeight > maxWeight;
      if ((isFull && !isFirst) || size >= TURN * maxSize || weight >= TURN * maxWeight) break;
      weight += nextWeight;
      size += nextSize;
      count += 1;
    }
    return { entries: from.splice(0, count), size, weight };
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
