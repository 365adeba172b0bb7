// The books as the clients' answers make them: what each invoice was paid and credited, what each
// payment and credit note gave and refunded, and which goods came back. Compared with the rows.
// Pure. Amounts are counted in cents, quantities in ten-thousandths.
import type { Entry } from './journal.js';
import type { AllocationBody } from './outcomes.js';

export interface BookRows {
  readonly invoices: readonly InvoiceRow[];
  /** Payments and credit notes. */
  readonly sources: readonly SourceRow[];
  /** By item: what movements put back into stock. */
  readonly returns: readonly { readonly itemId: string; readonly qty: number }[];
}

export interface InvoiceRow {
  readonly id: string;
  readonly total: number;
  readonly paid: number;
  readonly credited: number;
  /** The quantities of its lines. */
  readonly sold: readonly number[];
}

export interface SourceRow {
  readonly id: string;
  readonly amount: number;
  readonly refunded: number;
  readonly unallocated: number;
  readonly reversed: boolean;
}

export interface BookErrors {
  readonly losses: string[];
  readonly duplicates: string[];
  readonly overpaid: string[];
  readonly overReturned: string[];
}

/** A write that was answered with 201. */
export interface Success {
  readonly entry: Pick<Entry, 'key' | 'path' | 'body'>;
  readonly result: Result;
}

interface Result {
  readonly id: string;
  readonly invoiceId?: string;
  readonly allocations?: readonly { readonly invoiceId: string; readonly amount: number }[];
  readonly items?: readonly {
    readonly line: number;
    readonly qty: number | null;
    readonly itemId: string | null;
    readonly restocked: boolean;
  }[];
}

interface Source {
  readonly type: 'paid' | 'credited';
  given: Map<string, number>;
  refunded: number;
  isReversed: boolean;
}

const cents = (amount: number) => Math.round(amount * 100);
const units = (qty: number) => Math.round(qty * 10_000);

/** What the answers add up to. An allocation's body names its amounts. */
export class Books {
  readonly sources = new Map<string, Source>();
  /** Quantities by invoice and line, counted from 1. */
  readonly credited = new Map<string, number>();
  readonly returned = new Map<string, number>();

  constructor(successes: readonly Success[]) {
    // What creates a payment or credit note may have been answered after what uses it.
    for (const success of successes) this.#addSource(success);
    for (const success of successes) this.#addUse(success);
    for (const source of this.sources.values()) if (source.isReversed) source.given = new Map();
  }

  /** What the invoice got from payments or credit notes. */
  settled(type: Source['type']): ReadonlyMap<string, number> {
    const sums = new Map<string, number>();
    for (const source of this.sources.values())
      if (source.type === type)
        for (const [invoiceId, amount] of source.given) add(sums, invoiceId, amount);
    return sums;
  }

  #addSource({ entry: { path }, result }: Success): void {
    const isPayment = path.endsWith('/payments');
    const isNote = path.endsWith('/credit-notes') || path.endsWith('/void');
    if (!isPayment && !isNote) return;
    const given = new Map<string, number>();
    for (const { invoiceId, amount } of result.allocations ?? [])
      add(given, invoiceId, cents(amount));
    const type = isPayment ? 'paid' : 'credited';
    this.sources.set(result.id, { type, given, refunded: 0, isReversed: false });
    if (!isNote) return;
    for (const { line, qty, itemId, restocked } of result.items ?? []) {
      add(this.credited, `${result.invoiceId} ${line}`, units(qty ?? 0));
      if (restocked && itemId) add(this.returned, itemId, units(qty ?? 0));
    }
  }

  #addUse({ entry: { path, body }, result }: Success): void {
    if (path.endsWith('/reversal')) {
      const payment = this.sources.get(result.id);
      if (payment) payment.isReversed = true;
    } else if (path.endsWith('/allocations')) {
      const source = this.sources.get(result.id);
      const { invoices } = body as unknown as AllocationBody;
      for (const { invoiceId, amount } of invoices)
        if (source) add(source.given, invoiceId, cents(amount));
    } else if (path.endsWith('/refunds')) {
      const source = this.sources.get(String(body.paymentId ?? body.creditNoteId));
      if (source) source.refunded += cents(Number(body.amount));
    }
  }
}

/** One sentence per difference. */
export function compareBooks(successes: readonly Success[], rows: BookRows): BookErrors {
  const books = new Books(successes);
  const errors: BookErrors = { losses: [], duplicates: [], overpaid: [], overReturned: [] };
  compareInvoices(books, rows, errors);
  compareSources(books, rows, errors);
  compareReturns(books, rows, errors);
  return errors;
}

function compareInvoices(books: Books, { invoices }: BookRows, errors: BookErrors): void {
  const [paidOf, creditedOf] = [books.settled('paid'), books.settled('credited')];
  for (const { id, total, paid, credited, sold } of invoices) {
    const [expectedPaid, expectedCredited] = [paidOf.get(id) ?? 0, creditedOf.get(id) ?? 0];
    const expected = expectedPaid + expectedCredited;
    const actual = cents(paid) + cents(credited);
    const sentence =
      `invoice ${id} over ${total}: paid ${paid} and credited ${credited}, ` +
      `by its answers ${expectedPaid / 100} and ${expectedCredited / 100}`;
    if (Math.max(expected, actual) > cents(total)) errors.overpaid.push(sentence);
    else if (cents(paid) !== expectedPaid || cents(credited) !== expectedCredited)
      (actual < expected ? errors.losses : errors.duplicates).push(sentence);
    for (const [index, qty] of sold.entries()) {
      const back = books.credited.get(`${id} ${index + 1}`) ?? 0;
      if (back > units(qty))
        errors.overReturned.push(
          `invoice ${id}, line ${index + 1}: sold ${qty}, credited ${back / 10_000}`,
        );
    }
  }
}

function compareSources(books: Books, { sources }: BookRows, errors: BookErrors): void {
  for (const { id, amount, refunded, unallocated, reversed } of sources) {
    const source = books.sources.get(id);
    if (!source) {
      errors.duplicates.push(`payment or credit note ${id}: no answer tells of it`);
      continue;
    }
    const given = [...source.given.values()].reduce((sum, each) => sum + each, 0);
    const sentence =
      `payment or credit note ${id} over ${amount}: refunded ${refunded}, ` +
      `unallocated ${unallocated}${reversed ? ', reversed' : ''}, by its answers ` +
      `gave ${given / 100} and refunded ${source.refunded / 100}`;
    const rest = source.isReversed ? 0 : cents(amount) - given - source.refunded;
    if (rest < 0 || unallocated < 0) errors.overpaid.push(sentence);
    else if (
      cents(refunded) !== source.refunded ||
      cents(unallocated) !== rest ||
      reversed !== source.isReversed
    )
      (cents(unallocated) > rest ? errors.losses : errors.duplicates).push(sentence);
  }
}

function compareReturns(books: Books, { returns }: BookRows, errors: BookErrors): void {
  const movedOf = new Map(returns.map(({ itemId, qty }) => [itemId, units(qty)]));
  for (const itemId of new Set([...movedOf.keys(), ...books.returned.keys()])) {
    const [moved, expected] = [movedOf.get(itemId) ?? 0, books.returned.get(itemId) ?? 0];
    const sentence = `item ${itemId}: ${moved / 10_000} came back, by its answers ${expected / 10_000}`;
    if (moved > expected) errors.overReturned.push(sentence);
    if (moved < expected) errors.losses.push(sentence);
  }
}

function add(sums: Map<string, number>, key: string, amount: number): void {
  sums.set(key, (sums.get(key) ?? 0) + amount);
}
