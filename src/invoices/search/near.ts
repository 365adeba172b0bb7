// The page of a text that very many invoices contain: its matches are among the next few hundred
// invoices of the list, whose JSON is read.
import { readRows } from '../../platform/db/list-reads.js';
import type { TextQuery } from '../../search/text-query.js';
import { bindFrom, hasNumber } from './conditions.js';
import { type InvoiceWithBody, isMatch, SEARCHED } from './invoice-texts.js';
import { COLUMNS, orderOf, pageRange } from './rows.js';
import type { InvoiceSearch, ListedInvoice } from './types.js';

/** Reading and folding this many usual invoices takes some 10 ms. */
const NEAR = 600;
/** Invoices with hundreds of lines are large. */
const NEAR_BYTES = 2 * 1024 * 1024;

interface NearRow extends InvoiceWithBody, Omit<ListedInvoice, keyof InvoiceWithBody> {
  /** The full number. `number` is the running one. */
  readonly fullNumber: string;
  readonly isNumber: boolean;
  /** True if the company's list continues after this row. */
  readonly hasMore: boolean;
}

export interface NearRows {
  /** The page's rows, and one more if another page follows. */
  readonly rows: ListedInvoice[];
  /** How many rows from the page's first one on match; null if not all were read. */
  readonly total: number | null;
}

/** Null if the page may have matches beyond the `near` invoices that are read. */
export async function nearRows(
  companyId: string,
  search: InvoiceSearch,
  query: TextQuery,
  isAscending: boolean,
  near = NEAR,
): Promise<NearRows | null> {
  const [bind, value] = bindFrom(companyId);
  const order = orderOf('i', isAscending);
  const rows = await readRows<NearRow>(
    companyId,
    `SELECT ${COLUMNS.replace('AS number', 'AS "fullNumber"')}, ${SEARCHED},
       ${hasNumber(query.text)?.(value) ?? 'false'} AS "isNumber",
       i.count > ${near} OR i.bytes >= ${NEAR_BYTES} AS "hasMore"
     FROM (
       SELECT i.*,
         sum(octet_length(i.body)) OVER (ORDER BY ${order} ROWS UNBOUNDED PRECEDING) AS bytes,
         count(*) OVER () AS count
       FROM (
         SELECT *
         FROM invoices i
         WHERE ${pageRange(search, isAscending, value).join(' AND ')}
         ORDER BY ${order}
         LIMIT ${near + 1}
       ) i
     ) i
     WHERE i.bytes - octet_length(i.body) < ${NEAR_BYTES}
     ORDER BY ${order}`,
    bind,
  );
  const found = rows.filter(row => row.isNumber || isMatch(query, row));
  const hasMore = rows.at(-1)?.hasMore === true;
  if (found.length <= search.limit && hasMore) return null;
  return {
    rows: found.slice(0, search.limit + 1).map(row => ({ ...row, number: row.fullNumber })),
    total: hasMore ? null : found.length,
  };
}
