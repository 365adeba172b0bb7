// A company's payments and credit notes as CSV, with the filters of the dashboard's lists.

import type { Actor } from '../companies/actor.js';
import { localTime } from '../companies/local-time.js';
import { bindFrom } from '../invoices/search/conditions.js';
import { readFileRows } from '../platform/db/lists/file-reads.js';
import { BOM, type Cell, type CsvFormat, csvLine } from '../platform/values/csv.js';
import { type EntrySearch, entriesOf, ORDER } from './search/entries.js';
import { foundSequences } from './search/search.js';

/** Entries read per query: bounds memory and the time of a query. */
const PAGE_SIZE = 1_000;

export type ExportedType = 'payment' | 'creditNote';
type Json = Readonly<Record<string, unknown>>;

interface ExportRow {
  readonly sequence: string;
  readonly date: string;
  readonly body: string;
  /** In the company's time zone. */
  readonly createdAt: string;
  readonly createdBy: Actor | null;
}

/** The properties of the JSON that are columns, before the columns of unallocated money. */
const COLUMNS: Readonly<Record<ExportedType, readonly string[]>> = {
  payment: [
    ...['date', 'customerName', 'status', 'currency', 'amount', 'method', 'reference'],
    ...['externalId', 'note'],
  ],
  creditNote: [
    ...['number', 'date', 'invoiceNumber', 'customerName', 'reason', 'currency'],
    ...['subtotal', 'taxTotal', 'total', 'reference', 'note'],
  ],
};
const HEADINGS: Readonly<Record<ExportedType, readonly string[]>> = {
  payment: [
    ...['Date', 'Customer', 'Status', 'Currency', 'Amount', 'Method', 'Reference'],
    ...['Transaction ID', 'Note'],
  ],
  creditNote: [
    ...['Number', 'Date', 'Invoice', 'Customer', 'Reason', 'Currency'],
    ...['Subtotal', 'Tax', 'Total', 'Reference', 'Note'],
  ],
};

/**
 * The file in chunks, in the list's order. Each page is read after the consumer took the previous
 * one, so a slow reader holds no transaction open.
 */
export async function* exportEntries(
  companyId: string,
  type: ExportedType,
  filter: Omit<EntrySearch, 'types'>,
  format: CsvFormat,
): AsyncGenerator<string> {
  const search = { ...filter, types: [type] };
  const columns = COLUMNS[type];
  const usage = ['Applied to', 'Refunded', 'Unallocated', 'Created', 'Created by'];
  yield BOM + csvLine([...HEADINGS[type], ...usage], format);
  const toText = (rows: readonly ExportRow[]) =>
    rows.map(row => csvLine(toCells(row, columns), format)).join('');
  if (search.text !== null) {
    const found = await foundSequences(companyId, search, search.text);
    for (let start = 0; start < found.length; start += PAGE_SIZE)
      yield toText(await readFound(companyId, found.slice(start, start + PAGE_SIZE)));
    return;
  }
  for (let last: ExportRow | undefined; ; ) {
    const rows: ExportRow[] = await readPage(companyId, search, last);
    if (rows.length > 0) yield toText(rows);
    last = rows.at(-1);
    if (rows.length < PAGE_SIZE) return;
  }
}

const ROW = `e.sequence, e.date::text AS date, e.body, e.created_by AS "createdBy",
  ${localTime('e.created_at')} AS "createdAt"`;

/** The entries with these sequences, in the list's order. */
function readFound(companyId: string, sequences: readonly string[]): Promise<ExportRow[]> {
  return readFileRows<ExportRow>(
    companyId,
    `SELECT ${ROW}
     FROM entries e
     WHERE e.company_id = $1 AND e.sequence = ANY($2::bigint[])
     ORDER BY ${ORDER}`,
    [companyId, sequences],
  );
}

/** The entries after the last page's last one. Indexes serve all filters but a text. */
function readPage(
  companyId: string,
  search: EntrySearch,
  last: ExportRow | undefined,
): Promise<ExportRow[]> {
  const [bind, value] = bindFrom(companyId);
  const start = last
    ? [`(e.date, e.sequence) < (${value(last.date)}::date, ${value(last.sequence)}::bigint)`]
    : [];
  return readFileRows<ExportRow>(
    companyId,
    `SELECT ${ROW}
     FROM (${entriesOf(search, null, value, start, `ORDER BY ${ORDER} LIMIT ${PAGE_SIZE}`)}) e
     ORDER BY ${ORDER}`,
    bind,
  );
}

function toCells({ body, createdAt, createdBy }: ExportRow, columns: readonly string[]): Cell[] {
  const entry = JSON.parse(body) as Json;
  const allocations = entry.allocations as readonly { readonly invoiceNumber: string }[];
  return [
    ...columns.map(name => cell(entry[name])),
    allocations.map(({ invoiceNumber }) => invoiceNumber).join(' '),
    cell(entry.refunded),
    cell(entry.unallocated),
    createdAt,
    createdBy?.name ?? null,
  ];
}

/** A number in the JSON is the double nearest to its decimal text, so String restores the text. */
function cell(value: unknown): string | { number: string } | null {
  if (typeof value === 'number') return { number: String(value) };
  return typeof value === 'string' ? value : null;
}
