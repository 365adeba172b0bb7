// The pages of payments, and those that use the money of payments and credit notes; open to every
// signed-in user.
import type { Submitter } from '../../jobs/submit/submitter.js';
import type { Pager } from '../../platform/http/pagination.js';
import { get, type PageRoute, post } from '../kit/page.js';
import { showPayment } from './detail.js';
import { exportEntryList, showEntryList } from './entry-list.js';
import { showLedgerJob } from './job.js';
import { PAYMENT_LIST } from './list.js';
import { allocate, showAllocate } from './money/allocate.js';
import { refund, showRefund } from './money/refund.js';
import type { SourceKind } from './money/source.js';
import { recordPayment, showRecord } from './record.js';
import { reversePayment, showReverse } from './reverse.js';

/** The area of payments and credit notes. */
export const PAYMENTS = '/payments';

export function paymentPages(submitter: Submitter, pager: Pager): PageRoute[] {
  return [
    get(PAYMENTS, 'signed-in', request => showEntryList(PAYMENT_LIST, request, pager), {
      label: 'Payments',
      icon: 'payments',
      tab: 'Payments',
    }),
    get('/payments/new', 'signed-in', showRecord),
    post('/payments/new', 'signed-in', request => recordPayment(request, submitter)),
    get('/payments/export.csv', 'signed-in', request => exportEntryList(PAYMENT_LIST, request)),
    get('/payments/jobs/:id', 'signed-in', showLedgerJob),
    get('/payments/:id', 'signed-in', showPayment),
    get('/payments/:id/reverse', 'signed-in', showReverse),
    post('/payments/:id/reverse', 'signed-in', request => reversePayment(request, submitter)),
    ...sourcePages(submitter, '/payments/:id', 'payment'),
  ];
}

/** The forms that use the money of a payment or credit note. */
export function sourcePages(submitter: Submitter, path: string, kind: SourceKind): PageRoute[] {
  return [
    get(`${path}/allocate`, 'signed-in', request => showAllocate(request, kind)),
    post(`${path}/allocate`, 'signed-in', request => allocate(request, submitter, kind)),
    get(`${path}/refund`, 'signed-in', request => showRefund(request, kind)),
    post(`${path}/refund`, 'signed-in', request => refund(request, submitter, kind)),
  ];
}
