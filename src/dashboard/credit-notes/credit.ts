// Crediting an invoice: the form and its submission.

import type { Submitter } from '../../jobs/submit/submitter.js';
import { creditNoteWrites } from '../../ledger/batch/kinds.js';
import { checkCreditNote } from '../../ledger/body-checks.js';
import { findInvoiceCredit } from '../../ledger/creditable.js';
import type { InvoiceCredit } from '../../ledger/rules/state.js';
import { type CreditNoteRequest, creditNoteRequest } from '../../ledger/schema.js';
import { Problem } from '../../platform/errors.js';
import { FormFields } from '../../platform/http/input/form-fields.js';
import { fromMinor, fromUnits } from '../../platform/values/money.js';
import { getInvoice, type Invoice } from '../invoices/invoice-view.js';
import { newForm } from '../kit/form.js';
import type { Answer, PageRequest, RedirectAnswer } from '../kit/page.js';
import { dayIn, formatMoney } from '../kit/ui/format.js';
import { readAmount } from '../payments/money/amounts.js';
import { fieldsNamed, ledgerAnswer, submitLedgerForm } from '../payments/submit.js';
import { ALL, creditPage, lineField, previewOf, TOTAL_FIELD, typedParts } from './form-page.js';

export async function showCredit(request: PageRequest): Promise<Answer> {
  const { invoice, credit } = await creditedInvoice(request);
  const refusal = refusalOf(invoice, credit);
  if (refusal !== null) return { to: `/invoices/${invoice.id}`, flash: refusal };
  const values = new FormFields({
    reason: 'return',
    date: firstDay(request, invoice),
  });
  for (const [index, { itemId }] of credit.issued.lines.entries())
    if (itemId !== null) values.set(lineField(index, 'restock'), 'true');
  return creditPage(invoice, credit, { ...newForm(), values });
}

/** Leads to the credit note. */
export async function createCredit(request: PageRequest, submitter: Submitter): Promise<Answer> {
  const { session, form } = request;
  const { currency } = session;
  const { invoice, credit } = await creditedInvoice(request);
  if (form.get('do') === ALL)
    return creditPage(invoice, credit, { values: withAll(form, credit), errors: new Map() });
  const fields = fieldsNamed(form, ['date', 'reason', 'reference', 'note']);
  fields.set('invoiceId', invoice.id);
  const lines = addItems(fields, form, credit);
  const outcome = await submitLedgerForm<CreditNoteRequest>(submitter, request, {
    kind: creditNoteWrites,
    schema: creditNoteRequest,
    check: body => checkCreditNote(body, currency),
    fields,
    fieldOf: name => {
      const [, item, field] = /^items\.(\d+)(?:\.(\w+))?$/u.exec(name) ?? [];
      if (item === undefined) return name;
      return lineField(lines[Number(item)] ?? 0, field === 'amount' ? 'amount' : 'qty');
    },
    payload: body => ({ type: 'creditNote.create', ...body }),
    review: () => reviewTotal(form, credit, lines, currency),
  });
  if (!outcome.done)
    return { ...creditPage(invoice, credit, outcome.state, outcome.key), ...outcome.answer };
  return ledgerAnswer(outcome.result, ({ resultId, body }) => createdAnswer(resultId, body));
}

function createdAnswer(id: string, body: string): RedirectAnswer {
  const { number } = JSON.parse(body) as { number: string };
  return { to: `/credit-notes/${id}`, flash: `Credit note ${number} created.` };
}

async function creditedInvoice({ session: { companyId }, params }: PageRequest) {
  const invoice = await getInvoice(companyId, params.id);
  const credit = await findInvoiceCredit(companyId, invoice.id);
  if (credit === null) throw new Problem('not_found', 'There is no such invoice.');
  return { invoice, credit };
}

function refusalOf({ status, number }: Invoice, { creditable, credited }: InvoiceCredit) {
  if (status === 'void') return `Invoice ${number} is void.`;
  const isLeft = creditable.lines.some(
    (line, index) => line.qty > (credited.lines[index]?.qty ?? 0n),
  );
  return isLeft ? null : `Invoice ${number} is credited in full.`;
}

/** Today, or the date of an invoice that is dated ahead. */
export function firstDay({ session: { timeZone } }: PageRequest, { date }: Invoice): string {
  const today = dayIn(timeZone, new Date());
  return today < date ? date : today;
}

/** Adds the lines with any input, and returns their indexes in the order of the request's items. */
function addItems(fields: FormFields, form: FormFields, credit: InvoiceCredit): number[] {
  const lines: number[] = [];
  for (const [index, { qty, amount }] of typedParts(form, credit).entries()) {
    const [hasQty, hasAmount] = [qty, amount].map(text => readAmount(text) !== 0n);
    if (!hasQty && !hasAmount) continue;
    const item = `items.${lines.push(index) - 1}`;
    fields.set(`${item}.line`, String(index + 1));
    if (hasAmount) fields.set(`${item}.amount`, amount);
    if (!hasQty) continue;
    fields.set(`${item}.qty`, qty);
    if (credit.issued.lines[index]?.itemId != null)
      fields.set(`${item}.restock`, String(form.has(lineField(index, 'restock'))));
  }
  return lines;
}

/** Throws Problem `validation_failed` if nothing is credited or another total than was shown. */
function reviewTotal(
  form: FormFields,
  credit: InvoiceCredit,
  lines: readonly number[],
  currency: string,
): void {
  if (lines.length === 0)
    throw new Problem('validation_failed', 'Enter a quantity or an amount for at least one line.');
  const { total } = previewOf(form, credit);
  if (total === null) return;
  const text = fromMinor(total, credit.issued.places);
  if (form.get(TOTAL_FIELD) === text) return;
  const sentence = `The credit comes to ${formatMoney(text, currency)}.`;
  throw new Problem('validation_failed', `${sentence} Check the lines and submit again.`);
}

/** The form with the whole quantity that is left of each line. */
function withAll(form: FormFields, { creditable, credited }: InvoiceCredit): FormFields {
  const filled = new FormFields(form);
  for (const [index, { qty }] of creditable.lines.entries()) {
    const left = qty - (credited.lines[index]?.qty ?? 0n);
    filled.set(lineField(index, 'qty'), left > 0n ? fromUnits(left) : '');
    filled.set(lineField(index, 'amount'), '');
  }
  return filled;
}
