// The invoice pages.
import type { Submitter } from '../../jobs/submit/submitter.js';
import type { Cursors } from '../../platform/http/pagination.js';
import { suggestLineItems } from '../inventory/suggestions.js';
import { jobPage } from '../kit/forms/job-page.js';
import { exportList, exportListLines, showList } from '../kit/lists/list-page.js';
import { get, type PageRoute } from '../kit/page.js';
import { showInvoice } from './detail.js';
import { deleteDraftForm } from './drafts/delete.js';
import { showDrafts } from './drafts/list.js';
import { showProForma } from './drafts/print.js';
import { invoiceForm } from './form/create.js';
import { suggestCustomers } from './form/suggest-customers.js';
import { INVOICE_LIST } from './list.js';
import { showPrint } from './print.js';

/** The area of invoices and credit notes. */
export const INVOICES = '/invoices';

export function invoicePages(submitter: Submitter, pager: Cursors): PageRoute[] {
  return [
    get(INVOICES, 'see-sales', request => showList(INVOICE_LIST, request, pager), {
      label: 'Invoices',
      icon: 'invoices',
      tab: 'Invoices',
    }),
    ...invoiceForm.routes(submitter),
    get('/invoices/export.csv', 'see-sales', request => exportList(INVOICE_LIST, request)),
    get('/invoices/lines.csv', 'see-sales', request => exportListLines(INVOICE_LIST, request)),
    get('/invoices/drafts', 'see-sales', showDrafts),
    get('/invoices/drafts/:id/print', 'see-sales', showProForma),
    ...deleteDraftForm,
    get('/invoices/items', 'change-sales', suggestLineItems),
    get('/invoices/customers', 'change-sales', suggestCustomers),
    jobPage({ forms: [invoiceForm], home: { href: '/invoices/new', text: 'Open in the form' } }),
    get('/invoices/:id', 'see-sales', showInvoice),
    get('/invoices/:id/print', 'see-sales', showPrint),
  ];
}
