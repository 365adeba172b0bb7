// GET /invoices. This file is in the ledger because entries change invoices.
import { listEndpoint } from '../../api/endpoint.js';
import { readCurrentPage } from '../../companies/consistent-reads.js';
import { selectedNames } from '../../customers/names/list-filter.js';
import { type InvoiceFilters, invoiceListStatement } from '../../invoices/list.js';
import { type InvoiceQuery, invoiceQuery } from '../../invoices/schema.js';
import { findNewInvoices } from '../../invoices/search/invoice-texts.js';
import { NO_PAGE, type Page } from '../../platform/http/pagination.js';
import type { TextQuery } from '../../search/text-query.js';
import { changedInvoices } from './changes.js';
import { candidates, matchingPage, requestedTexts } from './found.js';
import { LIST_ADVICE, selectionOf } from './selection.js';

export const invoiceListEndpoint = listEndpoint({
  path: '/invoices',
  id: 'listInvoices',
  tag: 'Invoices',
  summary: 'List invoices',
  description: `Newest first: by date, then by creation. ${LIST_ADVICE}`,
  scope: 'invoices:read',
  query: invoiceQuery,
  answer: 'A page of invoices.',
  schema: 'Invoice',
  cursors: 'invoices by id',
  page: ({ companyId }, filter, position) => listInvoices(companyId, filter, position),
});

/** Invoices after `position`, the last page's last id, newest date first, then newest number. */
export async function listInvoices(
  companyId: string,
  filter: InvoiceQuery,
  position: string[] | undefined,
): Promise<Page> {
  const { q, reference, orderReference, updatedSince, limit, ...others } = filter;
  const names = await selectedNames(companyId, filter);
  if (names?.length === 0) return NO_PAGE;
  const texts = await requestedTexts(companyId, filter);
  const { only, condition } = await selectionOf(
    updatedSince === undefined ? null : changedInvoices(companyId, updatedSince),
    texts && (await invoicesWith(companyId, texts.query)),
  );
  if (only?.length === 0) return NO_PAGE;
  const selected: Omit<InvoiceFilters, 'limit'> = {
    ...others,
    ...(only ? { numbers: only } : {}),
    ...(condition ? { condition } : {}),
  };
  const statementAt = (size: number, at: string[] | undefined) =>
    invoiceListStatement(companyId, { ...selected, limit: size }, names, at);
  return texts
    ? matchingPage(companyId, statementAt, texts.matches, limit, position)
    : readCurrentPage<{ id: string }>(companyId, statementAt(limit, position), ({ id }) => [id]);
}

/** The invoices that may have texts: by their number. */
async function invoicesWith(
  companyId: string,
  query: TextQuery,
): Promise<readonly string[] | null> {
  // Before the stored texts are read, because an invoice gets its text at any time.
  return candidates(companyId, 'invoices', query, await findNewInvoices(companyId, query));
}
