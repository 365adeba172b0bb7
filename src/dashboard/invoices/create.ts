// Creating an invoice by hand: the form, what it is refused for, and the items it offers.
import { suggestItems } from '../../inventory/queries.js';
import { invoiceWrites } from '../../invoices/post.js';
import { checkTotal } from '../../invoices/rules.js';
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

/** What a new form begins with. */
const BLANK_LINES = 3;
const MORE_LINES = 5;
const SUGGESTIONS = 8;

/** The blank form; with ?job= what a job was refused for, beside what it asked for. */
export async function showNewInvoice({ session, query }: PageRequest): Promise<Answer> {
  const { companyId, timeZone } = session;
  const blank = newForm({ date: dayIn(timeZone, new Date()) });
  const id = query.get('job');
  if (id === null) return invoiceFormPage(blank, { blanks: BLANK_LINES });
  const job = await getJobState(companyId, id, 'invoice.create');
  if (job.problem === null) throw new Problem('not_found', 'There is no such job.');
  const values = job.payload === null ? blank.values : fieldsOf(job.payload as InvoiceRequest);
  return invoiceFormPage(refusedForm(values, problemOf(job.problem)), {
    blanks: job.payload === null ? BLANK_LINES : 0,
  });
}

/** To the invoice, or to the job as long as it waits; refused, to the form as it was typed. */
export async function createInvoice(request: PageRequest, submitter: Submitter): Promise<Answer> {
  const { session, form } = request;
  const values = invoiceFields(form);
  if (form.get('do') === ADD_LINES) {
    return invoiceFormPage({ values, errors: new Map() }, { blanks: MORE_LINES });
  }
  const outcome = await submitWriteForm<InvoiceRequest>(
    request,
    values,
    invoiceRequest,
    payload => submitWrite(submitter, invoiceWrites, request, payload),
    { numbers: ['qty', 'price'], more: body => checkTotal(body, session.currency) },
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

/** On to an invoice that has just been made. */
export function createdAnswer(id: string, body: string): RedirectAnswer {
  const { number } = parseDecimalJson<{ number: string }>(body);
  return { to: `/invoices/${id}`, flash: `Invoice ${number} is created.` };
}

/** The stock items that a line may mean, as JSON for the form's script. */
export async function suggestLineItems({ session, query }: PageRequest): Promise<Answer> {
  const items = await suggestItems(session.companyId, query.get('q') ?? '', SUGGESTIONS);
  return { type: 'json', content: JSON.stringify(items) };
}
