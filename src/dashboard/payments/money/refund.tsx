// Refunding the unallocated money of a payment or credit note.

import { refundWrites } from '../../../ledger/batch/kinds.js';
import { checkRefund } from '../../../ledger/checks/body-checks.js';
import type { RefundPayload } from '../../../ledger/payload.js';
import { type RefundRequest, refundRequest } from '../../../ledger/schema.js';
import { today } from '../../../platform/values/days.js';
import { toUnits } from '../../../platform/values/money.js';
import { askAboutDates } from '../../kit/forms/date-question.js';
import { markOf } from '../../kit/forms/field-limits.js';
import { type FormState, newForm } from '../../kit/forms/form-state.js';
import type { PageAnswer } from '../../kit/page.js';
import { Money, PageHead } from '../../kit/ui/components.js';
import { DateField } from '../../kit/ui/date-field.js';
import { FormActions } from '../../kit/ui/field-groups.js';
import { Field, Form, Select, TextArea } from '../../kit/ui/fields.js';
import { formatMoney } from '../../kit/ui/format.js';
import { fieldsNamed, ledgerForm } from '../ledger-form.js';
import { METHOD_OPTIONS } from '../payment-view.js';
import { typedAmount } from './amounts.js';
import {
  type FundsKind,
  type FundsView,
  fundsMember,
  fundsPath,
  getFunds,
  pathOfFunds,
} from './funds.js';

const FIELDS = ['amount', 'date', 'method', 'reference', 'externalId', 'note'];

export const refundForm = (kind: FundsKind) =>
  ledgerForm<RefundRequest, RefundPayload, FundsView>({
    kind: refundWrites,
    path: `${fundsPath(kind, ':id')}/refund`,
    words: {
      title: 'Recording the refund',
      subject: 'The refund',
      done: 'Refund recorded.',
      failed: 'The refund was not recorded',
    },
    load: request => getFunds(kind, request),
    initial: ({ session, loaded: { path, unallocated } }) => {
      if (unallocated === '0') return { to: path, flash: 'Nothing is left to refund.' };
      const amount = typedAmount(toUnits(unallocated), session.currency, markOf(session));
      return newForm({ amount, date: today(session) });
    },
    schema: refundRequest,
    check: (body, { session }) => checkRefund(body, session),
    read: ({ form, session, loaded }) => ({
      fields: fieldsNamed(form, FIELDS, fundsMember(loaded)),
      review: () => askAboutDates(form, today(session), { date: 'money' }),
    }),
    payload: body => ({ type: 'refund.record', ...body }),
    formPath: payload => `${pathOfFunds(payload)}/refund`,
    done: ({ body }, { session: { currency }, loaded: { path } }) => {
      const { amount } = JSON.parse(body) as { amount: number };
      return { to: path, flash: `Refund of ${formatMoney(String(amount), currency)} recorded.` };
    },
    page: (state, { loaded }) => refundPage(loaded, state),
  });

function refundPage(funds: FundsView, state: FormState): PageAnswer {
  const body = (
    <>
      <PageHead title="Record a refund" note={`To ${funds.customerName}`} />
      <section class="panel">
        <p>
          <Money value={funds.unallocated} /> of {funds.name} is unallocated. Record here what you
          have paid back.
        </p>
        <Form action={`${funds.path}/refund`} state={state} label="Refund" deliberate focusFirst>
          <div class="field-pair">
            <Field name="amount" label="Amount" autocomplete="off" />
            <DateField name="date" label="Date" />
          </div>
          <div class="field-pair">
            <Select name="method" label="Method" options={METHOD_OPTIONS} />
            <Field name="reference" label="Reference" hint="Printed on statements." />
          </div>
          <Field
            name="externalId"
            label="Transaction ID"
            hint="From the bank. Each can be used once, so no transfer is recorded twice."
          />
          <TextArea name="note" label="Note" hint="Never printed." rows={2} />
          <FormActions submit="Record refund" cancel={funds.path} />
        </Form>
      </section>
    </>
  );
  return { title: 'Record a refund', body };
}
