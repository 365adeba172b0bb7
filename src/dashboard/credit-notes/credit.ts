// Crediting an invoice: the form and its submission.

import { creditNoteWrites } from '../../ledger/batch/kinds.js';
import { checkCreditNote } from '../../ledger/checks/body-checks.js';
import { findInvoiceCredit } from '../../ledger/creditable.js';
import type { CreditNotePayload } from '../../ledger/payload.js';
import type { InvoiceCredit } from '../../ledger/rules/state.js';
import { type CreditNoteRequest, creditNoteRequest } from '../../ledger/schema.js';
import { notFound, Problem } from '../../platform/errors.js';
import { FormFields } from '../../platform/http/input/form-fields.js';
import type { DecimalMark } from '../../platform/values/csv.js';
import { today } from '../../platform/values/days.js';
import { fromMinor, fromUnits } from '../../platform/values/money.js';
import type { Session } from '../../users/sessions.js';
import { getInvoice, type Invoice } from '../invoices/invoice-view.js';
import { askAboutDates } from '../kit/forms/date-question.js';
import { markOf, moneyStyleOf } from '../kit/forms/field-limits.js';
import { newForm } from '../kit/forms/form-state.js';
import type { PageRequest } from '../kit/page.js';
import { filledNumber } from '../kit/typed-number.js';
import { formatMoney } from '../kit/ui/format.js';
import { fieldsNamed, ledgerForm } from '../payments/ledger-form.js';
import { type MoneyStyle, readAmount } from '../payments/money/amounts.js';
import {
  ALL,
  type CreditedInvoice,
  creditPage,
  lineField,
  previewOf,
  TOTAL_FIELD,
  typedParts,
} from './form-page.js';

/** Credits an invoice, and leads to the credit note. */
export const creditForm = ledgerForm<CreditNoteRequest, CreditNotePayload, CreditedInvoice>({
  kind: creditNoteWrites,
  path: '/invoices/:id/credit',
  words: {
    title: 'Creating the credit note',
    subject: 'The credit note',
    done: 'Credit note created.',
    failed: 'The credit note was not created',
  },
  load: getCreditedInvoice,
  initial: request => {
    const { invoice, credit } = request.loaded;
    const refusal = refusalOf(request.loaded);
    if (refusal !== null) return { to: `/invoices/${invoice.id}`, flash: refusal };
    const start = newForm({ reason: 'return', date: firstDay(request, invoice) });
    for (const [index, { itemId }] of credit.issued.lines.entries())
      if (itemId !== null) start.values.set(lineField(index, 'restock'), 'true');
    return start;
  },
  press: ({ form, session, loaded: { credit } }) =>
    form.get('do') === ALL ? newForm(withAll(form, credit, markOf(session))) : null,
  schema: creditNoteRequest,
  check: (body, { session }) => checkCreditNote(body, session),
  read: ({ form, session, loaded: { invoice, credit } }) => {
    const names = ['date', 'reason', 'reference', 'note'];
    const fields = fieldsNamed(form, names, { invoiceId: invoice.id });
    const lines = addItems(fields, form, credit, moneyStyleOf(session));
    return {
      fields,
      at: name => {
        const [, item, field] = /^items\.(\d+)(?:\.(\w+))?$/u.exec(name) ?? [];
        if (item === undefined) return name;
        return lineField(lines[Number(item)] ?? 0, field === 'amount' ? 'amount' : 'qty');
      },
      review: () => {
        reviewTotal(form, credit, lines, session);
        askAboutDates(form, today(session), { date: 'document' });
      },
    };
  },
  payload: body => ({ type: 'creditNote.create', ...body }),
  formPath: ({ invoiceId }) => `/invoices/${invoiceId}/credit`,
  done: ({ resultId, body }) => {
    const { number } = JSON.parse(body) as { number: string };
    return { to: `/credit-notes/${resultId}`, flash: `Credit note ${number} created.` };
  },
  page: (state, { loaded }) => creditPage(loaded, state),
});

async function getCreditedInvoice({
  session: { companyId },
  params,
}: PageRequest): Promise<CreditedInvoice> {
  const invoice = await getInvoice(companyId, params.id);
  const credit = await findInvoiceCredit(companyId, invoice.id);
  if (credit === null) throw notFound('invoice');
  return { invoice, credit };
}

function refusalOf({ invoice: { status, number }, credit }: CreditedInvoice): string | null {
  if (status === 'void') return `Invoice ${number} is void.`;
  const isLeft = credit.creditable.lines.some(
    (line, index) => line.qty > (credit.credited.lines[index]?.qty ?? 0n),
  );
  return isLeft ? null : `Invoice ${number} is credited in full.`;
}

/** Today, or the date of an invoice that is dated ahead. */
export function firstDay({ session }: PageRequest, { date }: Invoice): string {
  const now = today(session);
  return now < date ? date : now;
}

/** Adds the lines with any input, and returns their indexes in the order of the request's items. */
function addItems(
  fields: FormFields,
  form: FormFields,
  credit: InvoiceCredit,
  style: MoneyStyle,
): number[] {
  const lines: number[] = [];
  for (const [index, { qty, amount }] of typedParts(form, credit).entries()) {
    const [hasQty, hasAmount] = [qty, amount].map(text => readAmount(text, style) !== 0n);
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
  session: Session,
): void {
  if (lines.length === 0)
    throw new Problem('validation_failed', 'Enter a quantity or an amount for at least one line.');
  const { total } = previewOf(form, credit, moneyStyleOf(session));
  if (total === null) return;
  const text = fromMinor(total, credit.issued.decimals);
  if (form.get(TOTAL_FIELD) === text) return;
  const sentence = `The credit comes to ${formatMoney(text, session.currency)}.`;
  throw new Problem('validation_failed', `${sentence} Check the lines and submit again.`);
}

/** The form with the remaining quantity of each line. */
function withAll(
  form: FormFields,
  { creditable, credited }: InvoiceCredit,
  mark: DecimalMark,
): FormFields {
  const filled = new FormFields(form);
  for (const [index, { qty }] of creditable.lines.entries()) {
    const left = qty - (credited.lines[index]?.qty ?? 0n);
    filled.set(lineField(index, 'qty'), left > 0n ? filledNumber(fromUnits(left), mark) : '');
    filled.set(lineField(index, 'amount'), '');
  }
  return filled;
}
