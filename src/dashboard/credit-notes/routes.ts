// The pages of credit notes, and those that credit or void an invoice.
import type { Submitter } from '../../jobs/submit/submitter.js';
import type { Cursors } from '../../platform/http/pagination.js';
import { INVOICES } from '../invoices/routes.js';
import { jobPage } from '../kit/forms/job-page.js';
import { exportList, showList } from '../kit/lists/list-page.js';
import { get, type PageRoute } from '../kit/page.js';
import { explainRefusal } from '../payments/ledger-form.js';
import { allocateForm } from '../payments/money/allocate.js';
import { refundForm } from '../payments/money/refund.js';
import { PAYMENT_FORMS, PAYMENTS } from '../payments/routes.js';
import { CHOOSE_INVOICE, chooseInvoice } from './choose-invoice.js';
import { creditForm } from './credit.js';
import { showCreditNote } from './detail.js';
import { CREDIT_NOTE_LIST } from './list.js';
import { showCreditNotePrint } from './print.js';
import { voidForm } from './void.js';

const FORMS = [creditForm, voidForm, allocateForm('creditNote'), refundForm('creditNote')];

export function creditNotePages(submitter: Submitter, pager: Cursors): PageRoute[] {
  return [
    get('/credit-notes', 'see-sales', request => showList(CREDIT_NOTE_LIST, request, pager), {
      label: 'Credit notes',
      area: INVOICES,
    }),
    get('/credit-notes/export.csv', 'see-sales', request => exportList(CREDIT_NOTE_LIST, request)),
    get(CHOOSE_INVOICE, 'change-sales', chooseInvoice),
    get('/credit-notes/:id', 'see-sales', showCreditNote),
    get('/credit-notes/:id/print', 'see-sales', showCreditNotePrint),
    ...FORMS.flatMap(form => form.routes(submitter)),
    // The ledger's forms share one page for their jobs.
    jobPage({
      forms: [...PAYMENT_FORMS, ...FORMS],
      home: { href: PAYMENTS, text: 'Open the form' },
      explain: explainRefusal,
    }),
  ];
}
