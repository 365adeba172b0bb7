// The form for a new invoice. Without JavaScript it has a button that reloads it with more lines.
// With JavaScript (browser/invoice-form.ts) lines are added and removed in place, items are
// suggested and the amounts are live.

import { checkInvoice } from '../../../invoices/checks/check.js';
import { checkRequest } from '../../../invoices/checks/check-requests.js';
import type { InvoicePayload } from '../../../invoices/drafts/draft-ref.js';
import { invoiceWrites } from '../../../invoices/post.js';
import { type InvoiceRequest, namedInvoiceRequest } from '../../../invoices/schema.js';
import { BODY_LIMIT_BYTES } from '../../../platform/http/input/body.js';
import { addDays } from '../../../platform/values/days.js';
import { parseDecimalJson } from '../../kit/decimal-json.js';
import { askAboutDates } from '../../kit/forms/date-question.js';
import { type FormState, newForm } from '../../kit/forms/form-state.js';
import type { WriteResult } from '../../kit/forms/submit-write.js';
import { writeForm } from '../../kit/forms/write-form.js';
import type { Answer, PageRequest, RedirectAnswer } from '../../kit/page.js';
import { today } from '../../kit/ui/format.js';
import { openDraft, saveDraft } from '../drafts/save.js';
import { countOf, getInvoice, type Invoice } from '../invoice-view.js';
import { draftOf, fieldsOf, invoiceFields, toRequestFields, withDraft } from './fields.js';
import { ADD_LINES } from './lines.js';
import { withNamedItems } from './named-items.js';
import { invoiceFormPage, SAVE_DRAFT } from './page.js';

/** Leads to the invoice. A refused form is shown as typed. */
export const invoiceForm = writeForm<InvoiceRequest, InvoicePayload>({
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
    const shown = withDraft(fieldsOf(payload, currency), payload.draft ?? null);
    return { fields: toRequestFields(shown), shown };
  },
  press,
  schema: namedInvoiceRequest,
  numbers: ['qty', 'price', 'taxRate', 'percent', 'amount'],
  check: (body, { session }) => checkInvoice(body, session),
  read: ({ form, session }) => {
    const shown = invoiceFields(form);
    const review = () =>
      askAboutDates(shown, today(session), { date: 'document', dueDate: 'document' });
    return { fields: toRequestFields(shown), shown, review };
  },
  payload: async (body, { session, form }) => {
    const named = await withNamedItems(session.companyId, body);
    const { checked } = await checkRequest(named, session);
    if ('refusal' in checked) throw checked.refusal;
    const draft = draftOf(form);
    return { ...(checked.payload as InvoiceRequest), ...(draft ? { draft } : {}) };
  },
  // The settings that complete the payload may change before the form is sent again.
  identity: body => body,
  done: createdAnswer,
  page: invoiceFormPage,
});

/** The empty form. With ?copy= it has the customer and lines of that invoice, or a ?draft=. */
async function startInvoice({ session, query }: PageRequest): Promise<FormState> {
  const { companyId, currency, termsDays } = session;
  if (query.has('draft')) return openDraft(companyId, query.get('draft') ?? '');
  const date = today(session);
  const dates = { date, dueDate: termsDays === null ? '' : addDays(date, termsDays) };
  const copied = query.get('copy');
  if (copied === null) return newForm(dates);
  return newForm(fieldsOf({ ...copyOf(await getInvoice(companyId, copied)), ...dates }, currency));
}

/** The form with more lines, or its draft after it was saved. */
function press(request: PageRequest): FormState | Promise<Answer> | null {
  const { form } = request;
  switch (form.get('do')) {
    case ADD_LINES:
      return newForm(invoiceFields(form));
    case SAVE_DRAFT:
      return saveDraft(request);
    default:
      return null;
  }
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
