// Sums of many documents by the keys of the rollups, in exact ten-thousandths.
import { plainArray, textArray } from '../platform/db/arrays.js';
import { query, type Transaction } from '../platform/db/connection.js';
import { fromUnits } from '../platform/values/money.js';

interface Sum {
  readonly key: readonly string[];
  name: string;
  namedBy: object | null;
  /** The number of invoices, or the quantity of an item. */
  count: bigint;
  total: bigint;
  tax: bigint;
}

/** Rows to add to a rollup: a key, the newest name, and the sums of a count, a total and a tax. */
export class Sums {
  readonly #groups = new Map<string, SumGroup>();

  /** The rows of a company, or of one of its months. */
  of(...start: readonly string[]): SumGroup {
    const id = start.join(' ');
    const group = this.#groups.get(id) ?? new SumGroup(start);
    this.#groups.set(id, group);
    return group;
  }

  /** Adds the rows: one array per column of the key, then the other columns. */
  async store(sql: string, columns: readonly SumColumn[], tx: Transaction): Promise<void> {
    const sums = [...this.#groups.values()].flatMap(group => [...group.sums.values()]);
    const [first] = sums;
    if (!first) return;
    await query(
      sql,
      [
        ...first.key.map((_, index) => textArray(sums.map(({ key }) => key[index]))),
        ...columns.map(arrayOf => arrayOf(sums)),
      ],
      tx,
    );
  }
}

/** The rows of one company, or one of its months, by the last column of their key. */
class SumGroup {
  readonly sums = new Map<string, Sum>();
  readonly #start: readonly string[];

  constructor(start: readonly string[]) {
    this.#start = start;
  }

  add(last: string, count: bigint, total: bigint): Sum {
    const known = this.sums.get(last);
    if (known) {
      known.count += count;
      known.total += total;
      return known;
    }
    const key = [...this.#start, last];
    const sum: Sum = { key, count, total, tax: 0n, name: '', namedBy: null };
    this.sums.set(last, sum);
    return sum;
  }
}

export type SumColumn = (sums: readonly Sum[]) => string;

export const NAMES: SumColumn = sums => textArray(sums.map(({ name }) => name));
export const COUNTS: SumColumn = sums => plainArray(sums.map(({ count }) => String(count)));
export const QUANTITIES: SumColumn = sums => plainArray(sums.map(({ count }) => fromUnits(count)));
export const TOTALS: SumColumn = sums => plainArray(sums.map(({ total }) => fromUnits(total)));
export const TAXES: SumColumn = sums => plainArray(sums.map(({ tax }) => fromUnits(tax)));
