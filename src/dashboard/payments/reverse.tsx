// Reversing a payment that bounced or was recorded by mistake.
import { v7 as uuidv7 } from 'uuid';
import type { Submitter } from '../../jobs/submit/submitter.js';
import { reversalWrites } from '../../ledger/batch/kinds.js';
import { type ReversalRequest, reversalRequest } from '../../ledger/schema.js';
import { type FormState, newForm } from '../kit/form.js';
import type { Answer, PageAnswer, PageRequest } from '../kit/page.js';
import { KEY_FIELD } from '../kit/submit-write.js';
import { ButtonLink, Money, PageHead, Panel } from '../kit/ui/components.js';
import { Button, Field, Form, Hidden } from '../kit/ui/fields.js';
import { dayIn } from '../kit/ui/format.js';
import { getPayment, type Payment } from './payment-view.js';
import { fieldsNamed, ledgerAnswer, submitLedgerForm } from './submit.js';

export async function showReverse({ session, params }: PageRequest): Promise<Answer> {
  const payment = await getPayment(session.companyId, params.id);
  if (payment.status === 'reversed')
    return { to: `/payments/${payment.id}`, flash: 'This payment is reversed already.' };
  return reversePage(payment, newForm({ date: dayIn(session.timeZone, new Date()) }));
}

export async function reversePayment(request: PageRequest, submitter: Submitter): Promise<Answer> {
  const payment = await getPayment(request.session.companyId, request.params.id);
  const outcome = await submitLedgerForm<ReversalRequest>(submitter, request, {
    kind: reversalWrites,
    schema: reversalRequest,
    fields: fieldsNamed(request.form, ['date', 'reason']),
    payload: body => ({ type: 'payment.reverse', paymentId: payment.id, ...body }),
  });
  if (!outcome.done)
    return { ...reversePage(payment, outcome.state, outcome.key), ...outcome.answer };
  return ledgerAnswer(outcome.result, () => ({
    to: `/payments/${payment.id}`,
    flash: 'Payment reversed. Its invoices are due again.',
  }));
}

function reversePage(payment: Payment, state: FormState, key: string = uuidv7()): PageAnswer {
  const path = `/payments/${payment.id}`;
  const body = (
    <>
      <PageHead title="Reverse the payment" note={`From ${payment.customerName}`} />
      <Panel
        title="Reverse"
        note="For a payment that bounced or was recorded by mistake. It can’t be undone."
        class="danger-zone"
        split
      >
        <p>
          <Money value={payment.amount} /> no longer counts as received.
          {payment.allocations.length > 0 && ' These invoices are due again:'}
        </p>
        {payment.allocations.length > 0 && (
          <ul class="plain-list">
            {payment.allocations.map(({ invoiceId, invoiceNumber, amount }) => (
              <li key={invoiceId}>
                <a href={`/invoices/${invoiceId}`}>{invoiceNumber}</a> by <Money value={amount} />
              </li>
            ))}
          </ul>
        )}
        <Form action={`${path}/reverse`} state={state} label="Reverse">
          <Hidden name={KEY_FIELD} value={key} />
          <Field name="date" label="Date" type="date" />
          <Field
            name="reason"
            label="Reason"
            hint="For example: returned by the bank."
            maxLength={255}
            optional
          />
          <div class="actions">
            <Button danger>Reverse payment</Button>
            <ButtonLink href={path} quiet>
              Cancel
            </ButtonLink>
          </div>
        </Form>
      </Panel>
    </>
  );
  return { title: 'Reverse the payment', body };
}
