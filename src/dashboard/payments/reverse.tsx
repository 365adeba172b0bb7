// Reversing a payment that bounced or was recorded by mistake.

import { reversalWrites } from '../../ledger/batch/kinds.js';
import { checkMoneyDate } from '../../ledger/checks/body-checks.js';
import type { Payment } from '../../ledger/entry-json.js';
import type { ReversalPayload } from '../../ledger/payload.js';
import { type ReversalRequest, reversalRequest } from '../../ledger/schema.js';
import { today } from '../../platform/values/days.js';
import { type FormState, newForm } from '../kit/forms/form-state.js';
import type { PageAnswer } from '../kit/page.js';
import { Money, PageHead, Panel } from '../kit/ui/components.js';
import { FormActions } from '../kit/ui/field-groups.js';
import { Field, Form } from '../kit/ui/fields.js';
import { fieldsNamed, ledgerForm } from './ledger-form.js';
import { getPayment } from './payment-view.js';

const REVERSED = 'Payment reversed. Its invoices are due again.';

export const reverseForm = ledgerForm<ReversalRequest, ReversalPayload, Payment>({
  kind: reversalWrites,
  path: '/payments/:id/reverse',
  words: {
    title: 'Reversing the payment',
    subject: 'The reversal',
    done: REVERSED,
    failed: 'The payment was not reversed',
  },
  load: ({ session, params }) => getPayment(session.companyId, params.id),
  initial: ({ session, loaded: { id, status } }) =>
    status === 'reversed'
      ? { to: `/payments/${id}`, flash: 'This payment is reversed already.' }
      : newForm({ date: today(session) }),
  schema: reversalRequest,
  check: (body, { session }) => checkMoneyDate(body, session),
  read: ({ form }) => ({ fields: fieldsNamed(form, ['date', 'reason']) }),
  payload: (body, { loaded: { id } }) => ({ type: 'payment.reverse', paymentId: id, ...body }),
  formPath: ({ paymentId }) => `/payments/${paymentId}/reverse`,
  done: (_, { loaded: { id } }) => ({ to: `/payments/${id}`, flash: REVERSED }),
  page: (state, { loaded }) => reversePage(loaded, state),
});

function reversePage(payment: Payment, state: FormState): PageAnswer {
  const path = `/payments/${payment.id}`;
  const body = (
    <>
      <PageHead title="Reverse payment" note={`From ${payment.customerName}`} />
      <Panel
        title="Reverse"
        note="For a payment that bounced or was recorded by mistake. It can’t be undone."
        class="danger-zone"
        split
      >
        <p>
          The <Money value={payment.amount} /> will no longer count as received.
          {payment.allocations.length > 0 && ' Due again:'}
        </p>
        {payment.allocations.length > 0 && (
          <ul class="plain-list">
            {payment.allocations.map(({ invoiceId, invoiceNumber, amount }) => (
              <li key={invoiceId}>
                <a href={`/invoices/${invoiceId}`}>{invoiceNumber}</a> (<Money value={amount} />)
              </li>
            ))}
          </ul>
        )}
        <Form action={`${path}/reverse`} state={state} label="Reverse">
          <Field name="date" label="Date" type="date" />
          <Field name="reason" label="Reason" hint="For example: returned by the bank." />
          <FormActions submit="Reverse payment" cancel={path} danger />
        </Form>
      </Panel>
    </>
  );
  return { title: 'Reverse payment', body };
}
