// Reads entries. Each one's JSON is stored, so a read is a copy of one column.
import { type ListStatement, readCurrentRows } from '../companies/consistent-reads.js';
import { hasOneName, walkOfNames } from '../customers/names/list-filter.js';
import { fullNumberSql } from '../invoices/invoice-json.js';
import { parseInvoiceNumber } from '../invoices/queries.js';
import { plainArray } from '../platform/db/arrays.js';
import { query, queryOne } from '../platform/db/connection.js';
import { lookUpOne, type Walk, walkEnd, walkRows } from '../platform/db/sql.js';
import { matchKey } from '../platform/values/text.js';
import { type EntryQuery, MAX_ENTRIES } from './list-schema.js';

/** SQL for a credit note's full number. Reads the entries row as e. */
export const creditNoteNumberText = fullNumberSql('e');

/** The types of entries that have a list and a JSON of their own. */
export type ListedType = 'payment' | 'refund' | 'creditNote';

/** The JSON text of a payment, refund or credit note; null if the company has no such entry. */
export async function findEntry(
  companyId: string,
  type: ListedType,
  id: string,
): Promise<string | null> {
  const [row] = await readCurrentRows<{ position: string; type: string; body: string }>(
    `SELECT wanted.position, e.type, e.body
     FROM unnest($1::uuid[], $2::uuid[]) WITH ORDINALITY AS wanted (company_id, id, position),
       ${lookUpOne('entries', 'e', 'company_id = wanted.company_id AND id = wanted.id')}`,
    [{ companyId, id }],
  );
  return row?.type === type ? row.body : null;
}

/** The JSON text with which each entry was answered, by its id. */
export async function entryAnswers(
  results: readonly { companyId: string; resultId: string }[],
): Promise<Map<string, string>> {
  const rows = await query<{ id: string; body: string }>(
    `SELECT e.id, COALESCE(e.first_body, e.body) AS body
     FROM unnest($1::uuid[], $2::uuid[]) AS wanted (company_id, id),
       ${lookUpOne('entries', 'e', 'company_id = wanted.company_id AND id = wanted.id')}`,
    [results.map(({ companyId }) => companyId), results.map(({ resultId }) => resultId)],
  );
  return new Map(rows.map(({ id, body }) => [id, body]));
}

/** The filters that a statement checks. The list of ledger/lists finds the sequences. */
export interface EntryConditions extends Omit<EntryQuery, 'q' | 'updatedSince' | 'reference'> {
  /** The sequences of the entries that may be listed, COUNT_LIMIT of them at most. */
  readonly sequences?: readonly string[];
  /** SQL that reads the entry as e. */
  readonly condition?: (value: (bound: unknown) => string) => string;
}

/**
 * The statement of a list page. It reads a bounded number of rows for any filters. `names` are the
 * match keys that the filter selects, of which there is one at least; null for all.
 */
export function entryListStatement(
  companyId: string,
  type: ListedType,
  filter: EntryConditions,
  names: readonly string[] | null,
  position: string[] | undefined,
): ListStatement {
  const bind: unknown[] = [companyId, filter.limit];
  const walk = entryWalk(type, filter, names, position, bind);
  // The inner, constant limit is for the planner, as in the list of invoices.
  const sql = `
    SELECT e.body
    FROM (${walkRows(walk, MAX_ENTRIES + 1)}) e
    ORDER BY ${ORDER}
    LIMIT $2 + 1`;
  // The index of the range has dates and sequences.
  const end = `
    SELECT json_build_array(id)
    FROM entries
    WHERE company_id = $1 AND sequence = (${walkEnd(walk, 'e.sequence')})`;
  const hasEnd = walk.filters.length > 0;
  return { sql, bind, limit: filter.limit, ...(hasEnd ? { walkEnd: end } : {}) };
}

const ORDER = 'e.date DESC, e.sequence DESC';

const ENTRIES = {
  table: 'entries',
  alias: 'e',
  columns: ['date', 'sequence'],
  pageMax: MAX_ENTRIES + 1,
} as const;

/**
 * The entries of a type after a position that meet a filter; $1 is the company. They read the entry
 * as e.
 */
function entryWalk(
  type: ListedType,
  filter: EntryConditions,
  names: readonly string[] | null,
  position: string[] | undefined,
  bind: unknown[],
): Walk {
  const value = (bound: unknown) => `$${bind.push(bound)}`;
  // The type is not a bind value: the partial indexes are chosen by it.
  const range = ['e.company_id = $1', `e.type = '${type}'`];
  if (filter.from !== undefined) range.push(`e.date >= ${value(filter.from)}::date`);
  if (filter.to !== undefined) range.push(`e.date <= ${value(filter.to)}::date`);
  if (position)
    range.push(`(e.date, e.sequence) < (
        SELECT date, sequence
        FROM entries
        WHERE company_id = $1 AND id = ${value(position[0])}::uuid
      )`);
  // The first condition chooses the index.
  const others: string[] = [];
  if (filter.externalId !== undefined) others.push(`e.external_id = ${value(filter.externalId)}`);
  if (filter.invoiceId !== undefined) others.push(OF_INVOICE[type](value(filter.invoiceId)));
  if (filter.number !== undefined) {
    const key = matchKey(filter.number);
    const running = value(parseInvoiceNumber(key).map(({ number }) => number));
    const isNumber = `lower(${creditNoteNumberText}) = ${value(key)}`;
    others.push(`e.number = ANY(${running}::bigint[]) AND ${isNumber}`);
  }
  const isOfNames = names !== null && others.length === 0 && filter.sequences === undefined;
  if (names !== null && !isOfNames) others.push(hasOneName('e', names, value));
  if (filter.unallocated) others.push('e.unallocated > 0');
  if (filter.condition) others.push(filter.condition(value));
  if (isOfNames)
    return walkOfNames(ENTRIES, names, { range, order: ORDER, filters: others }, value);
  if (filter.sequences !== undefined) {
    const wanted = `unnest(${value(plainArray(filter.sequences))}::bigint[])`;
    const from = `(
      SELECT found.*
      FROM ${wanted} AS wanted (sequence),
        ${lookUpOne('entries', 'found', 'company_id = $1 AND sequence = wanted.sequence')}
    ) e`;
    // All of them are read before they are sorted.
    return { from, range: [...range, ...others], order: ORDER, filters: [] };
  }
  const { externalId, invoiceId, number, unallocated } = filter;
  const areFew = externalId !== undefined || invoiceId !== undefined || number !== undefined;
  const isIndexed = areFew || (unallocated === true && type !== 'refund');
  const found = isIndexed ? others.slice(0, 1) : [];
  const filters = others.slice(found.length);
  if (!areFew) return { from: 'entries e', range: [...range, ...found], order: ORDER, filters };
  // All of them are read before they are sorted.
  const from = `(
    SELECT *
    FROM entries e
    WHERE e.company_id = $1 AND e.type = '${type}' AND ${found[0]}
    OFFSET 0
  ) e`;
  return { from, range, order: ORDER, filters };
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
