// A company's invoices as CSV, one row per invoice, with the filters of the dashboard's list.

import type { Actor } from '../companies/actor.js';
import { localTime } from '../companies/local-time.js';
import { readFileRows } from '../platform/db/lists/file-reads.js';
import { BOM, type Cell, type CsvFormat, csvLine } from '../platform/values/csv.js';
import { numberText } from './queries.js';
import { filterRange, stateOf } from './search/conditions.js';
import { foundNumbers } from './search/found.js';
import type { InvoiceFilter } from './search/types.js';

/**
 * Invoices read per query, matching or not. Bounds memory, however many invoices a company has, and
 * the time for which a query keeps a connection.
 */
const PAGE_SIZE = 2_000;
const HEADER = [
  ...['Number', 'Date', 'Customer', 'Reference', 'Status', 'Currency', 'Total'],
  ...['Created', 'Created by', 'Due date', 'Paid', 'Credited', 'Due'],
  ...['Subtotal', 'Tax', 'Order number', 'Settled on'],
];

interface ExportRow {
  readonly date: string;
  readonly running: string;
  /** Its position on the page, from 1. */
  readonly position: number;
  readonly isMatch: boolean;
  readonly number: string;
  readonly customerName: string;
  readonly reference: string | null;
  readonly status: string;
  readonly currency: string;
  readonly total: string;
  readonly createdAt: string;
  readonly createdBy: Actor | null;
  readonly dueDate: string | null;
  readonly paid: string;
  readonly credited: string;
  readonly due: string;
  readonly subtotal: string;
  readonly taxTotal: string;
  readonly orderReference: string | null;
  readonly settledOn: string | null;
}

/**
 * The file in chunks, newest invoices first. Each page is read after the consumer took the previous
 * one, so a slow reader holds no transaction open. The date and number of an invoice never change
 * and pages follow the list's order, so each one that exists at the start is there once.
 */
export async function* exportInvoices(
  companyId: string,
  filter: InvoiceFilter,
  format: CsvFormat,
): AsyncGenerator<string> {
  yield BOM + csvLine(HEADER, format);
  if (filter.text === null) return yield* readPages(companyId, filter, null, format);
  const found = await foundNumbers(companyId, filter, filter.text);
  for (let start = 0; start < found.length; start += PAGE_SIZE) {
    yield* readPages(companyId, filter, found.slice(start, start + PAGE_SIZE), format);
  }
}

/** The records of the invoices with these numbers, or of all that the filter selects. */
async function* readPages(
  companyId: string,
  filter: InvoiceFilter,
  numbers: readonly string[] | null,
  format: CsvFormat,
): AsyncGenerator<string> {
  for (let last: ExportRow | undefined; ; ) {
    const rows: ExportRow[] = await readPage(companyId, filter, numbers, last);
    const matches = rows.filter(({ isMatch }) => isMatch);
    const records = matches.map(row => csvLine(toCells(row), format));
    if (records.length > 0) yield records.join('');
    last = rows.at(-1);
    if (last?.position !== PAGE_SIZE) return;
  }
}

/** The page's matching invoices, and its last invoice, after which the next page begins. */
function readPage(
  companyId: string,
  filter: InvoiceFilter,
  numbers: readonly string[] | null,
  last: ExportRow | undefined,
): Promise<ExportRow[]> {
  const bind: unknown[] = [companyId];
  const value = (bound: unknown) => `$${bind.push(bound)}`;
  const range = filterRange(filter, value);
  if (last)
    range.push(`(i.date, i.number) < (${value(last.date)}::date, ${value(last.running)}::bigint)`);
  if (numbers) range.push(`i.number = ANY(${value(numbers)}::bigint[])`);
  return readFileRows<ExportRow>(
    companyId,
    `SELECT *
     FROM (
       SELECT i.date, i.number AS running,
         row_number() OVER (ORDER BY i.date DESC, i.number DESC)::int AS position,
         ${stateOf(filter).join(' AND ') || 'true'} AS "isMatch",
         ${numberText} AS number,
         i.customer_name AS "customerName",
         i.reference, i.status,
         trim(i.currency) AS currency,
         trim_scale(i.total)::text AS total,
         ${localTime('i.created_at')} AS "createdAt",
         i.created_by AS "createdBy",
         i.due_date::text AS "dueDate",
         trim_scale(i.paid)::text AS paid,
         trim_scale(i.credited)::text AS credited,
         trim_scale(i.total - i.paid - i.credited)::text AS due,
         json.subtotal, json."taxTotal", json."orderReference",
         i.settled_on::text AS "settledOn"
       FROM (
         -- First, because Postgres may sort all invoices, and need not parse their JSON for that.
         SELECT *
         FROM invoices i
         WHERE ${range.join(' AND ')}
         ORDER BY i.date DESC, i.number DESC
         LIMIT ${PAGE_SIZE}
       ) i,
         json_to_record(i.body::json) AS json (
           subtotal text, "taxTotal" text, "orderReference" text
         )
     ) page
     WHERE "isMatch" OR position = ${PAGE_SIZE}
     ORDER BY position`,
    bind,
  );
}

function toCells(row: ExportRow): Cell[] {
  const { number, date, customerName, reference, status, currency } = row;
  return [
    ...[number, date, customerName, reference, status, currency],
    { number: row.total },
    row.createdAt,
    row.createdBy?.name ?? null,
    row.dueDate,
    ...[row.paid, row.credited, row.due, row.subtotal, row.taxTotal].map(number => ({ number })),
    row.orderReference,
    row.settledOn,
  ];
}
