// The commits of a company in their order, and which states a decision can have seen. State n is
// the one after n commits. Two kinds of evidence bound the time of a commit: it is later than the
// time that its transaction wrote into its job, and earlier than the answer that its client got.

/** The clocks of Postgres and of the clients, on one machine. */
const CLOCK_MS = 100;

export interface Commit {
  readonly id: string;
  readonly earliest: number;
  readonly latest: number;
}

/** The first and the last state that a decision can have seen. */
export interface States {
  readonly first: number;
  readonly last: number;
}

export class CommitOrder {
  readonly #placeOf: ReadonlyMap<string, number>;
  /** Neither decreases: a later commit is not earlier than the one before. */
  readonly #earliest: readonly number[];
  readonly #latest: readonly number[];

  constructor(commits: readonly Commit[]) {
    this.#placeOf = new Map(commits.map(({ id }, place) => [id, place]));
    const earliest = commits.map(commit => commit.earliest);
    const latest = commits.map(commit => commit.latest);
    for (let place = 1; place < commits.length; place += 1)
      earliest[place] = Math.max(earliest[place] ?? 0, earliest[place - 1] ?? 0);
    for (let place = commits.length - 2; place >= 0; place -= 1)
      latest[place] = Math.min(latest[place] ?? 0, latest[place + 1] ?? 0);
    this.#earliest = earliest;
    this.#latest = latest;
  }

  /** The state before this commit; undefined if there is no such commit. */
  before(id: string): number | undefined {
    return this.#placeOf.get(id);
  }

  /** The states between a request and the decision on it. */
  between(sentAt: number, decidedAt: number): States {
    const first = countWhile(this.#latest, time => time < sentAt - CLOCK_MS);
    const last = countWhile(this.#earliest, time => time <= decidedAt + CLOCK_MS);
    return { first: Math.min(first, last), last };
  }
}

/** How many times at the start of an ascending list meet the condition. */
function countWhile(times: readonly number[], condition: (time: number) => boolean): number {
  let [low, high] = [0, times.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (condition(times[middle] ?? 0)) low = middle + 1;
    else high = middle;
  }
  return low;
}
