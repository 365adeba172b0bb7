// GET /invoices/{id}/entries: the entries that changed the invoice's balance, by sequence.

import { listEndpoint } from '../api/endpoint.js';
import { BY_NUMBER } from '../invoices/schema.js';
import { readRows } from '../platform/db/list-reads.js';
import { jsonObject, lookUpOne, timeJson } from '../platform/db/sql.js';
import { object } from '../platform/http/input/typed-schema.js';
import { cursor, pageSize } from '../platform/http/input/validate.js';
import { type Page, pageOfRows } from '../platform/http/pagination.js';
import { creditNoteNumberText, hasInvoice } from './queries.js';

/** The page is large, so that nearly every invoice has all its entries on one. */
const MAX_PAGE = 1_000;

const invoiceEntryQuery = object({
  limit: pageSize(MAX_PAGE, MAX_PAGE).description('Entries per page.'),
  cursor: cursor(),
});

export const invoiceEntriesEndpoint = listEndpoint({
  path: '/invoices/{id}/entries',
  id: 'listInvoiceEntries',
  tag: 'Credit notes',
  summary: "List an invoice's entries",
  description:
    "Entries that changed the invoice's balance, by sequence, the earliest first. A plain array; " +
    'the `Link` header leads to the next page.',
  scope: 'invoices:read',
  noun: 'invoice',
  search: BY_NUMBER,
  query: invoiceEntryQuery,
  answer: 'A page of entries.',
  schema: 'InvoiceEntry',
  cursors: 'entries',
  page: ({ companyId }, { limit }, position, id) =>
    listInvoiceEntries(companyId, id, limit, position),
});

interface EntryRow {
  readonly sequence: string;
  readonly body: string;
}

/**
 * Entries after `position`, the last page's last sequence; null if the company has no such invoice.
 * Credit notes are included even if they did not change the balance.
 */
export async function listInvoiceEntries(
  companyId: string,
  invoiceId: string,
  limit: number,
  [after = '0']: readonly string[] = [],
): Promise<Page | null> {
  const bind = [companyId, invoiceId, limit + 1, after];
  const rows = await readRows<EntryRow>(companyId, ENTRIES_SQL, bind);
  if (rows.length === 0 && !(await hasInvoice(companyId, invoiceId))) return null;
  return pageOfRows(rows, limit, ({ sequence }) => [sequence]);
}

/** The JSON of an invoice's entry. Reads the entry as e and its allocation as a. */
const entryJson = jsonObject(`
  e.sequence, e.type, e.id,
  ${creditNoteNumberText} AS number,
  e.date::text AS date,
  trim_scale(-COALESCE(a.amount, 0)) AS amount,
  ${timeJson('e.created_at')} AS "createdAt"`);

const found = (table: string) => `(
  SELECT sequence
  FROM ${table}
  WHERE company_id = $1 AND invoice_id = $2 AND sequence > $4::bigint
  ORDER BY sequence
  LIMIT $3
)`;

/** The first $3 entries of invoice $2 after sequence $4. */
const ENTRIES_SQL = `
  SELECT e.sequence, ${entryJson}::text AS body
  FROM (
    SELECT sequence
    FROM (${found('allocations')} UNION ${found('entries')}) either
    ORDER BY sequence
    LIMIT $3
  ) found
  CROSS JOIN ${lookUpOne('entries', 'e', `company_id = $1 AND sequence = found.sequence`)}
  LEFT JOIN allocations a
    ON a.company_id = $1 AND a.invoice_id = $2 AND a.sequence = found.sequence
  ORDER BY e.sequence`;
