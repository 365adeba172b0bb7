// Creating an invoice by hand: the form, what it is refused for, and the items it offers.
import { suggestItems } from '../../inventory/queries.js';
import { invoiceWrites } from '../../invoices/post.js';
import { checkTotal } from '../../invoices/rules.js';
import { type InvoiceRequest, invoiceRequest } from '../../invoices/schema.js';
import { findJobState } from '../../jobs/queries.js';
import type { Submitter } from '../../jobs/submit/submitter.js';
import { Problem } from '../../platform/errors.js';
import { isUuid } from '../../platform/values/ids.js';
import { parseDecimalJson } from '../kit/decimal-json.js';
import { newForm, refusedForm, submitForm } from '../kit/form.js';
import type { Answer, PageRequest, RedirectAnswer } from '../kit/page.js';
import { KEY_FIELD, problemOf, type SubmitResult, submitWrite } from '../kit/submit-write.js';
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
  const job = isUuid(id) ? await findJobState(companyId, id) : null;
  if (job?.type !== 'invoice.create' || job.problem === null)
    throw new Problem('not_found', 'There is no such job.');
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
  try {
    const outcome = await submitForm<InvoiceRequest, SubmitResult>(
      values,
      invoiceRequest,
      payload => submitWrite(submitter, invoiceWrites, request, payload),
      { numbers: ['qty', 'price'], more: body => checkTotal(body, session.currency) },
    );
    if (!outcome.done)
      return { ...invoiceFormPage(outcome.state, { blanks: 0 }), ...outcome.answer };
    const { result } = outcome;
    return result.done
      ? createdAnswer(result.resultId, result.body)
      : { to: `/invoices/jobs/${result.jobId}` };
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'service_unavailable') throw error;
    // It may have been taken on all the same: with its key once more it happens once.
    const page = invoiceFormPage(refusedForm(values, error), {
      blanks: 0,
      key: form.get(KEY_FIELD) ?? '',
    });
    return { ...page, status: 503 };
  }
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
