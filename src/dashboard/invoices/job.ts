// The page of an invoice job: shows it while it waits, then leads to the invoice, or back to the
// form with the errors if it was refused.
import { findInvoice } from '../../invoices/queries.js';
import type { InvoiceRequest } from '../../invoices/schema.js';
import type { Answer, PageRequest } from '../kit/page.js';
import { getJobState } from '../kit/submit-write.js';
import { failedPage, waitingPage } from '../kit/ui/job-pages.js';
import { createdAnswer } from './form/create.js';
import { countOf } from './invoice-view.js';

export async function showInvoiceJob({ session, params }: PageRequest): Promise<Answer> {
  const job = await getJobState(session.companyId, params.id, 'invoice.create');
  if (job.resultId !== null) {
    const body = await findInvoice(session.companyId, job.resultId);
    return createdAnswer(job.resultId, body ?? '{}');
  }
  const formPath = `/invoices/new?job=${job.id}`;
  if (job.problem === null) {
    const { customerName, items } = job.payload as InvoiceRequest;
    return waitingPage(job, {
      title: 'Creating the invoice',
      note: customerName,
      subject: 'The invoice',
      extent: countOf(items.length, 'line'),
      here: `/invoices/jobs/${job.id}`,
    });
  }
  // Below 500 the sender can correct the request. Otherwise an operator may still run the job.
  if (job.problem.status < 500) return { to: formPath };
  return failedPage(job, {
    title: 'The invoice could not be created',
    link: { href: formPath, text: 'Open in the form' },
  });
}
