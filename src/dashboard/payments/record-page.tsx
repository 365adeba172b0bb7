// The form that records a payment.
import { v7 as uuidv7 } from 'uuid';
import type { FormState } from '../kit/form.js';
import type { PageAnswer } from '../kit/page.js';
import { KEY_FIELD } from '../kit/submit-write.js';
import { ButtonLink, PageHead } from '../kit/ui/components.js';
import { Button, Field, Form, Hidden, Select, TextArea } from '../kit/ui/fields.js';
import { AllocationFields, type AllocationRow } from './money/allocation-fields.js';
import { readAmount } from './money/amounts.js';
import { METHOD_OPTIONS } from './payment-view.js';

/** `key` is the previous one if sending the form again must not record a second payment. */
export function recordPage(
  state: FormState,
  rows: readonly AllocationRow[],
  key: string = uuidv7(),
): PageAnswer {
  const { values } = state;
  const from = values.get('from');
  const customerName = values.get('customerName') ?? '';
  const body = (
    <>
      <PageHead title="Record a payment" note={`From ${customerName}`} />
      <Form action="/payments/new" state={state} wide focusFirst={from === null}>
        {/* Enter presses the form's first button, which must not be the one that suggests. */}
        <button type="submit" hidden>
          Record payment
        </button>
        <Hidden name={KEY_FIELD} value={key} />
        <Hidden name="customerName" value={customerName} />
        {from !== null && <Hidden name="from" value={from} />}
        <section class="panel payment-head" aria-label="Payment">
          <Field name="amount" label="Amount received" autocomplete="off" decimal />
          <Field name="date" label="Date" type="date" />
          <Select name="method" label="Method" options={METHOD_OPTIONS} optional />
          <Field name="reference" label="Reference" maxLength={100} optional />
          <Details state={state} />
        </section>
        {rows.length === 0 ? (
          <NoInvoices />
        ) : (
          <AllocationFields
            rows={rows}
            state={state}
            money={readAmount(values.get('amount') ?? '')}
            hint={`${from === null ? DUE_FIRST : THIS_FIRST} You can change the amounts.`}
          />
        )}
        <div class="actions">
          <Button>Record payment</Button>
          <ButtonLink href={from === null ? '/payments' : `/invoices/${from}`} quiet>
            Cancel
          </ButtonLink>
        </div>
      </Form>
    </>
  );
  return { title: 'Record a payment', body, scripts: ['payment-form.js'] };
}

const DUE_FIRST = 'The invoice that is due first is paid first.';
const THIS_FIRST = 'This invoice is paid first, then those that are due first.';

function Details({ state: { values, errors } }: { state: FormState }) {
  const isUsed = ['externalId', 'note'].some(name => values.get(name) || errors.has(name));
  return (
    <details class="disclosure payment-more" open={isUsed}>
      <summary>Transaction ID and note</summary>
      <div class="payment-more-fields">
        <Field
          name="externalId"
          label="Transaction ID"
          hint="From the bank. Each can be used once, so no transfer is recorded twice."
          maxLength={100}
          optional
        />
        <TextArea name="note" label="Note" rows={2} optional />
      </div>
    </details>
  );
}

/** Without invoices, all of the money is a rest. */
function NoInvoices() {
  return (
    <p class="message">
      This customer has no open invoices. The payment stays unallocated: you can use it for a later
      invoice or refund it.
    </p>
  );
}
