// The form for a new invoice. Without JavaScript it has a button that reloads it with more lines.
// With JavaScript (browser/invoice-form.ts) lines are added and removed in place, items are
// suggested and the amounts are live.

import { previewDocument } from '../../../documents/model/load.js';
import { prepare } from '../../../documents/service.js';
import { checkInvoice } from '../../../invoices/checks/check.js';
import { checkRequest } from '../../../invoices/checks/check-requests.js';
import type { InvoicePayload } from '../../../invoices/drafts/draft-ref.js';
import { previewInvoice } from '../../../invoices/drafts/preview.js';
import { invoiceWrites } from '../../../invoices/post.js';
import { type InvoiceRequest, namedInvoiceRequest } from '../../../invoices/schema.js';
import { BODY_LIMIT_BYTES } from '../../../platform/http/input/body.js';
import type { FormFields } from '../../../platform/http/input/form-fields.js';
import { today } from '../../../platform/values/days.js';
import { searchText } from '../../../platform/values/search-text.js';
import { may } from '../../../users/roles.js';
import { contentOf, isRefusal, refusalPage } from '../../documents/routes.js';
import { Forbidden } from '../../kit/access.js';
import { parseDecimalJson } from '../../kit/decimal-json.js';
import { askAboutDates } from '../../kit/forms/date-question.js';
import { type FormState, newForm } from '../../kit/forms/form-state.js';
import type { MaybePromise } from '../../kit/forms/plain-form.js';
import type { WriteResult } from '../../kit/forms/submit-write.js';
import { writeForm } from '../../kit/forms/write-form.js';
import type { Answer, PageRequest, RedirectAnswer } from '../../kit/page.js';
import { formatCount } from '../../kit/ui/format.js';
import { openDraft, saveDraft } from '../drafts/save.js';
import { getInvoice, type Invoice } from '../invoice-view.js';
import { creditWords, toCustomer } from './credit-words.js';
import {
  askAboutName,
  dueDateOf,
  noCustomer,
  readExcess,
  readFormCustomer,
  reviewTerms,
  withCustomer,
  withMeantCustomer,
} from './customer.js';
import { USE_NAME } from './customer-note.js';
import {
  DISCOUNT_ERRORS,
  draftOf,
  fieldsOfInvoice,
  invoiceFields,
  TERMS_FIELD,
  toRequestFields,
  withDraft,
} from './fields.js';
import { ADD_INVOICE_LINES } from './lines.js';
import { withItemPrices, withNamedItems } from './named-items.js';
import { CREATE_AND_SEND, invoiceFormPage, PREVIEW, SAVE_DRAFT } from './page.js';

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
    extent: ({ items }) => formatCount(items.length, 'line'),
    formPath: () => '/invoices/new',
    done: createdAnswer,
  },
  initial: startInvoice,
  refill: (payload, { session }) => {
    const { currency, role } = session;
    const shown = withDraft(fieldsOfInvoice(payload, session), payload.draft ?? null);
    const instead = creditWords(currency, payload.customerName, may(role, 'ignore-credit'));
    return { fields: toRequestFields(shown), shown, instead };
  },
  press,
  schema: namedInvoiceRequest,
  wayOn: toCustomer,
  // The customer lacks the address that the e-mail needs.
  at: { ...DISCOUNT_ERRORS, send: 'customerName' },
  say: ({ pointer, detail }) => (pointer === '/send' ? detail : null),
  check: (body, { session }) => checkInvoice(body, session),
  read: async ({ form, session }) => {
    const meant = await withMeantCustomer(session, invoiceFields(form));
    const shown = await withItemPrices(session, meant);
    const review = async () => {
      askAboutDates(shown, today(session), { date: 'document', dueDate: 'document' });
      await askAboutName(session, shown);
    };
    const name = shown.get('customerName') ?? '';
    const instead = creditWords(session.currency, name, may(session.role, 'ignore-credit'));
    const fields = toRequestFields(shown);
    if (form.get('do') === CREATE_AND_SEND) fields.set('send', 'true');
    return { fields, shown, review, instead };
  },
  payload: async (body, { session, form }) => {
    if (body.ignoreCredit && !may(session.role, 'ignore-credit'))
      throw new Forbidden('Only an owner can ignore a hold or a credit limit. Ask an owner.');
    const named = await withNamedItems(session.companyId, body);
    const { checked } = await checkRequest(named, session);
    if ('refusal' in checked) throw checked.refusal;
    const draft = draftOf(form);
    return { ...(checked.payload as InvoiceRequest), ...(draft ? { draft } : {}) };
  },
  preview: showPreview,
  // The settings that complete the payload may change before the form is sent again.
  identity: body => body,
  done: (result, { session: { companyId } }) => createdAnswer(result, companyId),
  page: invoiceFormPage,
});

/**
 * The empty form, or one for ?customer=. With ?copy= it has the customer and lines of that invoice,
 * or a ?draft=.
 */
async function startInvoice({ session, query }: PageRequest): Promise<FormState> {
  const { companyId } = session;
  if (query.has('draft')) return openDraft(session, query.get('draft') ?? '');
  const date = today(session);
  const copied = query.get('copy');
  if (copied === null) return forCustomer(session, searchText(query.get('customer')), date);
  const copy = copyOf(await getInvoice(companyId, copied));
  const customer = await readFormCustomer(session, copy.customerName);
  const { settings, termsKey } = customer ?? noCustomer(session);
  const customerName = customer?.typed.name ?? copy.customerName;
  const own = { ...copy, customerName, date, dueDate: dueDateOf(date, settings) };
  const fields = fieldsOfInvoice(own, session);
  fields.set(TERMS_FIELD, termsKey);
  return newForm(fields);
}

/** The form with the customer that a text means, which may be empty, and with its terms. */
async function forCustomer(
  session: PageRequest['session'],
  typedName: string,
  date: string,
): Promise<FormState> {
  const customer = await readFormCustomer(session, typedName);
  const { settings, termsKey } = customer ?? noCustomer(session);
  const customerName = customer?.typed.name ?? '';
  const reason = settings.defaultTaxReason ?? '';
  const own = { date, dueDate: dueDateOf(date, settings), taxReason: reason };
  return newForm({ customerName, ...own, [TERMS_FIELD]: termsKey });
}

/**
 * The form with more lines, its draft after it was saved, or the form with the customer's terms if
 * it suggested others.
 */
function press(
  request: PageRequest,
  show: (fields: FormFields) => void,
): MaybePromise<FormState | Answer | null> {
  const { form, session } = request;
  const pressed = form.get('do') ?? '';
  if (pressed.startsWith(USE_NAME))
    return withCustomer(session, form, pressed.slice(USE_NAME.length));
  switch (pressed) {
    case ADD_INVOICE_LINES:
      return newForm(invoiceFields(form));
    case SAVE_DRAFT:
      return saveDraft(request, show);
    default:
      return reviewTerms(session, form);
  }
}

/** The PDF as it would be issued, marked as a draft, or the page that says what is missing. */
async function showPreview(payload: InvoicePayload, request: PageRequest): Promise<Answer | null> {
  if (request.form.get('do') !== PREVIEW) return null;
  const { companyId, currency } = request.session;
  try {
    const invoice = await previewInvoice(companyId, payload, currency);
    const document = await previewDocument(companyId, invoice);
    return await contentOf(prepare(companyId, document, 'pdf', 'plain', true));
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return refusalPage(error, '/invoices/new', payload.customerName ?? '', request);
  }
}

/** The part of an invoice that a duplicate starts with: no dates and no numbers of an order. */
function copyOf({ customerName, items, discount, note, taxes }: Invoice) {
  const taxReason = taxes.find(({ category }) => category === 'E')?.reason ?? null;
  return { customerName, items, discount, note, taxReason };
}

/** Leads to the created invoice with this JSON. Says by how much it exceeds a limit that warns. */
async function createdAnswer(
  { resultId, body }: WriteResult,
  companyId: string,
): Promise<RedirectAnswer> {
  const invoice = parseDecimalJson<Invoice>(body);
  const answer = { to: `/invoices/${resultId}`, flash: `Invoice ${invoice.number} created.` };
  const warning = await readExcess(companyId, invoice);
  return warning === null ? answer : { ...answer, warning };
}
