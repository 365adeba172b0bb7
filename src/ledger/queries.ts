// Reads entries. Each one's JSON is stored, so a read is a copy of one column.
import type { Actor } from '../companies/actor.js';
import {
  type ListStatement,
  readCurrentPage,
  readCurrentRows,
} from '../companies/consistent-reads.js';
import { NUMBER_DIGITS } from '../invoices/invoice-json.js';
import { query, queryOne, type Transaction } from '../platform/db/connection.js';
import { containsPattern, lateral } from '../platform/db/sql.js';
import type { Page } from '../platform/http/pagination.js';
import { matchKey } from '../platform/values/text.js';
import { type EntryQuery, MAX_ENTRIES } from './list-schema.js';

/** SQL for a credit note's full number. Reads the entries row as e. */
export const creditNoteNumberText = `e.number_prefix
  || lpad(e.number::text, greatest(${NUMBER_DIGITS}, length(e.number::text)), '0')`;

/** The types of entries that have a list and a JSON of their own. */
export type ListedType = 'payment' | 'refund' | 'creditNote';

/** The JSON text of a payment, refund or credit note; null if the company has no such entry. */
export async function findEntry(
  companyId: string,
  type: ListedType,
  id: string,
): Promise<string | null> {
  const [row] = await readCurrentRows<{ place: string; type: string; body: string }>(
    `SELECT w.place, e.type, e.body
     FROM unnest($1::uuid[], $2::uuid[]) WITH ORDINALITY AS w (company_id, id, place),
       ${lateral('entries', 'e', 'company_id', 'id')}`,
    [{ companyId, id }],
  );
  return row?.type === type ? row.body : null;
}

/** The JSON text with which each entry was answered, by its id. */
export async function entryAnswers(
  results: readonly { companyId: string; resultId: string }[],
  tx?: Transaction,
): Promise<Map<string, string>> {
  const rows = await query<{ id: string; body: string }>(
    `SELECT e.id, COALESCE(e.first_body, e.body) AS body
     FROM unnest($1::uuid[], $2::uuid[]) AS w (company_id, id),
       ${lateral('entries', 'e', 'company_id', 'id')}`,
    [results.map(({ companyId }) => companyId), results.map(({ resultId }) => resultId)],
    tx,
  );
  return new Map(rows.map(({ id, body }) => [id, body]));
}

/** Filters of a list of entries: those of the API, and that of the dashboard. */
export interface EntryFilter extends EntryQuery {
  /** Part of the customer's name, or a whole number, reference or external id. */
  readonly search?: string;
}

/** Entries after `position`, the last page's last id, newest date first, then newest sequence. */
export function listEntries(
  companyId: string,
  type: ListedType,
  filter: EntryFilter,
  position: string[] | undefined,
): Promise<Page> {
  const statement = listStatement(companyId, type, filter, position);
  return readCurrentPage<{ id: string }>(companyId, statement, ({ id }) => [id]);
}

function listStatement(
  companyId: string,
  type: ListedType,
  filter: EntryFilter,
  position: string[] | undefined,
): ListStatement {
  const bind: unknown[] = [companyId, filter.limit];
  const where = entryConditions(type, filter, bind);
  const add = (condition: (value: string) => string, value: unknown) =>
    where.push(condition(`$${bind.push(value)}`));
  if (position)
    add(
      value => `(e.date, e.sequence) < (
        SELECT date, sequence
        FROM entries
        WHERE company_id = $1 AND id = ${value}::uuid
      )`,
      position[0],
    );
  // The inner, constant limit is for the planner, as in the list of invoices.
  const order = 'ORDER BY e.date DESC, e.sequence DESC';
  const sql = `
    SELECT e.body
    FROM (
      SELECT e.date, e.sequence, e.body
      FROM entries e
      WHERE ${where.join(' AND ')}
      ${order}
      LIMIT ${MAX_ENTRIES + 1}
    ) e
    ${order}
    LIMIT $2 + 1`;
  return { sql, bind, limit: filter.limit };
}

/** The conditions of a filter, a type and the company, $1. They read the entry as e. */
export function entryConditions(
  type: ListedType,
  filter: Omit<EntryFilter, 'limit' | 'cursor'>,
  bind: unknown[],
): string[] {
  // The type is not a bind value: the partial indexes are chosen by it.
  const where = ['e.company_id = $1', `e.type = '${type}'`];
  const add = (condition: (value: string) => string, value: unknown) =>
    where.push(condition(`$${bind.push(value)}`));
  if (filter.from !== undefined) add(value => `e.date >= ${value}::date`, filter.from);
  if (filter.to !== undefined) add(value => `e.date <= ${value}::date`, filter.to);
  if (filter.customerName !== undefined)
    add(value => `e.customer_key = ${value}`, matchKey(filter.customerName));
  if (filter.externalId !== undefined) add(value => `e.external_id = ${value}`, filter.externalId);
  if (filter.unallocated) where.push('e.unallocated > 0');
  if (filter.invoiceId !== undefined) add(OF_INVOICE[type], filter.invoiceId);
  if (filter.search !== undefined) {
    const customer = `$${bind.push(containsPattern(matchKey(filter.search)))}`;
    add(
      value => `(
        e.customer_key LIKE ${customer}
        OR lower(${value}) IN (lower(e.reference), lower(e.external_id),
          lower(${creditNoteNumberText}))
      )`,
      filter.search,
    );
  }
  return where;
}

/** The ids of the entries that gave money to an invoice, even if it was taken back later. */
const sourcesOf = (invoice: string) => `
  SELECT a.source_id
  FROM allocations a
  WHERE a.company_id = $1 AND a.invoice_id = ${invoice}::uuid`;

const OF_INVOICE: Readonly<Record<ListedType, (invoice: string) => string>> = {
  payment: invoice => `e.id IN (${sourcesOf(invoice)})`,
  creditNote: invoice => `e.invoice_id = ${invoice}::uuid`,
  refund: invoice => `e.source_id IN (
    ${sourcesOf(invoice)}
    UNION ALL
    SELECT n.id FROM entries n WHERE n.company_id = $1 AND n.invoice_id = ${invoice}::uuid)`,
};

/** The payment or credit note that an entry is or concerns. */
export interface EntrySource {
  readonly id: string;
  readonly type: ListedType;
  /** The person or key that made the entry. */
  readonly createdBy: Actor | null;
}

/** By the entry's id. */
export async function findEntrySources(
  companyId: string,
  entryIds: readonly string[],
): Promise<Map<string, EntrySource>> {
  const rows = await query<EntrySource & { entryId: string }>(
    `SELECT e.id AS "entryId", s.id, s.type, e.created_by AS "createdBy"
     FROM entries e
     JOIN entries s ON s.company_id = $1 AND s.id = COALESCE(e.source_id, e.id)
     WHERE e.company_id = $1 AND e.id = ANY($2::uuid[])`,
    [companyId, entryIds],
  );
  return new Map(rows.map(({ entryId, ...source }) => [entryId, source]));
}

/** Whether the company has this payment. */
export async function hasPayment(companyId: string, id: string): Promise<boolean> {
  const sql = `SELECT FROM entries WHERE company_id = $1 AND id = $2 AND type = 'payment'`;
  return (await queryOne(sql, [companyId, id])) !== null;
}

/** Whether the company has this invoice. */
export async function hasInvoice(companyId: string, id: string): Promise<boolean> {
  const sql = 'SELECT FROM invoices WHERE company_id = $1 AND id = $2';
  return (await queryOne(sql, [companyId, id])) !== null;
}
