// Recounts the figures that the product derives from documents: totals and top lists of customers
// and items, tax totals and search texts. Pure. Shares no code with the product.
import { units } from '../model/rows.js';
import { fold } from '../model/stock.js';
import type { CreditNote, Documents, Invoice } from './documents.js';

/** A figure's name, with its value as text. */
export type Figures = ReadonlyMap<string, string>;

const TOP = 5;

/** Has the names and values of `readStoredFigures`. */
export function recountFigures(documents: Documents): Figures {
  const totals = recountTotals(documents);
  const figures = new Map<string, string>();
  for (const [name, { count, total }] of totals) figures.set(name, pair(count, total));
  for (const [name, keys] of recountTops(totals)) figures.set(name, keys.join(', '));
  for (const [name, { count, total }] of recountTaxes(documents))
    figures.set(name, pair(count, total));
  for (const [name, { count }] of recountTexts(documents)) figures.set(name, String(count));
  return figures;
}

/** Two quantities or amounts in ten-thousandths. */
export const pair = (first: number, second: number) => `${first / 10_000} and ${second / 10_000}`;

export const nameOf = {
  total: (list: string, month: string, key: string) => `${list} ${month} ${key}`,
  top: (list: string, month: string) => `top ${list} ${month}`,
  tax: (type: string, month: string, category: string, rate: number) =>
    `taxes of ${type} ${month} ${category} ${rate}`,
  text: (kind: string, date: string, amount: number) => `search texts of ${kind} ${date} ${amount}`,
};

/** One sentence per difference. */
export function compareFigures(expected: Figures, stored: Figures): string[] {
  const names = new Set([...expected.keys(), ...stored.keys()]);
  return [...names].flatMap(name => {
    const [recounted, actual] = [expected.get(name), stored.get(name)];
    if (recounted === actual) return [];
    return [`${name}: ${actual ?? 'nothing'}, recounted ${recounted ?? 'nothing'}`];
  });
}

class Sums extends Map<string, { count: number; total: number }> {
  add(name: string, count: number, total: number): void {
    const sum = this.get(name) ?? { count: 0, total: 0 };
    this.set(name, { count: sum.count + count, total: sum.total + total });
  }
}

const monthOf = ({ date }: Pick<Invoice, 'date'>) => `${date.slice(0, 7)}-01`;

function recountTotals({ invoices, creditNotes }: Documents): Sums {
  const sums = new Sums();
  const invoiceOf = new Map(invoices.map(invoice => [invoice.id, invoice]));
  for (const invoice of invoices) {
    const month = monthOf(invoice);
    const customer = nameOf.total('customers', month, fold(invoice.customerName));
    sums.add(customer, units(1), units(invoice.total));
    for (const { qty, amount, ...line } of invoice.items)
      sums.add(nameOf.total('items', month, keyOf(line)), units(qty), units(amount));
  }
  for (const note of creditNotes) {
    const month = monthOf(note);
    const customer = nameOf.total('customers', month, fold(note.customerName));
    sums.add(customer, 0, -units(note.total));
    for (const { line, itemId, qty, amount } of note.items) {
      const name = invoiceOf.get(note.invoiceId)?.items[line - 1]?.name ?? '';
      const item = nameOf.total('items', month, keyOf({ itemId, name }));
      sums.add(item, -units(qty ?? 0), -units(amount));
    }
  }
  return sums;
}

function keyOf({ itemId, name }: { itemId: string | null; name: string }): string {
  return itemId ?? `name:${fold(name)}`;
}

function recountTops(totals: Sums): Map<string, string[]> {
  const lists = new Map<string, { key: string; total: number }[]>();
  for (const [name, { count, total }] of totals) {
    const [, list = '', month = '', key = ''] = /^(\S+) (\S+) (.*)$/u.exec(name) ?? [];
    const top = nameOf.top(list, month);
    const rows = lists.get(top) ?? [];
    lists.set(top, rows);
    if (count > 0 && total > 0) rows.push({ key, total });
  }
  return new Map(
    [...lists].map(([top, rows]) => {
      const sorted = rows.sort((a, b) => b.total - a.total || (a.key < b.key ? -1 : 1));
      return [top, sorted.slice(0, TOP).map(({ key }) => key)];
    }),
  );
}

function recountTaxes({ invoices, creditNotes }: Documents): Sums {
  const sums = new Sums();
  const add = (type: string, document: Invoice | CreditNote) => {
    const { subtotal, taxes } = document;
    const none = { category: 'none', rate: 0, base: subtotal, amount: 0 };
    for (const { category, rate, base, amount } of taxes.length > 0 ? taxes : [none])
      sums.add(nameOf.tax(type, monthOf(document), category, rate), units(base), units(amount));
  };
  for (const invoice of invoices) add('invoice', invoice);
  for (const note of creditNotes) add('creditNote', note);
  return sums;
}

/** How many texts there are for documents of one kind, date and amount. */
function recountTexts({ invoices, creditNotes, payments }: Documents): Sums {
  const sums = new Sums();
  for (const { date, total } of invoices) sums.add(nameOf.text('invoices', date, total), 1, 0);
  for (const { date, total } of creditNotes)
    sums.add(nameOf.text('creditNotes', date, total), 1, 0);
  for (const { date, amount } of payments) sums.add(nameOf.text('payments', date, amount), 1, 0);
  return sums;
}
