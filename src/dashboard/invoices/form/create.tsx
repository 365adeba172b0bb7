// The form for a new invoice. Without JavaScript it has buttons that reload it with more lines, or
// with the extra fields. With JavaScript (browser/invoice-form.ts) lines are added and removed in
// place, items are suggested and the amounts are live.

import { checkInvoice } from '../../../invoices/checks/check.js';
import { checkRequest } from '../../../invoices/checks/check-requests.js';
import type { InvoiceSettings } from '../../../invoices/defaults.js';
import { invoiceWrites } from '../../../invoices/post.js';
import { type InvoiceRequest, invoiceRequest } from '../../../invoices/schema.js';
import { BODY_LIMIT_BYTES } from '../../../platform/http/input/body.js';
import { FormFields } from '../../../platform/http/input/form-fields.js';
import { MAX_ITEMS } from '../../../platform/http/input/validate.js';
import { addDays } from '../../../platform/values/days.js';
import { parseDecimalJson } from '../../kit/decimal-json.js';
import { type FormState, newForm } from '../../kit/forms/form-state.js';
import type { WriteResult } from '../../kit/forms/submit-write.js';
import { writeForm } from '../../kit/forms/write-form.js';
import type { PageAnswer, PageRequest, RedirectAnswer } from '../../kit/page.js';
import { PageHead } from '../../kit/ui/components.js';
import { FormActions } from '../../kit/ui/field-groups.js';
import { Field, Form, Hidden, TextArea } from '../../kit/ui/fields.js';
import { today } from '../../kit/ui/format.js';
import { countOf, getInvoice, type Invoice } from '../invoice-view.js';
import {
  countLines,
  fieldsOf,
  hasExtras,
  invoiceFields,
  toRequestFields,
  withDiscountErrors,
} from './fields.js';
import { ADD_LINES, EXTRAS, Lines } from './lines.js';
import { withNamedItems } from './named-items.js';

/** Blank lines that the "Add lines" button adds without JavaScript. */
const MORE_LINES = 5;

/** Leads to the invoice. A refused form is shown as typed. */
export const invoiceForm = writeForm<InvoiceRequest, InvoiceRequest>({
  kind: invoiceWrites,
  guard: 'change-sales',
  path: '/invoices/new',
  // 250 lines with names in any script exceed the limit of other forms.
  maxBytes: BODY_LIMIT_BYTES,
  job: {
    path: '/invoices/jobs',
    title: 'Creating the invoice',
    subject: 'The invoice',
    failed: 'The invoice could not be created',
    note: ({ customerName }) => customerName,
    extent: ({ items }) => countOf(items.length, 'line'),
    formPath: () => '/invoices/new',
    done: createdAnswer,
  },
  initial: startInvoice,
  refill: (payload, { session: { currency } }) => {
    const shown = fieldsOf(payload, currency);
    return { fields: toRequestFields(shown), shown };
  },
  press: ({ form }) =>
    [ADD_LINES, EXTRAS].includes(form.get('do') ?? '') ? newForm(invoiceFields(form)) : null,
  schema: invoiceRequest,
  numbers: ['qty', 'price', 'taxRate', 'percent', 'amount'],
  check: (body, { session }) => checkInvoice(body, session),
  read: ({ form }) => {
    const shown = invoiceFields(form);
    return { fields: toRequestFields(shown), shown };
  },
  payload: async (body, { session }) => {
    const named = await withNamedItems(session.companyId, body);
    const { checked } = await checkRequest(named, session);
    if ('refusal' in checked) throw checked.refusal;
    return checked.payload as InvoiceRequest;
  },
  // The settings that complete the payload may change before the form is sent again.
  identity: body => body,
  done: createdAnswer,
  page: invoiceFormPage,
});

/** The empty form. With ?copy= it has the customer and lines of that invoice. */
async function startInvoice({ session, query }: PageRequest): Promise<FormState> {
  const { companyId, currency, termsDays } = session;
  const date = today(session);
  const dates = { date, dueDate: termsDays === null ? '' : addDays(date, termsDays) };
  const copied = query.get('copy');
  if (copied === null) return newForm(dates);
  return newForm(fieldsOf({ ...copyOf(await getInvoice(companyId, copied)), ...dates }, currency));
}

/** The part of an invoice that a duplicate starts with: no dates and no numbers of an order. */
function copyOf({ customerName, items, discount, note, taxes }: Invoice) {
  const taxReason = taxes.find(({ category }) => category === 'E')?.reason ?? null;
  return { customerName, items, discount, note, taxReason };
}

/** Leads to the created invoice with this JSON. */
function createdAnswer({ resultId, body }: WriteResult): RedirectAnswer {
  const { number } = parseDecimalJson<{ number: string }>(body);
  return { to: `/invoices/${resultId}`, flash: `Invoice ${number} created.` };
}

/** The page with the form in this state, whose line fields must come from `invoiceFields`. */
function invoiceFormPage(refused: FormState, { session, form }: PageRequest): PageAnswer {
  const state = withDiscountErrors(refused);
  const pressed = form.get('do');
  const blanks = pressed === ADD_LINES ? MORE_LINES : 0;
  const filled = countLines(state.values);
  const rows = Math.max(1, filled, Math.min(filled + blanks, MAX_ITEMS));
  const isRequested = pressed === EXTRAS || form.has(EXTRAS);
  const isExtended = isRequested || session.defaultTaxRate !== null || hasExtras(state);
  const body = (
    <>
      <PageHead title="New invoice" />
      <Form action="/invoices/new" state={withSuggestions(state, rows, session)} wide>
        {isExtended && <Hidden name={EXTRAS} value="1" />}
        <div class={isExtended ? 'invoice-form extended' : 'invoice-form'}>
          <div class="panel invoice-head" data-terms={session.termsDays ?? undefined}>
            <Field name="customerName" label="Customer" maxLength={255} />
            <Field name="date" label="Invoice date" type="date" />
            <Field name="dueDate" label="Due date" type="date" optional />
            <Field name="reference" label="Reference" maxLength={100} optional />
          </div>
          <Lines settings={session} rows={rows} isEmpty={filled === 0} isExtended={isExtended} />
          <Extras />
        </div>
        <FormActions submit="Create invoice" cancel="/invoices" />
      </Form>
    </>
  );
  return { title: 'New invoice', body, scripts: ['invoice-form.js'] };
}

/** Lines without a rate of their own, including new ones, start with the company's. */
function withSuggestions(state: FormState, rows: number, settings: InvoiceSettings): FormState {
  const { defaultTaxRate } = settings;
  if (defaultTaxRate === null) return state;
  const values = new FormFields(state.values);
  const indexes = [...Array(rows).keys()].map(index => String(index));
  const isTaxed = indexes.some(index => values.get(`items.${index}.taxRate`));
  for (const index of [...indexes, 'new']) {
    const name = `items.${index}.taxRate`;
    if (!isTaxed || !values.has(name)) values.set(name, String(defaultTaxRate));
  }
  return { ...state, values };
}

function Extras() {
  return (
    <div class="panel invoice-extras extra">
      <Field
        name="discount"
        label="Invoice discount"
        hint="10% or 5.00"
        autocomplete="off"
        optional
      />
      <Field
        name="discount.reason"
        label="Reason for the discount"
        hint="Printed on the invoice"
        maxLength={255}
        optional
      />
      <Field
        name="taxReason"
        label="Exemption reason"
        hint="Required if a line is exempt"
        maxLength={255}
        optional
      />
      <Field name="orderReference" label="Order number" maxLength={100} optional />
      <Field name="deliveryDate" label="Delivery date" type="date" optional />
      <TextArea name="note" label="Note" rows={3} optional />
    </div>
  );
}
