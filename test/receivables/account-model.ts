// A model of customers' accounts that knows only the requests and responses of the API: what is due
// and unallocated on any day, by the rules of effective dates.
import { toUnits } from '../../src/platform/values/money.js';
import type { Json } from '../support/client.js';
import type { RandomBooks } from '../support/random-books.js';

/** In ten-thousandths. */
export interface Figures {
  readonly outstanding: bigint;
  readonly ages: readonly bigint[];
  readonly unallocated: bigint;
}

export interface ModelLine {
  readonly date: string;
  readonly type: string;
  readonly id: string;
  readonly debit: bigint;
}

interface Move {
  readonly day: string;
  readonly amount: bigint;
}

/** An invoice, payment or credit note: it has its amount from its date, and moves take from it. */
interface Item {
  readonly id: string;
  readonly customer: string;
  readonly date: string;
  readonly dueDate: string | null;
  readonly isInvoice: boolean;
  readonly amount: bigint;
  readonly moves: Move[];
}

const amountAt = ({ date, amount, moves }: Item, day: string): bigint =>
  date > day
    ? 0n
    : moves.reduce((sum, move) => (move.day <= day ? sum - move.amount : sum), amount);

export class AccountModel {
  /** The lines of each customer in their order. */
  readonly lines = new Map<string, ModelLine[]>();
  readonly #items = new Map<string, Item>();
  readonly #last = new Map<string, string>();
  readonly #given = new Map<string, Map<string, bigint>>();

  /** `customerOf` tells which customer a name belongs to. */
  constructor({ invoices, entries }: RandomBooks, customerOf: (name: string) => string) {
    for (const invoice of invoices) {
      const customer = customerOf(invoice.customerName);
      this.#add(invoice, customer, invoice.total, true);
      this.#addLine(customer, invoice.date, 'invoice', invoice.id, toUnits(invoice.total));
    }
    for (const entry of entries) this.#record(entry, customerOf);
    for (const lines of this.lines.values()) {
      const order = new Map(lines.map((line, index) => [line, index]));
      lines.sort((a, b) => {
        if (a.date !== b.date) return a.date < b.date ? -1 : 1;
        const kind = ({ type }: ModelLine) => (type === 'invoice' ? 0 : 1);
        return kind(a) - kind(b) || (order.get(a) ?? 0) - (order.get(b) ?? 0);
      });
    }
  }

  #add(body: Json, customer: string, amount: number, isInvoice: boolean): void {
    const { id, date, dueDate = null } = body;
    const item = { id, customer, date, dueDate, isInvoice, amount: toUnits(amount), moves: [] };
    this.#items.set(id, item);
    this.#last.set(id, date);
  }

  #addLine(customer: string, date: string, type: string, id: string, debit: bigint): void {
    this.lines.set(customer, [...(this.lines.get(customer) ?? []), { date, type, id, debit }]);
  }

  #record(
    { type, date, sourceId, body }: RandomBooks['entries'][number],
    customerOf: (name: string) => string,
  ): void {
    const customer = customerOf(body.customerName);
    const isSource = type === 'payment' || type === 'creditNote';
    const amount = type === 'creditNote' ? body.total : body.amount;
    if (isSource) {
      this.#add({ id: sourceId, date }, customer, amount, false);
      this.#addLine(customer, date, type, sourceId, -toUnits(amount));
    }
    const changes = type === 'refund' ? [] : this.#changes(sourceId, body.allocations);
    const concerned = [sourceId, ...changes.map(([id]) => id)];
    if (type === 'creditNote') concerned.push(body.invoiceId);
    const day = [date, ...concerned.map(id => this.#last.get(id) ?? '')].reduce((a, b) =>
      a > b ? a : b,
    );
    for (const id of concerned) this.#last.set(id, day);
    for (const [id, change] of changes)
      for (const each of [id, sourceId]) this.#items.get(each)?.moves.push({ day, amount: change });
    if (type !== 'refund' && type !== 'reversal') return;
    this.#items.get(sourceId)?.moves.push({ day, amount: toUnits(amount) });
    this.#addLine(customer, day, type, body.id, toUnits(amount));
  }

  /** The amounts that an entry gave to invoices, from the allocations before and after it. */
  #changes(sourceId: string, after: Json[]): [id: string, amount: bigint][] {
    const before = this.#given.get(sourceId) ?? new Map<string, bigint>();
    const now = new Map(after.map(({ invoiceId, amount }) => [invoiceId, toUnits(amount)]));
    this.#given.set(sourceId, now);
    const ids = [...new Set([...before.keys(), ...now.keys()])];
    return ids
      .map((id): [string, bigint] => [id, (now.get(id) ?? 0n) - (before.get(id) ?? 0n)])
      .filter(([, change]) => change !== 0n);
  }

  #of(customer: string, isInvoice: boolean): Item[] {
    return [...this.#items.values()].filter(
      item => item.customer === customer && item.isInvoice === isInvoice,
    );
  }

  figures(customer: string, day: string, basis: 'dueDate' | 'date' = 'dueDate'): Figures {
    const ages = [0n, 0n, 0n, 0n, 0n];
    let outstanding = 0n;
    for (const item of this.#of(customer, true)) {
      const due = amountAt(item, day);
      outstanding += due;
      const start = basis === 'date' ? item.date : item.dueDate;
      const days = start === null ? 0 : (Date.parse(day) - Date.parse(start)) / 86_400_000;
      const age = days <= 0 ? 0 : days <= 30 ? 1 : days <= 60 ? 2 : days <= 90 ? 3 : 4;
      ages[age] = (ages[age] ?? 0n) + due;
    }
    const unallocated = this.#of(customer, false).reduce(
      (sum, item) => sum + amountAt(item, day),
      0n,
    );
    return { outstanding, ages, unallocated };
  }

  /** The ids of open items with their amounts. */
  openItems(customer: string, day: string): Map<string, bigint> {
    const items = [...this.#of(customer, true), ...this.#of(customer, false)];
    return new Map(
      items
        .map((item): [string, bigint] => [item.id, amountAt(item, day)])
        .filter(([, due]) => due !== 0n),
    );
  }

  balance(customer: string, day: string): bigint {
    return (this.lines.get(customer) ?? []).reduce(
      (sum, { date, debit }) => (date <= day ? sum + debit : sum),
      0n,
    );
  }
}
