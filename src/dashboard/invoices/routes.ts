// The invoice pages, open to every signed-in user.
import type { Submitter } from '../../jobs/submit/submitter.js';
import type { Pager } from '../../platform/http/pagination.js';
import { suggestLineItems } from '../inventory/suggestions.js';
import { jobPage } from '../kit/forms/job-page.js';
import { exportList, showList } from '../kit/lists/list-page.js';
import { get, type PageRoute } from '../kit/page.js';
import { showInvoice } from './detail.js';
import { deleteDraftForm } from './drafts/delete.js';
import { showDrafts } from './drafts/list.js';
import { invoiceForm } from './form/create.js';
import { INVOICE_LIST } from './list.js';
import { showPrint } from './print.js';

export function invoicePages(submitter: Submitter, pager: Pager): PageRoute[] {
  return [
    get('/invoices', 'signed-in', request => showList(INVOICE_LIST, request, pager), {
      label: 'Invoices',
      icon: 'invoices',
    }),
    ...invoiceForm.routes(submitter),
    get('/invoices/export.csv', 'signed-in', request => exportList(INVOICE_LIST, request)),
    get('/invoices/drafts', 'signed-in', showDrafts),
    ...deleteDraftForm,
    get('/invoices/items', 'signed-in', suggestLineItems),
    jobPage({ forms: [invoiceForm], home: { href: '/invoices/new', text: 'Open in the form' } }),
    get('/invoices/:id', 'signed-in', showInvoice),
    get('/invoices/:id/print', 'signed-in', showPrint),
  ];
}
