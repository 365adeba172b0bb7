// The pages of receivables.

import type { Cursors } from '../../platform/http/pagination.js';
import { exportReceivables } from '../../receivables/export.js';
import { CUSTOMERS } from '../customers/customer-view.js';
import { datedCsvFile } from '../kit/downloads.js';
import { type ContentAnswer, get, type PageRequest, type PageRoute } from '../kit/page.js';
import { filterOf, RECEIVABLES, readReceivablesFilters, showReceivables } from './page.js';

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
  const filter = filterOf(readReceivablesFilters(query));
  return datedCsvFile('receivables', session, format =>
    exportReceivables(session.companyId, filter, format),
  );
}
