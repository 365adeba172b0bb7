// An invoice on its way: shown as long as it waits, then on to the invoice, or back to the form with what was refused.
import { findInvoice } from '../../invoices/queries.js';
import type { InvoiceRequest } from '../../invoices/schema.js';
import { findJobState, type JobState } from '../../jobs/queries.js';
import { Problem } from '../../platform/errors.js';
import { isUuid } from '../../platform/uuid.js';
import { ButtonLink, PageHead, Panel } from '../components.js';
import type { Answer, PageAnswer, Visit } from '../visit.js';
import { createdAnswer } from './create.js';
import { JobFacts } from './detail.js';

const REFRESH_SECONDS = 2;

export async function showInvoiceJob({ session, params }: Visit): Promise<Answer> {
  const id = params.id ?? '';
  const job = isUuid(id) ? await findJobState(session.companyId, id) : null;
  if (job?.type !== 'invoice.create') throw new Problem('not_found', 'There is no such job.');
  if (job.resultId !== null) {
    return createdAnswer(job.resultId, (await findInvoice(session.companyId, job.resultId)) ?? '{}');
  }
  if (job.problem === null) return waitingPage(job);
  // Refused, and whoever asked can mend it; what failed by a fault of ours an operator may still carry out.
  return job.problem.status < 500 ? { to: `/invoices/new?job=${job.id}` } : failedPage(job);
}

function waitingPage(job: JobState): PageAnswer {
  const { customerName, items } = job.payload as InvoiceRequest;
  const body = (
    <>
      <PageHead title="Creating the invoice" note={customerName} />
      <Panel title="Waiting for its turn" note={`${items.length} ${items.length === 1 ? 'line' : 'lines'}`}>
        <div class="waiting" data-state={job.status}>
          <p>
            The invoice is safely taken on and will be written in a moment, also when you leave this page. It goes on by
            itself.
          </p>
          <progress aria-label="Waiting" />
        </div>
        <JobFacts job={job} />
        <p>
          <ButtonLink href={`/invoices/jobs/${job.id}`} quiet>
            Look again
          </ButtonLink>
        </p>
      </Panel>
    </>
  );
  return { title: 'Creating the invoice', body, scripts: ['wait.js'], refreshSeconds: REFRESH_SECONDS };
}

function failedPage(job: JobState): PageAnswer {
  const body = (
    <>
      <PageHead title="The invoice could not be written" />
      <Panel title="The fault is ours">
        <p data-state={job.status}>
          Nothing was written, and it is in the log under the request below. Whoever runs this installation can have it
          carried out as it was sent. Ask them before you send it again, or it may be written twice.
        </p>
        <JobFacts job={job} />
        <p>
          <ButtonLink href={`/invoices/new?job=${job.id}`} quiet>
            Open it in the form
          </ButtonLink>
        </p>
      </Panel>
    </>
  );
  return { title: 'The invoice could not be written', body };
}
