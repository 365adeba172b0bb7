// The invoice pages, open to every signed-in user.
import type { Submitter } from '../../jobs/submit/submitter.js';
import { BODY_LIMIT_BYTES } from '../../platform/http/input/body.js';
import { get, type PageRoute, post } from '../kit/page.js';
import { showInvoice } from './detail.js';
import { createInvoice, showNewInvoice, suggestLineItems } from './form/create.js';
import { showInvoiceJob } from './job.js';
import { exportList, showInvoices } from './list.js';
import { showPrint } from './print.js';

export function invoicePages(submitter: Submitter): PageRoute[] {
  return [
    get('/invoices', 'signed-in', showInvoices, { label: 'Invoices', icon: 'invoices' }),
    get('/invoices/new', 'signed-in', showNewInvoice),
    // 250 lines with names in any script exceed the limit of other forms.
    post(
      '/invoices/new',
      'signed-in',
      request => createInvoice(request, submitter),
      BODY_LIMIT_BYTES,
    ),
    get('/invoices/export.csv', 'signed-in', exportList),
    get('/invoices/items', 'signed-in', suggestLineItems),
    get('/invoices/jobs/:id', 'signed-in', showInvoiceJob),
    get('/invoices/:id', 'signed-in', showInvoice),
    get('/invoices/:id/print', 'signed-in', showPrint),
  ];
}
