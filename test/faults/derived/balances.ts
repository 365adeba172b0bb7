// Recounts what customers owe at the end of a day from invoices and entries. Pure. Shares no code
// with the product. Amounts are in ten-thousandths.
//
// Invoices, payments and credit notes count from their date. What moves money between them counts
// from the latest of its own date and the dates before it of all that it concerns, so an invoice or
// payment never has less than 0 left.

export interface MoneyInvoice {
  readonly id: string;
  /** The match key of its customer. */
  readonly key: string;
  readonly date: string;
  readonly dueDate: string | null;
  readonly total: number;
}

/** By sequence. */
export interface MoneyEntry {
  readonly id: string;
  readonly sequence: number;
  readonly key: string;
  readonly type: 'payment' | 'reversal' | 'allocation' | 'refund' | 'creditNote';
  readonly date: string;
  readonly amount: number;
  /** The payment or credit note that another entry uses. */
  readonly sourceId: string | null;
  /** Of a credit note. */
  readonly invoiceId: string | null;
}

export interface MoneyAllocation {
  readonly invoiceId: string;
  readonly sourceId: string;
  /** That of its entry. */
  readonly sequence: number;
  readonly amount: number;
}

export interface MoneyRows {
  readonly invoices: readonly MoneyInvoice[];
  readonly entries: readonly MoneyEntry[];
  readonly allocations: readonly MoneyAllocation[];
}

/** The money of some names at the end of a day. */
export interface Balance {
  readonly debits: number;
  readonly credits: number;
  /** By id, without those on which nothing is due, or of which nothing is left. */
  readonly due: ReadonlyMap<string, number>;
  readonly rest: ReadonlyMap<string, number>;
  readonly ageing: Ageing;
}

export const AGES = ['current', 'days1To30', 'days31To60', 'days61To90', 'over90'] as const;

export type Ageing = Readonly<
  Record<'outstanding' | (typeof AGES)[number] | 'unallocated' | 'balance', number>
>;

const DEBITS = new Set(['reversal', 'refund']);
const SOURCES = new Set(['payment', 'creditNote']);
const DAY_MS = 86_400_000;

export class Balances {
  readonly #rows: MoneyRows;
  /** The day from which each entry counts, by sequence. */
  readonly #days: ReadonlyMap<number, string>;

  constructor(rows: MoneyRows) {
    this.#rows = rows;
    this.#days = countingDays(rows);
  }

  /** `lastDay` is null for all that is recorded. Ages count from `day` or another `today`. */
  of(keys: ReadonlySet<string>, lastDay: string | null, today = lastDay ?? ''): Balance {
    const isUpTo = (date: string) => lastDay === null || date <= lastDay;
    const counts = (sequence: number) => isUpTo(this.#days.get(sequence) ?? '');
    const { allocations } = this.#rows;
    const invoices = this.#rows.invoices.filter(({ key, date }) => keys.has(key) && isUpTo(date));
    const entries = this.#rows.entries.filter(({ key }) => keys.has(key));
    const due = new Map(invoices.map(({ id, total }) => [id, total]));
    const rest = new Map<string, number>();
    let [debits, credits] = [sum(invoices.map(({ total }) => total)), 0];
    for (const { id, type, date, amount } of entries)
      if (SOURCES.has(type) && isUpTo(date)) {
        rest.set(id, amount);
        credits += amount;
      }
    for (const { type, sequence, amount, sourceId } of entries)
      if (DEBITS.has(type) && counts(sequence)) {
        take(rest, sourceId ?? '', amount);
        debits += amount;
      }
    for (const { sequence, amount, invoiceId, sourceId } of allocations)
      if (counts(sequence)) {
        take(due, invoiceId, amount);
        take(rest, sourceId, amount);
      }
    const ageing = ageingOf(invoices, due, sum([...rest.values()]), today);
    return { debits, credits, due: withoutZeros(due), rest: withoutZeros(rest), ageing };
  }
}

/** The latest day of each entry and of all entries before it for the same invoices or source. */
function countingDays({ invoices, entries, allocations }: MoneyRows): Map<number, string> {
  const last = new Map(invoices.map(({ id, date }) => [id, date]));
  const invoicesOf = new Map<number, string[]>();
  for (const { sequence, invoiceId } of allocations)
    invoicesOf.set(sequence, [...(invoicesOf.get(sequence) ?? []), invoiceId]);
  const days = new Map<number, string>();
  for (const { id, sequence, date, sourceId, invoiceId } of entries) {
    const concerned = [sourceId ?? id, invoiceId, ...(invoicesOf.get(sequence) ?? [])];
    let day = date;
    for (const each of concerned)
      if (each && (last.get(each) ?? '') > day) day = last.get(each) ?? '';
    for (const each of concerned) if (each) last.set(each, day);
    days.set(sequence, day);
  }
  return days;
}

function ageingOf(
  invoices: readonly MoneyInvoice[],
  due: ReadonlyMap<string, number>,
  unallocated: number,
  today: string,
): Ageing {
  const ages = { current: 0, days1To30: 0, days31To60: 0, days61To90: 0, over90: 0 };
  for (const { id, dueDate } of invoices) {
    const days = dueDate === null ? 0 : (Date.parse(today) - Date.parse(dueDate)) / DAY_MS;
    const age = AGES[days <= 0 ? 0 : Math.min(4, Math.ceil(days / 30))] ?? 'current';
    ages[age] += due.get(id) ?? 0;
  }
  const outstanding = sum(Object.values(ages));
  return { outstanding, ...ages, unallocated, balance: outstanding - unallocated };
}

/** Changes an amount that counts on this day. */
function take(amounts: Map<string, number>, id: string, amount: number): void {
  const before = amounts.get(id);
  if (before !== undefined) amounts.set(id, before - amount);
}

function withoutZeros(amounts: ReadonlyMap<string, number>): Map<string, number> {
  return new Map([...amounts].filter(([, amount]) => amount !== 0));
}

function sum(amounts: readonly number[]): number {
  return amounts.reduce((all, amount) => all + amount, 0);
}
