// A company's payments and credit notes as CSV, with the filters of the dashboard's lists.

import type { Actor } from '../companies/actor.js';
import type { CsvFormat } from '../companies/csv-format.js';
import { BOM, type Cell, csvRecord } from '../inventory/imports/csv.js';
import { readRows } from '../platform/db/list-reads.js';
import { type EntryFilter, entryWalk } from './queries.js';

/** Entries read per query, matching or not: bounds memory and the time of a query. */
const PAGE_SIZE = 1_000;

export type ExportedType = 'payment' | 'creditNote';
type Json = Readonly<Record<string, unknown>>;

interface ExportRow {
  readonly sequence: string;
  readonly date: string;
  readonly body: string;
  readonly createdBy: Actor | null;
  /** Its position on the page, from 1. */
  readonly place: number;
  readonly isMatch: boolean;
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
  filter: Omit<EntryFilter, 'limit'>,
  format: CsvFormat,
): AsyncGenerator<string> {
  const columns = COLUMNS[type];
  const usage = ['Applied to', 'Refunded', 'Unallocated', 'Created', 'Created by'];
  yield BOM + csvRecord([...HEADINGS[type], ...usage], format);
  for (let last: ExportRow | undefined; ; ) {
    const rows: ExportRow[] = await readPage(companyId, type, filter, last);
    const matches = rows.filter(({ isMatch }) => isMatch);
    const records = matches.map(row => csvRecord(toCells(row, columns), format));
    if (records.length > 0) yield records.join('');
    last = rows.at(-1);
    if (last?.place !== PAGE_SIZE) return;
  }
}

/** The page's matching entries, and its last entry, after which the next page begins. */
function readPage(
  companyId: string,
  type: ExportedType,
  filter: Omit<EntryFilter, 'limit'>,
  last: ExportRow | undefined,
): Promise<ExportRow[]> {
  const bind: unknown[] = [companyId];
  const { from, range, order, filters } = entryWalk(type, filter, bind);
  const value = (bound: unknown) => `$${bind.push(bound)}`;
  const start = last
    ? [`(e.date, e.sequence) < (${value(last.date)}::date, ${value(last.sequence)}::bigint)`]
    : [];
  return readRows<ExportRow>(
    companyId,
    `SELECT *
     FROM (
       SELECT e.sequence, e.date::text AS date, e.body, e.created_by AS "createdBy",
         row_number() OVER (ORDER BY ${order})::int AS place,
         ${filters.length === 0 ? 'true' : filters.join(' AND ')} AS "isMatch"
       FROM ${from}
       WHERE ${[...range, ...start].join(' AND ')}
       ORDER BY ${order}
       LIMIT ${PAGE_SIZE}
     ) page
     WHERE "isMatch" OR place = ${PAGE_SIZE}
     ORDER BY place`,
    bind,
  );
}

function toCells({ body, createdBy }: ExportRow, columns: readonly string[]): Cell[] {
  const entry = JSON.parse(body) as Json;
  const allocations = entry.allocations as readonly { readonly invoiceNumber: string }[];
  return [
    ...columns.map(name => cell(entry[name])),
    allocations.map(({ invoiceNumber }) => invoiceNumber).join(' '),
    cell(entry.refunded),
    cell(entry.unallocated),
    cell(entry.createdAt),
    createdBy?.name ?? null,
  ];
}

/** A number in the JSON is the double nearest to its decimal text, so String restores the text. */
function cell(value: unknown): string | { number: string } | null {
  if (typeof value === 'number') return { number: String(value) };
  return typeof value === 'string' ? value : null;
}
