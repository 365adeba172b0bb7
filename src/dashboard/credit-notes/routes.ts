// The pages of credit notes, and those that credit or void an invoice; open to every signed-in
// user.
import type { Submitter } from '../../jobs/submit/submitter.js';
import type { Pager } from '../../platform/http/pagination.js';
import { get, type PageRoute, post } from '../kit/page.js';
import { exportEntryList, showEntryList } from '../payments/entry-list.js';
import { PAYMENTS, sourcePages } from '../payments/routes.js';
import { createCredit, showCredit } from './credit.js';
import { showCreditNote } from './detail.js';
import { CREDIT_NOTE_LIST } from './list.js';
import { showCreditNotePrint } from './print.js';
import { showVoid, voidInvoice } from './void.js';

export function creditNotePages(submitter: Submitter, pager: Pager): PageRoute[] {
  return [
    get('/credit-notes', 'signed-in', request => showEntryList(CREDIT_NOTE_LIST, request, pager), {
      label: 'Credit notes',
      area: PAYMENTS,
    }),
    get('/credit-notes/export.csv', 'signed-in', request =>
      exportEntryList(CREDIT_NOTE_LIST, request),
    ),
    get('/credit-notes/:id', 'signed-in', showCreditNote),
    get('/credit-notes/:id/print', 'signed-in', showCreditNotePrint),
    ...sourcePages(submitter, '/credit-notes/:id', 'creditNote'),
    get('/invoices/:id/credit', 'signed-in', showCredit),
    post('/invoices/:id/credit', 'signed-in', request => createCredit(request, submitter)),
    get('/invoices/:id/void', 'signed-in', showVoid),
    post('/invoices/:id/void', 'signed-in', request => voidInvoice(request, submitter)),
  ];
}
