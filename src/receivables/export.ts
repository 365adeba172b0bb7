// Statements and receivables as CSV. Each page is read after the consumer took the previous one, so
// a slow reader holds no transaction open. The balances follow from the lines that were read.
import type { CsvFormat } from '../companies/csv-format.js';
import { BOM, type Cell, csvRecord } from '../inventory/imports/csv.js';
import {
  type ActivityLine,
  type ActivityRange,
  MAX_LINES,
  readActivity,
  readMoreLines,
} from './activity.js';
import { FIGURES } from './ageing.js';
import { type CustomerReceivables, type ReceivablesFilter, readReceivables } from './list.js';
import { type OpenPosition, readOpenItems } from './open-items.js';

/** All rows at once: there are as many as customers with a balance. */
const MAX_ROWS = 1_000_000;

const recordIn = (format: CsvFormat) => (cells: readonly Cell[]) => csvRecord(cells, format);
const number = (text: string | null): Cell => ({ number: text });

/** The lines between a row with the opening balance and one with the closing balance. */
export async function* exportActivity(
  companyId: string,
  keys: readonly string[],
  range: ActivityRange,
  format: CsvFormat = 'comma',
): AsyncGenerator<string> {
  const record = recordIn(format);
  const { from, to } = range;
  const first = await readActivity(companyId, keys, range, MAX_LINES);
  const balanceRow = (date: string, type: string, balance: string) =>
    record([date, type, null, null, null, null, null, null, number(balance)]);
  const head = record([
    ...['date', 'type', 'id', 'number', 'reference', 'dueDate', 'debit', 'credit', 'balance'],
  ]);
  let balance = first.opening;
  yield BOM + head + balanceRow(from, 'opening', balance);
  for (let page: Pick<typeof first, 'entries' | 'next'> = first; ; ) {
    balance = page.entries.at(-1)?.balance ?? balance;
    yield page.entries.map(line => record(lineCells(line))).join('');
    if (!page.next) break;
    page = await readMoreLines(companyId, keys, to, { position: page.next, balance });
  }
  yield balanceRow(to, 'closing', balance);
}

function lineCells({ date, type, id, reference, dueDate, ...line }: ActivityLine): Cell[] {
  return [
    ...[date, type, id, line.number, reference, dueDate],
    ...[line.debit, line.credit, line.balance].map(number),
  ];
}

export async function* exportOpenItems(
  companyId: string,
  keys: readonly string[],
  day: string,
  format: CsvFormat = 'comma',
): AsyncGenerator<string> {
  const record = recordIn(format);
  yield BOM +
    record([
      ...['type', 'id', 'number', 'date', 'dueDate', 'reference', 'total', 'due', 'daysOverdue'],
      'unallocated',
    ]);
  for (let position: OpenPosition | undefined; ; ) {
    const page = await readOpenItems(companyId, keys, day, MAX_LINES, position);
    const invoices = page.invoices.map(({ id, date, dueDate, reference, ...invoice }) =>
      record([
        ...['invoice', id, invoice.number, date, dueDate, reference],
        ...[invoice.total, invoice.due, invoice.daysOverdue?.toString() ?? null].map(number),
        null,
      ]),
    );
    const credits = page.credits.map(({ type, id, date, ...credit }) =>
      record([
        ...[type, id, credit.number, date, null, null, null, null, null],
        number(credit.unallocated),
      ]),
    );
    yield [...invoices, ...credits].join('');
    if (!page.next) return;
    position = page.next;
  }
}

export async function* exportReceivables(
  companyId: string,
  filter: ReceivablesFilter,
  format: CsvFormat = 'comma',
): AsyncGenerator<string> {
  const { customers } = await readReceivables(companyId, filter, MAX_ROWS);
  const record = recordIn(format);
  yield BOM + record(['customerId', 'name', 'creditLimit', 'hold', ...FIGURES]);
  for (let start = 0; start < customers.length; start += MAX_LINES)
    yield customers
      .slice(start, start + MAX_LINES)
      .map(row => record(receivablesCells(row)))
      .join('');
}

function receivablesCells(row: CustomerReceivables): Cell[] {
  const { customerId, name, creditLimit, hold } = row;
  const own = [customerId, name, number(creditLimit), String(hold)];
  return [...own, ...FIGURES.map(figure => number(row[figure]))];
}
