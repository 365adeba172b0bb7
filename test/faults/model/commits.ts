// The commits of a company in their order, and which states a decision can have seen. State n is
// the one after n commits. Two kinds of evidence bound the time of a commit: it is later than the
// time that its transaction wrote into its job, and earlier than the answer that its client got.

import type { ModelRows } from './rows.js';
import type { Source } from './stock.js';
import type { ModelWrite } from './write.js';

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

/**
 * The bounds of the time at which the row with this id was committed. All that made the company's
 * stock before is committed when the first of the writes is sent.
 */
export function commitsOf(
  writes: readonly ModelWrite[],
  { jobs }: ModelRows,
): (id: string) => Commit {
  const startedAt = Math.min(...writes.map(({ sentAt }) => sentAt));
  const jobOf = new Map(jobs.map(job => [job.resultId, job]));
  const answeredAt = new Map(writes.map(write => [write.jobId, write.answeredAt]));
  return id => {
    const job = jobOf.get(id);
    const earliest = job?.finishedAt ?? Number.NEGATIVE_INFINITY;
    const isBefore = job !== undefined && earliest < startedAt;
    const known = isBefore ? Number.NEGATIVE_INFINITY : answeredAt.get(job?.id ?? '');
    return { id, earliest, latest: known ?? Number.POSITIVE_INFINITY };
  };
}

/**
 * The model relies on one order of a company's commits: that of movements, of invoices' numbers,
 * of stock versions and of entries' sequences.
 */
export function findDisorder(sources: readonly Source[], rows: ModelRows): string[] {
  const orders: readonly [string, ReadonlyMap<string, number>][] = [
    ["invoices' numbers", new Map(rows.invoices.map(({ id, number }) => [id, number]))],
    ['stock versions', new Map(rows.adjustments.map(each => [each.id, each.stockVersion]))],
    ["entries' sequences", new Map(rows.entries.map(({ id, sequence }) => [id, sequence]))],
  ];
  return orders.flatMap(([what, orderOf]) => {
    const values = sources.flatMap(({ id }) => orderOf.get(id) ?? []);
    const place = values.findIndex((value, index) => value < (values[index - 1] ?? 0));
    return place < 0 ? [] : [`${what} and movements are in different orders at ${values[place]}`];
  });
}
