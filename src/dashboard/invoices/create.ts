// Creating an invoice by hand: the form, its submission, and the stock items that it suggests.
import { suggestItems } from '../../inventory/queries.js';
import { checkInvoice } from '../../invoices/check.js';
import { withDefaults } from '../../invoices/defaults.js';
import { invoiceWrites } from '../../invoices/post.js';
import { type InvoiceRequest, invoiceRequest } from '../../invoices/schema.js';
import type { Submitter } from '../../jobs/submit/submitter.js';
import { Problem } from '../../platform/errors.js';
import { parseDecimalJson } from '../kit/decimal-json.js';
import { newForm, refusedForm } from '../kit/form.js';
import type { Answer, PageRequest, RedirectAnswer } from '../kit/page.js';
import { getJobState, problemOf, submitWrite, submitWriteForm } from '../kit/submit-write.js';
import { dayIn } from '../kit/ui/format.js';
import { fieldsOf, invoiceFields } from './form-fields.js';
import { ADD_LINES, invoiceFormPage } from './form-page.js';
import { getInvoice } from './invoice-view.js';

/** Blank lines of a new form. */
const BLANK_LINES = 1;
/** Blank lines that the "Add lines" button adds without JavaScript. */
const MORE_LINES = 5;
const SUGGESTIONS = 8;

/**
 * The empty form. With ?copy= it has the customer and lines of that invoice, with ?job= a refused
 * job's request and errors.
 */
export async function showNewInvoice({ session, query }: PageRequest): Promise<Answer> {
  const { companyId, timeZone, currency } = session;
  const today = dayIn(timeZone, new Date());
  const [copied, id] = [query.get('copy'), query.get('job')];
  if (copied !== null) {
    const invoice = await getInvoice(companyId, copied);
    const values = fieldsOf({ ...invoice, date: today, reference: null }, currency);
    return invoiceFormPage({ values, errors: new Map() }, { blanks: 0 });
  }
  const empty = newForm({ date: today });
  if (id === null) return invoiceFormPage(empty, { blanks: BLANK_LINES });
  const { payload, problem } = await getJobState(companyId, id, 'invoice.create');
  if (problem === null) throw new Problem('not_found', 'There is no such job.');
  const values = payload === null ? empty.values : fieldsOf(payload as InvoiceRequest, currency);
  return invoiceFormPage(refusedForm(values, problemOf(problem)), {
    blanks: payload === null ? BLANK_LINES : 0,
  });
}

/** Leads to the invoice, or to its job while that waits. A refused form is shown as typed. */
export async function createInvoice(request: PageRequest, submitter: Submitter): Promise<Answer> {
  const { session, form } = request;
  const values = invoiceFields(form);
  if (form.get('do') === ADD_LINES)
    return invoiceFormPage({ values, errors: new Map() }, { blanks: MORE_LINES });
  const outcome = await submitWriteForm<InvoiceRequest>(
    request,
    values,
    invoiceRequest,
    body => submitWrite(submitter, invoiceWrites, request, body, withDefaults(body, session)),
    { numbers: ['qty', 'price'], more: body => checkInvoice(body, session) },
  );
  if (!outcome.done) {
    const page = invoiceFormPage(outcome.state, { blanks: 0, key: outcome.key });
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
