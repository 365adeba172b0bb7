// An invoice on its way: shown as long as it waits, then on to the invoice, or back to the form with what was refused.
import { findInvoice } from '../../invoices/queries.js';
import type { InvoiceRequest } from '../../invoices/schema.js';
import { findJobState } from '../../jobs/queries.js';
import { Problem } from '../../platform/errors.js';
import { isUuid } from '../../platform/values/ids.js';
import type { Answer, PageRequest } from '../kit/page.js';
import { failedPage, waitingPage } from '../kit/ui/job-pages.js';
import { createdAnswer } from './create.js';

export async function showInvoiceJob({ session, params }: PageRequest): Promise<Answer> {
  const id = params.id ?? '';
  const job = isUuid(id) ? await findJobState(session.companyId, id) : null;
  if (job?.type !== 'invoice.create') throw new Problem('not_found', 'There is no such job.');
  if (job.resultId !== null) {
    return createdAnswer(
      job.resultId,
      (await findInvoice(session.companyId, job.resultId)) ?? '{}',
    );
  }
  const form = `/invoices/new?job=${job.id}`;
  if (job.problem === null) {
    const { customerName, items } = job.payload as InvoiceRequest;
    return waitingPage(job, {
      title: 'Creating the invoice',
      note: customerName,
      subject: 'The invoice',
      extent: `${items.length} ${items.length === 1 ? 'line' : 'lines'}`,
      here: `/invoices/jobs/${job.id}`,
    });
  }
  // Refused, and whoever asked can mend it; what failed by a fault of ours an operator may still carry out.
  if (job.problem.status < 500) return { to: form };
  return failedPage(job, {
    title: 'The invoice could not be written',
    link: { href: form, text: 'Open it in the form' },
  });
}
