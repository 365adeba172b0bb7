// Recording a payment: first the customer, unless an invoice names it, then the amount and the
// invoices that it pays.

import { paymentWrites } from '../../ledger/batch/kinds.js';
import { checkPayment } from '../../ledger/checks/body-checks.js';
import type { Payment } from '../../ledger/entry-json.js';
import { listEntries } from '../../ledger/lists/entries.js';
import { findInvoiceId, listOpenInvoices } from '../../ledger/open-invoices.js';
import type { PaymentPayload } from '../../ledger/payload.js';
import { type PaymentRequest, paymentRequest } from '../../ledger/schema.js';
import { type FieldError, notFound } from '../../platform/errors.js';
import { fieldError } from '../../platform/field-errors.js';
import type { FormFields } from '../../platform/http/input/form-fields.js';
import { today } from '../../platform/values/days.js';
import { isUuid } from '../../platform/values/ids.js';
import { toUnits } from '../../platform/values/money.js';
import { searchText } from '../../platform/values/search-text.js';
import type { Session } from '../../users/sessions.js';
import { meantName, readTypedCustomer, type TypedCustomer } from '../customers/typed-customer.js';
import { getInvoice } from '../invoices/invoice-view.js';
import { parseDecimalJson } from '../kit/decimal-json.js';
import { askAboutDates } from '../kit/forms/date-question.js';
import { markOf, moneyStyleOf } from '../kit/forms/field-limits.js';
import { type FormState, newForm } from '../kit/forms/form-state.js';
import type { WriteResult } from '../kit/forms/submit-write.js';
import type { Answer, PageAnswer, PageRequest, RedirectAnswer } from '../kit/page.js';
import { PageHead } from '../kit/ui/components.js';
import { DateField } from '../kit/ui/date-field.js';
import { FormActions } from '../kit/ui/field-groups.js';
import { Field, Form, Hidden, Select, TextArea } from '../kit/ui/fields.js';
import { formatMoney } from '../kit/ui/format.js';
import { choosePayerPage, payerPath } from './choose-payer.js';
import { fieldsNamed, ledgerForm } from './ledger-form.js';
import {
  AllocationFields,
  type AllocationRow,
  addAmounts,
  amountField,
  reviewRemainder,
  SUGGEST,
  type TypedAmount,
  typedAmounts,
  withSuggestions,
} from './money/allocation-fields.js';
import { readAmount, typedAmount } from './money/amounts.js';
import { METHOD_OPTIONS } from './payment-view.js';

const FIELDS = ['amount', 'date', 'customerName', 'method', 'reference', 'externalId', 'note'];

export const recordForm = ledgerForm<PaymentRequest, PaymentPayload>({
  kind: paymentWrites,
  path: '/payments/new',
  words: {
    title: 'Recording the payment',
    subject: 'The payment',
    done: 'Payment recorded.',
    failed: 'The payment was not recorded',
  },
  initial: startRecord,
  press: request => (request.form.get('do') === SUGGEST ? suggest(request) : null),
  schema: paymentRequest,
  check: (body, { session }) => checkPayment(body, session),
  read: async ({ form, session }) => {
    const fields = fieldsNamed(form, FIELDS);
    const typed = form.get('customerName') ?? '';
    fields.set('customerName', await meantName(session.companyId, typed));
    // An invoice with an amount of 0 gets nothing, so the request leaves it out.
    const amounts = typedAmounts(form).filter(
      ({ text }) => readAmount(text, moneyStyleOf(session)) !== 0n,
    );
    return {
      fields,
      at: addAmounts(fields, amounts),
      find: () => findRefused(session, fields, amounts),
      review: ({ amount }) => {
        askAboutDates(form, today(session), { date: 'money' });
        reviewRemainder(form, toUnits(amount), session);
      },
    };
  },
  payload: body => ({ type: 'payment.record', ...body }),
  formPath: ({ customerName: customer }) =>
    customer === undefined ? '/payments/new' : `/payments/new?${new URLSearchParams({ customer })}`,
  done: recordedAnswer,
  page: async (state, { session }) => {
    const { companyId } = session;
    const payer = await readTypedCustomer(companyId, state.values.get('customerName'));
    const money = readAmount(state.values.get('amount') ?? '', moneyStyleOf(session));
    return recordPage(state, { rows: await rowsOf(companyId, state.values), money }, payer);
  },
});

/**
 * The errors of a transaction ID that is recorded, and of amounts above what is due. The ledger
 * refuses them as well, but after the form's other errors.
 */
async function findRefused(
  session: Session,
  fields: FormFields,
  amounts: readonly TypedAmount[],
): Promise<FieldError[]> {
  const { companyId } = session;
  const [isRepeated, rows] = await Promise.all([
    isRecorded(companyId, (fields.get('externalId') ?? '').trim()),
    amounts.length === 0 ? [] : rowsOf(companyId, fields),
  ]);
  const dues = new Map(rows.map(({ id, due }) => [id, due]));
  const tooMuch = amounts.flatMap(({ invoiceId, text }, index) => {
    const [due, amount] = [dues.get(invoiceId), readAmount(text, moneyStyleOf(session))];
    if (due === undefined || amount === null || amount <= toUnits(due)) return [];
    const error = fieldError(['invoices', index, 'amount'], 'amount_exceeds_due');
    return [{ ...error, available: Number(due) }];
  });
  return isRepeated ? [fieldError(['externalId'], 'already_exists'), ...tooMuch] : tooMuch;
}

async function isRecorded(companyId: string, externalId: string): Promise<boolean> {
  if (externalId === '') return false;
  const { body } = await listEntries(companyId, 'payment', { limit: 1, externalId }, undefined);
  return parseDecimalJson<Payment[]>(body).length > 0;
}

/** The form for ?invoice= or ?customer=; without either, the customers to choose from. */
async function startRecord({ session, query }: PageRequest): Promise<FormState | Answer> {
  const { companyId, currency } = session;
  const mark = markOf(session);
  const date = today(session);
  const invoiceId = query.get('invoice');
  if (invoiceId !== null) {
    const { id, customerName, amountDue } = await getInvoice(companyId, invoiceId);
    if (amountDue === '0') return { to: `/invoices/${id}`, flash: 'Already paid.' };
    const amount = typedAmount(toUnits(amountDue), currency, mark);
    return newForm({ customerName, amount, date, from: id, [amountField(id)]: amount });
  }
  const customerName = await meantName(companyId, query.get('customer') ?? '');
  if (customerName !== '') return newForm({ customerName, date });
  const text = searchText(query.get('q'));
  const found = text === '' ? null : await findInvoiceId(companyId, text);
  return found === null
    ? choosePayerPage(companyId, text)
    : { to: `/payments/new?invoice=${found}` };
}

/** Leads to the invoice that the form was opened from, else to the payment. */
function recordedAnswer(
  { resultId, body }: WriteResult,
  { session: { currency }, form }: PageRequest,
): RedirectAnswer {
  const { amount, customerName } = JSON.parse(body) as { amount: number; customerName: string };
  const from = form.get('from') ?? '';
  const money = formatMoney(String(amount), currency);
  const flash = `Payment of ${money} from ${customerName} recorded.`;
  return { to: isUuid(from) ? `/invoices/${from}` : `/payments/${resultId}`, flash };
}

/** The form with the amount spread over the invoices. Needs no script. */
async function suggest({ session, form }: PageRequest): Promise<FormState> {
  const money = readAmount(form.get('amount') ?? '', moneyStyleOf(session)) ?? 0n;
  const rows = await rowsOf(session.companyId, form);
  return newForm(withSuggestions(form, money, rows, session));
}

/** The customer's open invoices. The one that the form was opened from comes first. */
async function rowsOf(companyId: string, values: FormFields): Promise<AllocationRow[]> {
  const from = values.get('from') ?? '';
  const customerName = values.get('customerName') ?? '';
  if (customerName === '') throw notFound('customer');
  const open = await listOpenInvoices(companyId, customerName, isUuid(from) ? [from] : []);
  return open.map(invoice => ({ ...invoice, allocated: '0' }));
}

interface PaidInvoices {
  readonly rows: readonly AllocationRow[];
  /** The amount received; null while it is not a number. */
  readonly money: bigint | null;
}

function recordPage(
  state: FormState,
  { rows, money }: PaidInvoices,
  payer: TypedCustomer | null,
): PageAnswer {
  const { values } = state;
  const from = values.get('from');
  const customerName = values.get('customerName') ?? '';
  const body = (
    <>
      <PageHead title="Record a payment" note={`From ${customerName}`} />
      {payer?.kind === 'new' && <NewPayer near={payer.near} />}
      <Form action="/payments/new" state={state} deliberate focusFirst={from === null} wide>
        <Hidden name="customerName" value={customerName} />
        {from !== null && <Hidden name="from" value={from} />}
        <section class="panel payment-head" aria-label="Payment">
          <Field name="amount" label="Amount received" autocomplete="off" />
          <DateField name="date" label="Date" />
          <Select name="method" label="Method" options={METHOD_OPTIONS} />
          <Field name="reference" label="Reference" hint="Printed on statements." />
          <Details state={state} />
        </section>
        {rows.length === 0 ? (
          <NoInvoices />
        ) : (
          <AllocationFields
            rows={rows}
            state={state}
            money={money}
            hint={`${from === null ? DUE_FIRST : THIS_FIRST} You can change the amounts.`}
          />
        )}
        <FormActions
          submit="Record payment"
          cancel={from === null ? '/payments' : `/invoices/${from}`}
        />
      </Form>
    </>
  );
  return { title: 'Record a payment', body, scripts: ['payment-form.js'] };
}

/** Says that the name is no customer's, and offers the names that it may be a typing error of. */
function NewPayer({ near }: { near: readonly string[] }) {
  return (
    <p class="message warn">
      New name: no customer and no invoice has it.
      {near.length > 0 && ' Did you mean'}
      {near.map(name => (
        <>
          {' '}
          <a key={name} href={payerPath(name)}>
            {name}
          </a>
        </>
      ))}
      {near.length > 0 && '?'}
    </p>
  );
}

const DUE_FIRST = 'Oldest due first.';
const THIS_FIRST = 'Applied to this invoice first, then to the oldest due.';

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
        />
        <TextArea name="note" label="Note" hint="Never printed." rows={2} />
      </div>
    </details>
  );
}

/** For a customer without open invoices, whose whole payment stays unallocated. */
function NoInvoices() {
  return (
    <p class="message">
      This customer has no open invoices. The payment stays unallocated: you can use it for a later
      invoice or refund it.
    </p>
  );
}
