// The planned events of the demo's history, run in the order of their times.
type Run<Result> = (at: Date) => Result | null;

export class Agenda<Result> {
  #events: { readonly at: Date; readonly run: Run<Result> }[] = [];

  /** `run` may plan more. It returns null if there is nothing to do by then. */
  plan(at: Date, run: Run<Result>): void {
    this.#events.push({ at, run });
  }

  /** Runs what is planned until `end`, and also what that plans. Returns the results in order. */
  runUntil(end: Date): Result[] {
    const results: Result[] = [];
    for (;;) {
      const [next] = this.#events
        .filter(({ at }) => at <= end)
        .sort((a, b) => a.at.getTime() - b.at.getTime());
      if (!next) return results;
      this.#events = this.#events.filter(event => event !== next);
      const result = next.run(next.at);
      if (result !== null) results.push(result);
    }
  }
}
