// The records of a company and what their names owe at any time, by the rows that tell when they
// were written. Pure. Amounts are in ten-thousandths.
//
// All times are read from Postgres's clock while the company is locked, in milliseconds. Facts of
// the same millisecond may have had either order, and a version may be dated a little later than
// it was written, because versions of a record have different times. So a question is about a span.
import { groupBy, units } from '../model/rows.js';
import type { RecordJson } from './changes.js';
import type { BilledRow, CustomerRows, EntryRow, NameVersionRow, VersionRow } from './rows.js';

/** For versions, which may be ahead of the clock by 1 ms for each one in their transaction. */
const VERSIONS_AHEAD_MS = 10;

export type AccountRows = Pick<
  CustomerRows,
  'versions' | 'nameVersions' | 'invoices' | 'entries' | 'settledAt'
>;

export interface Between {
  readonly from: number;
  readonly to: number;
}

export class Account {
  readonly #versions: ReadonlyMap<string, readonly VersionRow[]>;
  readonly #owners: ReadonlyMap<string, readonly NameVersionRow[]>;
  readonly #keys: ReadonlyMap<string, ReadonlySet<string>>;
  readonly #invoices: ReadonlyMap<string, readonly BilledRow[]>;
  readonly #entries: ReadonlyMap<string, readonly EntryRow[]>;

  constructor({ versions, nameVersions, invoices, entries }: AccountRows) {
    this.#versions = groupBy(versions, ({ customerId }) => customerId);
    this.#owners = groupBy(nameVersions, ({ key }) => key);
    const keys = new Map<string, Set<string>>();
    for (const { key, customerId } of nameVersions)
      if (customerId) keys.set(customerId, (keys.get(customerId) ?? new Set()).add(key));
    this.#keys = keys;
    this.#invoices = groupBy(invoices, ({ key }) => key);
    this.#entries = groupBy(entries, ({ key }) => key);
  }

  /** The states of a record that may have been in force; null before its creation or at its end. */
  statesOf(customerId: string, span: Between): (RecordJson | null)[] {
    const versions = this.#versions.get(customerId) ?? [];
    return inForce(versions, span, ({ body }) => body);
  }

  /** The records that a match key may have belonged to; null for none. */
  ownersOf(key: string, span: Between): (string | null)[] {
    return inForce(this.#owners.get(key) ?? [], span, ({ customerId }) => customerId);
  }

  /** The match keys that a record ever had. */
  keysOf(customerId: string): string[] {
    return [...(this.#keys.get(customerId) ?? [])];
  }

  /** The least that the record may have owed when the invoice was posted, without it. */
  leastExposure(customerId: string, { number, at }: BilledRow): number {
    return this.keysOf(customerId).reduce((sum, key) => {
      const owners = this.ownersOf(key, { from: at, to: at });
      if (!owners.includes(customerId)) return sum;
      const billed = total(this.#invoices.get(key), row => row.number < number);
      // A debit of the same millisecond may be later, and a credit may be earlier.
      const moved = (this.#entries.get(key) ?? [])
        .filter(entry => (entry.added > 0 ? entry.at < at : entry.at <= at + 1))
        .reduce((each, { added }) => each + units(added), 0);
      const owed = billed + moved;
      return sum + (owners.length > 1 ? Math.min(0, owed) : owed);
    }, 0);
  }

  /** The amounts that the record may have owed during the span. */
  exposuresIn(customerId: string, { from, to }: Between): Set<number> {
    const found = new Set<number>();
    const facts = this.keysOf(customerId).flatMap(key => [
      ...(this.#owners.get(key) ?? []).map(({ at }) => ({ at, key, added: 0, place: 0 })),
      ...(this.#invoices.get(key) ?? []).map(({ at, total: added, number: place }) => ({
        ...{ at, key, added, place },
      })),
      ...(this.#entries.get(key) ?? []).map(({ at, added }) => ({ at, key, added, place: 0 })),
    ]);
    // The invoices of a batch have one time, and a refusal among them counts those before it.
    facts.sort((a, b) => a.at - b.at || a.place - b.place);
    const owed = new Map<string, number>();
    const note = (at: number) => {
      let sum = 0;
      for (const [key, amount] of owed) if (this.#ownerAt(key, at) === customerId) sum += amount;
      found.add(sum);
    };
    for (const { at, key, added } of facts) {
      if (at > to + VERSIONS_AHEAD_MS) break;
      if (at >= from) note(at - 1);
      owed.set(key, (owed.get(key) ?? 0) + units(added));
      if (at >= from) note(at);
    }
    note(from);
    note(to);
    return found;
  }

  #ownerAt(key: string, at: number): string | null {
    return this.#owners.get(key)?.findLast(row => row.at <= at)?.customerId ?? null;
  }
}

function total(rows: readonly BilledRow[] = [], isIncluded: (row: BilledRow) => boolean): number {
  return rows.filter(isIncluded).reduce((sum, row) => sum + units(row.total), 0);
}

/** The values in force in the span, of rows in the order of their times. */
function inForce<Row extends { readonly at: number }, Value>(
  rows: readonly Row[],
  { from, to }: Between,
  read: (row: Row) => Value,
): (Value | null)[] {
  const [earliest, latest] = [from - VERSIONS_AHEAD_MS, to + VERSIONS_AHEAD_MS];
  const first = rows.findLast(({ at }) => at <= earliest);
  const later = rows.filter(({ at }) => at > earliest && at <= latest);
  return [first ? read(first) : null, ...later.map(read)];
}
