// Whether work goes on, for other work that gives way to it.

/** Work that starts again this soon has not stopped. */
const GAP_MS = 100;

export class OngoingWork {
  #inProgress = 0;
  #endedAt = Number.NEGATIVE_INFINITY;

  /** Counts the work until it ends. */
  async during<Result>(work: Promise<Result>): Promise<Result> {
    this.#inProgress += 1;
    try {
      return await work;
    } finally {
      this.#inProgress -= 1;
      this.#endedAt = performance.now();
    }
  }

  get isOn(): boolean {
    return this.#inProgress > 0 || performance.now() - this.#endedAt < GAP_MS;
  }
}
