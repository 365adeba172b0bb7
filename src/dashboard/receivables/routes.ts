// The pages of receivables.

import type { Cursors } from '../../platform/http/pagination.js';
import { exportReceivables } from '../../receivables/export.js';
import { CUSTOMERS } from '../customers/customer-view.js';
import { filteredName, periodCsvFile } from '../kit/downloads.js';
import { type ContentAnswer, get, type PageRequest, type PageRoute } from '../kit/page.js';
import { RECEIVABLES } from './columns.js';
import { filterOf, readReceivablesFilters, showReceivables } from './page.js';

export function receivablesPages(pager: Cursors): PageRoute[] {
  return [
    get(RECEIVABLES, 'see-sales', request => showReceivables(request, pager), {
      label: 'Receivables',
      area: CUSTOMERS,
    }),
    get(`${RECEIVABLES}/export.csv`, 'see-sales', exportAll),
  ];
}

function exportAll({ session, query }: PageRequest): Promise<ContentAnswer> {
  const filters = readReceivablesFilters(query);
  const days = { from: null, to: filters.to };
  const { basis, ...others } = filters;
  const name = filteredName('receivables', { ...others, basis: basis && 'byInvoiceDate' });
  return periodCsvFile(name, days, session, format =>
    exportReceivables(session.companyId, filterOf(filters), `page ${format}`),
  );
}
