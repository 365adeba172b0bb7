// The entries of one invoice by sequence: everything that has changed what is due on it.
import Joi from 'joi';
import { readRows } from '../platform/db/list-reads.js';
import { jsonObject, timeJson } from '../platform/db/sql.js';
import { cursor, pageSize } from '../platform/http/input/validate.js';
import { type Page, pageOfRows, splitPage } from '../platform/http/pagination.js';
import { creditNoteNumberText, hasInvoice } from './queries.js';

/** The page and its limit are large: nearly every invoice has all its entries in one page. */
const MAX_PAGE = 1_000;
/** The newest entries that a page of the dashboard shows. */
const MAX_SHOWN = 200;

export interface InvoiceEntryQuery {
  readonly limit: number;
  readonly cursor?: string;
}

export const invoiceEntryQuery = Joi.object({
  limit: pageSize(MAX_PAGE, MAX_PAGE).description('Entries per page.'),
  cursor: cursor().description(
    'Start of the page, taken from the `Link` header of the previous page.',
  ),
});

interface EntryRow {
  readonly sequence: string;
  readonly body: string;
}

/**
 * Entries after `position`, the last page's last sequence; null if the company has no such invoice.
 * A credit note is one of them even if nothing was due any more.
 */
export async function listInvoiceEntries(
  companyId: string,
  invoiceId: string,
  limit: number,
  [after = '0']: readonly string[] = [],
): Promise<Page | null> {
  const bind = [companyId, invoiceId, limit + 1, after];
  const rows = await readRows<EntryRow>(companyId, entriesSql('ASC'), bind);
  if (rows.length === 0 && !(await hasInvoice(companyId, invoiceId))) return null;
  return pageOfRows(rows, limit, ({ sequence }) => [sequence]);
}

/** The newest entries by sequence as a JSON array, and whether there are earlier ones. */
export async function listNewestInvoiceEntries(
  companyId: string,
  invoiceId: string,
): Promise<{ readonly body: string; readonly isCut: boolean }> {
  const bind = [companyId, invoiceId, MAX_SHOWN + 1, '0'];
  const rows = await readRows<EntryRow>(companyId, entriesSql('DESC'), bind);
  const { page, next } = splitPage(rows, MAX_SHOWN, () => true);
  const bodies = page.reverse().map(({ body }) => body);
  return { body: `[${bodies.join(',')}]`, isCut: next !== null };
}

/** The JSON of an invoice's entry. Reads the entry as e and what it changed as a. */
const entryJson = jsonObject(`
  e.sequence, e.type, e.id,
  ${creditNoteNumberText} AS number,
  e.date::text AS date,
  trim_scale(-COALESCE(a.amount, 0)) AS amount,
  ${timeJson('e.created_at')} AS "createdAt"`);

/** The first $3 entries of invoice $2 after sequence $4, in this order. */
function entriesSql(order: 'ASC' | 'DESC'): string {
  const found = (table: string) => `(
    SELECT sequence
    FROM ${table}
    WHERE company_id = $1 AND invoice_id = $2 AND sequence > $4::bigint
    ORDER BY sequence ${order}
    LIMIT $3
  )`;
  return `
    SELECT e.sequence, ${entryJson}::text AS body
    FROM (
      SELECT sequence
      FROM (${found('allocations')} UNION ${found('entries')}) either
      ORDER BY sequence ${order}
      LIMIT $3
    ) found
    CROSS JOIN LATERAL (
      SELECT *
      FROM entries t
      WHERE t.company_id = $1 AND t.sequence = found.sequence
      LIMIT 1
    ) e
    LEFT JOIN allocations a
      ON a.company_id = $1 AND a.invoice_id = $2 AND a.sequence = found.sequence
    ORDER BY e.sequence ${order}`;
}
