// A company's payments and credit notes as CSV, with the filters of the dashboard's lists.
import type { Actor } from '../companies/actor.js';
import { BOM, csvRecord } from '../inventory/imports/csv.js';
import { query } from '../platform/db/connection.js';
import { type EntryFilter, entryConditions } from './queries.js';

/** Entries read per query: bounds memory, and how long a query keeps a connection. */
const PAGE_SIZE = 1_000;

export type ExportedType = 'payment' | 'creditNote';
type Json = Readonly<Record<string, unknown>>;

interface ExportRow {
  readonly sequence: string;
  readonly date: string;
  readonly body: string;
  readonly createdBy: Actor | null;
}

/** The members of the JSON that are columns, before those of what is left of the money. */
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

/**
 * The file in chunks, in the list's order. Each page is read after the consumer took the previous
 * one, so a slow reader holds no transaction open.
 */
export async function* exportEntries(
  companyId: string,
  type: ExportedType,
  filter: Omit<EntryFilter, 'limit'>,
): AsyncGenerator<string> {
  const columns = COLUMNS[type];
  const header = [...columns, 'invoices', 'refunded', 'unallocated', 'createdAt', 'createdBy'];
  yield BOM + csvRecord(header);
  for (let last: ExportRow | undefined; ; ) {
    const rows: ExportRow[] = await readPage(companyId, type, filter, last);
    if (rows.length > 0) yield rows.map(row => toRecord(row, columns)).join('');
    last = rows.at(-1);
    if (rows.length < PAGE_SIZE) return;
  }
}

function readPage(
  companyId: string,
  type: ExportedType,
  filter: Omit<EntryFilter, 'limit'>,
  last: ExportRow | undefined,
): Promise<ExportRow[]> {
  const bind: unknown[] = [companyId];
  const where = entryConditions(type, filter, bind);
  if (last) {
    const place = [bind.push(last.date), bind.push(last.sequence)];
    where.push(`(e.date, e.sequence) < ($${place[0]}::date, $${place[1]}::bigint)`);
  }
  return query<ExportRow>(
    `SELECT e.sequence, e.date::text AS date, e.body, e.created_by AS "createdBy"
     FROM entries e
     WHERE ${where.join(' AND ')}
     ORDER BY e.date DESC, e.sequence DESC
     LIMIT ${PAGE_SIZE}`,
    bind,
  );
}

function toRecord({ body, createdBy }: ExportRow, columns: readonly string[]): string {
  const entry = JSON.parse(body) as Json;
  const allocations = entry.allocations as readonly { readonly invoiceNumber: string }[];
  return csvRecord([
    ...columns.map(name => cell(entry[name])),
    allocations.map(({ invoiceNumber }) => invoiceNumber).join(' '),
    cell(entry.refunded),
    cell(entry.unallocated),
    cell(entry.createdAt),
    createdBy?.name ?? null,
  ]);
}

/** A number of the JSON is the double nearest to its decimal text, which String gives back. */
function cell(value: unknown): string | { number: string } | null {
  if (typeof value === 'number') return { number: String(value) };
  return typeof value === 'string' ? value : null;
}
