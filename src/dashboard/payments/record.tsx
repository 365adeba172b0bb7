// Recording a payment: first the customer, unless an invoice names it, then the amount and the
// invoices that it pays.

import type { Submitter } from '../../jobs/submit/submitter.js';
import { paymentWrites } from '../../ledger/batch/kinds.js';
import { checkPayment } from '../../ledger/body-checks.js';
import { findInvoiceId, listOpenInvoices } from '../../ledger/open-invoices.js';
import { type PaymentRequest, paymentRequest } from '../../ledger/schema.js';
import { Problem } from '../../platform/errors.js';
import type { FormFields } from '../../platform/http/input/form-fields.js';
import { isUuid } from '../../platform/values/ids.js';
import { toUnits } from '../../platform/values/money.js';
import { cleanText } from '../../platform/values/text.js';
import { getInvoice } from '../invoices/invoice-view.js';
import { type FormState, newForm } from '../kit/form.js';
import type { Answer, PageAnswer, PageRequest, RedirectAnswer } from '../kit/page.js';
import { dayIn, formatMoney } from '../kit/ui/format.js';
import { choosePayerPage } from './choose-payer.js';
import {
  type AllocationRow,
  addAmounts,
  amountField,
  restOfForm,
  reviewRest,
  SUGGEST,
  typedAmounts,
  withSuggestions,
} from './money/allocation-fields.js';
import { readAmount, typedAmount } from './money/amounts.js';
import { recordPage } from './record-page.js';
import { fieldsNamed, ledgerAnswer, submitLedgerForm } from './submit.js';

/** The longest name of a customer. */
const MAX_TEXT = 255;
const FIELDS = ['amount', 'date', 'customerName', 'method', 'reference', 'externalId', 'note'];

/** With ?invoice= or ?customer= the form, otherwise the customers to choose from. */
export async function showRecord({ session, query }: PageRequest): Promise<Answer> {
  const { companyId, currency, timeZone } = session;
  const today = dayIn(timeZone, new Date());
  const [invoiceId, customer] = [query.get('invoice'), query.get('customer')];
  if (invoiceId !== null) {
    const { id, customerName, amountDue } = await getInvoice(companyId, invoiceId);
    if (amountDue === '0') return { to: `/invoices/${id}`, flash: 'Nothing is due any more.' };
    const amount = typedAmount(toUnits(amountDue), currency);
    const state = newForm({
      customerName,
      amount,
      date: today,
      from: id,
      [amountField(id)]: amount,
    });
    return formPage(companyId, state);
  }
  const name = [...cleanText(customer ?? '')].slice(0, MAX_TEXT).join('');
  if (name !== '') return formPage(companyId, newForm({ customerName: name, date: today }));
  const text = [...cleanText(query.get('q') ?? '')].slice(0, MAX_TEXT).join('');
  const found = text === '' ? null : await findInvoiceId(companyId, text);
  return found === null
    ? choosePayerPage(companyId, text)
    : { to: `/payments/new?invoice=${found}` };
}

/** Leads to the invoice that the form was opened from, else to the payment. */
export async function recordPayment(request: PageRequest, submitter: Submitter): Promise<Answer> {
  const { session, form } = request;
  const { companyId, currency } = session;
  if (form.get('do') === SUGGEST) return suggest(request);
  // An amount of 0 is an invoice that gets nothing.
  const typed = typedAmounts(form).filter(({ text }) => readAmount(text) !== 0n);
  const fields = fieldsNamed(form, FIELDS);
  const fieldOf = addAmounts(fields, typed);
  const outcome = await submitLedgerForm<PaymentRequest>(submitter, request, {
    kind: paymentWrites,
    schema: paymentRequest,
    check: body => checkPayment(body, currency),
    fields,
    fieldOf,
    payload: body => ({ type: 'payment.record', ...body }),
    review: ({ amount }) => reviewRest(form, restOfForm(form, toUnits(amount)), currency),
  });
  if (!outcome.done)
    return { ...(await formPage(companyId, outcome.state, outcome.key)), ...outcome.answer };
  const from = form.get('from') ?? '';
  return ledgerAnswer(outcome.result, ({ resultId, body }) =>
    recordedAnswer(resultId, body, currency, isUuid(from) ? from : null),
  );
}

function recordedAnswer(
  id: string,
  body: string,
  currency: string,
  from: string | null,
): RedirectAnswer {
  const { amount, customerName } = JSON.parse(body) as { amount: number; customerName: string };
  const money = formatMoney(String(amount), currency);
  const flash = `Payment of ${money} from ${customerName} recorded.`;
  return { to: from === null ? `/payments/${id}` : `/invoices/${from}`, flash };
}

/** The page again, with the amount spread over the invoices. Needs no script. */
async function suggest({ session, form }: PageRequest): Promise<Answer> {
  const { companyId, currency } = session;
  const rows = await rowsOf(companyId, form);
  const money = readAmount(form.get('amount') ?? '') ?? 0n;
  const values = withSuggestions(form, money, rows, currency);
  return recordPage({ values, errors: new Map() }, rows);
}

async function formPage(companyId: string, state: FormState, key?: string): Promise<PageAnswer> {
  return recordPage(state, await rowsOf(companyId, state.values), key);
}

/** The invoice that the form was opened from comes first. */
async function rowsOf(companyId: string, values: FormFields): Promise<AllocationRow[]> {
  const from = values.get('from') ?? '';
  const customerName = values.get('customerName') ?? '';
  if (customerName === '') throw new Problem('not_found', 'There is no such customer.');
  const open = await listOpenInvoices(companyId, customerName, isUuid(from) ? [from] : []);
  return open.map(invoice => ({ ...invoice, given: '0' }));
}
