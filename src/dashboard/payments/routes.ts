// The pages of payments.
import type { Submitter } from '../../jobs/submit/submitter.js';
import type { Cursors } from '../../platform/http/pagination.js';
import { exportList, showList } from '../kit/lists/list-page.js';
import { get, type PageRoute } from '../kit/page.js';
import { showPayment } from './detail.js';
import { PAYMENT_LIST } from './list.js';
import { allocateForm } from './money/allocate.js';
import { refundForm } from './money/refund.js';
import { recordForm } from './record.js';
import { reverseForm } from './reverse.js';
import { UNALLOCATED_LIST } from './unallocated.js';

export const PAYMENTS = '/payments';

export const PAYMENT_FORMS = [
  recordForm,
  reverseForm,
  allocateForm('payment'),
  refundForm('payment'),
] as const;

export function paymentPages(submitter: Submitter, pager: Cursors): PageRoute[] {
  return [
    get(
      PAYMENTS,
      'see-sales',
      request =>
        request.query.get('unallocated') === '1'
          ? showList(UNALLOCATED_LIST, request, pager)
          : showList(PAYMENT_LIST, request, pager),
      { label: 'Payments', icon: 'payments' },
    ),
    get('/payments/export.csv', 'see-sales', request => exportList(PAYMENT_LIST, request)),
    ...PAYMENT_FORMS.flatMap(form => form.routes(submitter)),
    get('/payments/:id', 'see-sales', showPayment),
  ];
}
