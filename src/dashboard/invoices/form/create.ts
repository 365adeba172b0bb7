// Creating an invoice by hand: the form, its submission, and the stock items that it suggests.
import { suggestItems } from '../../../inventory/short-lists.js';
import { checkInvoice } from '../../../invoices/checks/check.js';
import { checkRequest } from '../../../invoices/checks/check-requests.js';
import { addDays } from '../../../invoices/defaults.js';
import { invoiceWrites } from '../../../invoices/post.js';
import { type InvoiceRequest, invoiceRequest } from '../../../invoices/schema.js';
import type { Submitter } from '../../../jobs/submit/submitter.js';
import { Problem } from '../../../platform/errors.js';
import { parseDecimalJson } from '../../kit/decimal-json.js';
import { newForm, refusedForm } from '../../kit/form.js';
import type { Answer, PageRequest, RedirectAnswer } from '../../kit/page.js';
import { getJobState, problemOf, submitWrite, submitWriteForm } from '../../kit/submit-write.js';
import { dayIn } from '../../kit/ui/format.js';
import { getInvoice, type Invoice } from '../invoice-view.js';
import { fieldsOf, invoiceFields, toFormState, toRequestFields } from './fields.js';
import { ADD_LINES, EXTRAS } from './lines.js';
import { invoiceFormPage } from './page.js';

/** Blank lines of a new form. */
const BLANK_LINES = 1;
/** Blank lines that the "Add lines" button adds without JavaScript. */
const MORE_LINES = 5;
const SUGGESTIONS = 8;

/** The number fields, by the last part of their names. */
const NUMBERS = ['qty', 'price', 'taxRate', 'percent', 'amount'];

/**
 * The empty form. With ?copy= it has the customer and lines of that invoice, with ?job= a refused
 * job's request and errors.
 */
export async function showNewInvoice({ session, query }: PageRequest): Promise<Answer> {
  const { companyId, timeZone, currency, termsDays } = session;
  const date = dayIn(timeZone, new Date());
  const dueDate = termsDays === null ? '' : addDays(date, termsDays);
  const [copied, id] = [query.get('copy'), query.get('job')];
  if (copied !== null) {
    const invoice = await getInvoice(companyId, copied);
    const values = fieldsOf({ ...copyOf(invoice), date, dueDate }, currency);
    return invoiceFormPage({ values, errors: new Map() }, { session, blanks: 0 });
  }
  const empty = newForm({ date, dueDate });
  if (id === null) return invoiceFormPage(empty, { session, blanks: BLANK_LINES });
  const { payload, problem } = await getJobState(companyId, id, 'invoice.create');
  if (problem === null) throw new Problem('not_found', 'There is no such job.');
  const values = payload === null ? empty.values : fieldsOf(payload as InvoiceRequest, currency);
  const refused = refusedForm(toRequestFields(values), problemOf(problem));
  return invoiceFormPage(toFormState(values, refused), {
    session,
    blanks: payload === null ? BLANK_LINES : 0,
  });
}

/** The part of an invoice that a duplicate starts with: no dates and no numbers of an order. */
function copyOf({ customerName, items, discount, note, taxes }: Invoice) {
  const taxReason = taxes.find(({ category }) => category === 'E')?.reason ?? null;
  return { customerName, items, discount, note, taxReason };
}

/** Leads to the invoice, or to its job while that waits. A refused form is shown as typed. */
export async function createInvoice(request: PageRequest, submitter: Submitter): Promise<Answer> {
  const { session, form } = request;
  const values = invoiceFields(form);
  const pressed = form.get('do');
  const extras = pressed === EXTRAS || form.get(EXTRAS) !== null;
  if (pressed === ADD_LINES || pressed === EXTRAS)
    return invoiceFormPage(
      { values, errors: new Map() },
      { session, extras, blanks: pressed === ADD_LINES ? MORE_LINES : 0 },
    );
  const outcome = await submitWriteForm<InvoiceRequest>(
    request,
    toRequestFields(values),
    invoiceRequest,
    async body => {
      const { checked } = await checkRequest(body, session);
      if ('refusal' in checked) throw checked.refusal;
      return submitWrite(submitter, invoiceWrites, request, body, checked.payload);
    },
    { numbers: NUMBERS, more: body => checkInvoice(body, session) },
  );
  if (!outcome.done) {
    const state = toFormState(values, outcome.state);
    const page = invoiceFormPage(state, { session, extras, blanks: 0, key: outcome.key });
    return { ...page, ...outcome.answer };
  }
  const { result } = outcome;
  return result.done
    ? createdAnswer(result.resultId, result.body)
    : { to: `/invoices/jobs/${result.jobId}` };
}

/** Leads to the created invoice with this JSON. */
export function createdAnswer(id: string, body: string): RedirectAnswer {
  const { number } = parseDecimalJson<{ number: string }>(body);
  return { to: `/invoices/${id}`, flash: `Invoice ${number} created.` };
}

/** The stock items that match a line's text, as JSON for the form's script. */
export async function suggestLineItems({ session, query }: PageRequest): Promise<Answer> {
  const items = await suggestItems(session.companyId, query.get('q') ?? '', SUGGESTIONS);
  return { type: 'json', content: JSON.stringify(items) };
}
