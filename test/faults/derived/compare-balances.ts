// Compares statements, receivables and exposures with a recount. Pure.
import type { ExposureRow, VersionRow } from '../customers/rows.js';
import { units } from '../model/rows.js';
import { fold } from '../model/stock.js';
import type { Ageing, Balances } from './balances.js';
import type { Documents } from './documents.js';

/** A record, or a name without one. */
export interface Customer {
  readonly id: string | null;
  readonly name: string;
  /** Its match keys. */
  readonly keys: ReadonlySet<string>;
}

/** Amounts in major units, as in all responses. */
export interface Activity {
  readonly opening: number;
  readonly entries: readonly { readonly debit: number | null; readonly credit: number | null }[];
  readonly closing: number;
  readonly ageing: Ageing;
}

export interface OpenItems {
  readonly invoices: readonly { readonly id: string; readonly due: number }[];
  readonly credits: readonly { readonly id: string; readonly unallocated: number }[];
  readonly ageing: Ageing;
}

export interface Receivables {
  readonly asOf: string;
  readonly totals: Ageing;
  readonly customers: readonly (Ageing & {
    readonly customerId: string | null;
    readonly name: string;
  })[];
}

const FIGURES = [
  ...['outstanding', 'current', 'days1To30', 'days31To60', 'days61To90', 'over90'],
  ...['unallocated', 'balance'],
] as (keyof Ageing)[];

/** The sum of the lines leads from one balance to the other. */
export function compareActivity(
  { opening, entries, closing, ageing }: Activity,
  { name, keys }: Customer,
  balances: Balances,
  { from, to }: { readonly from: string; readonly to: string },
): string[] {
  const expected = balances.of(keys, to);
  const before = balances.of(keys, dayBefore(from));
  const moved = entries.reduce(
    (sum, { debit, credit }) => sum + units(debit ?? 0) - units(credit ?? 0),
    0,
  );
  const owed = ({ debits, credits }: typeof expected) => debits - credits;
  const who = `statement of ${name} up to ${to}`;
  return [
    ...differ(`${who}: the opening balance of ${from}`, units(opening), owed(before)),
    ...differ(`${who}: the lines since ${from}`, moved, owed(expected) - owed(before)),
    ...differ(`${who}: the closing balance`, units(closing), owed(expected)),
    ...differ(`${who}: debits less credits`, owed(expected), expected.ageing.balance),
    ...compareAgeing(who, ageing, expected.ageing),
  ];
}

export function compareOpenItems(
  { invoices, credits, ageing }: OpenItems,
  { name, keys }: Customer,
  balances: Balances,
  day: string,
): string[] {
  const expected = balances.of(keys, day);
  const who = `open items of ${name} on ${day}`;
  const shownDue = invoices.map(({ id, due }): [string, number] => [id, units(due)]);
  const shownRest = credits.map(({ id, unallocated }): [string, number] => [
    id,
    units(unallocated),
  ]);
  return [
    ...compareAmounts(`${who}: invoice`, shownDue, expected.due),
    ...compareAmounts(`${who}: payment or credit note`, shownRest, expected.rest),
    ...compareAgeing(who, ageing, expected.ageing),
  ];
}

/** One row per customer with money outstanding or unallocated. `day` is null for the present. */
export function compareReceivables(
  { asOf, totals, customers: shown }: Receivables,
  customers: readonly Customer[],
  balances: Balances,
  day: string | null,
): string[] {
  const when = day === null ? 'now' : `on ${day}`;
  const rows = new Map(shown.map(row => [row.customerId ?? fold(row.name), row]));
  const sums = Object.fromEntries(FIGURES.map(figure => [figure, 0])) as Record<string, number>;
  const errors = customers.flatMap(({ id, name, keys }) => {
    const { ageing } = balances.of(keys, day, asOf);
    for (const figure of FIGURES) sums[figure] = (sums[figure] ?? 0) + ageing[figure];
    const key = id ?? name;
    const row = rows.get(key);
    rows.delete(key);
    const who = `receivables of ${name} ${when}`;
    if (row) return compareAgeing(who, row, ageing);
    const isNone = ageing.outstanding === 0 && ageing.unallocated === 0;
    return isNone ? [] : [`${who}: no row, recounted ${ageing.balance / 10_000}`];
  });
  return [
    ...[...rows.keys()].map(key => `receivables ${when}: ${key} is no customer`),
    ...errors,
    ...compareAgeing(`total receivables ${when}`, totals, sums as unknown as Ageing),
  ];
}

/** The documents show now the sums of their entries. */
export function comparePresent(
  customers: readonly Customer[],
  { invoices, payments, creditNotes }: Documents,
  balances: Balances,
): string[] {
  return customers.flatMap(({ name, keys }) => {
    const { outstanding, unallocated } = balances.of(keys, null).ageing;
    const isOwn = (each: { readonly customerName: string }) => keys.has(fold(each.customerName));
    const due = invoices.filter(isOwn).reduce((sum, each) => sum + units(each.amountDue), 0);
    const rest = [...payments, ...creditNotes]
      .filter(isOwn)
      .reduce((sum, each) => sum + units(each.unallocated), 0);
    return [
      ...differ(`amounts due of ${name}`, due, outstanding),
      ...differ(`unallocated amounts of ${name}`, rest, unallocated),
    ];
  });
}

/** `versions` is empty for a company that accepts invoices above a limit: it has no exposures. */
export function compareExposures(
  customers: readonly Customer[],
  versions: readonly VersionRow[],
  stored: readonly ExposureRow[],
  balances: Balances,
): string[] {
  const last = new Map(versions.map(({ customerId, body }) => [customerId, body]));
  const expected = customers.flatMap(({ id, keys }): [string, number][] => {
    const record = last.get(id ?? '');
    if (!record || record.creditLimit === null || record.archived) return [];
    return [[record.id, balances.of(keys, null).ageing.balance]];
  });
  const shown = stored.map(({ customerId, exposure }): [string, number] => [
    customerId,
    units(exposure),
  ]);
  return compareAmounts('exposure of record', shown, new Map(expected));
}

function compareAgeing(who: string, shown: Ageing, expected: Ageing): string[] {
  return FIGURES.flatMap(figure =>
    differ(`${who}: ${figure}`, units(shown[figure]), expected[figure]),
  );
}

function compareAmounts(
  who: string,
  shown: readonly (readonly [string, number])[],
  expected: ReadonlyMap<string, number>,
): string[] {
  const shownOf = new Map(shown);
  const ids = new Set([...shownOf.keys(), ...expected.keys()]);
  return [
    ...(shownOf.size < shown.length ? [`${who}: one is listed twice`] : []),
    ...[...ids].flatMap(id => differ(`${who} ${id}`, shownOf.get(id), expected.get(id))),
  ];
}

function differ(what: string, shown: number | undefined, expected: number | undefined): string[] {
  if (shown === expected) return [];
  const text = (amount: number | undefined) => (amount === undefined ? 'none' : amount / 10_000);
  return [`${what}: ${text(shown)}, recounted ${text(expected)}`];
}

function dayBefore(day: string): string {
  return new Date(Date.parse(day) - 86_400_000).toISOString().slice(0, 10);
}
