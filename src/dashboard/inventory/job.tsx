// A stock write on its way: shown as long as it waits, then on to the item, or back to its form with what was refused.
import { adjustmentBodies, findItem } from '../../inventory/queries.js';
import type { AdjustmentRequest } from '../../inventory/schema.js';
import type { JobState } from '../../jobs/queries.js';
import type { ProblemDocument } from '../../platform/problem-document.js';
import { parseDecimalJson } from '../kit/decimal-json.js';
import { refusedForm } from '../kit/form.js';
import type { Answer, PageAnswer, PageRequest } from '../kit/page.js';
import { problemOf } from '../kit/submit-write.js';
import { ButtonLink, PageHead, Panel } from '../kit/ui/components.js';
import { failedPage, JobFacts, waitingPage } from '../kit/ui/job-pages.js';
import { adjustedAnswer } from './adjust.js';
import type { Item } from './item-view.js';
import { createdAnswer } from './new-item.js';
import { formOf, getStockJob } from './refusals.js';

/** With ?made=item it is told of as of a new item: once it is done, nothing of its request tells. */
export async function showStockJob({
  session: { companyId },
  params,
  query,
}: PageRequest): Promise<Answer> {
  const job = await getStockJob(companyId, params.id ?? '');
  const makesItem = query.get('made') === 'item';
  if (job.resultId !== null) {
    const bodies = await adjustmentBodies([{ companyId, resultId: job.resultId }]);
    return writtenAnswer(bodies.get(job.resultId) ?? '{"movements":[]}', makesItem);
  }
  if (job.problem === null) return stockWaitingPage(companyId, job, makesItem);
  const form = formOf(job);
  // Refused, and whoever asked can mend it; what failed by a fault of ours an operator may still carry out.
  if (job.problem.status < 500)
    return form === null ? refusedPage(job, job.problem) : { to: `${form}?job=${job.id}` };
  return failedPage(job, {
    title: 'The stock could not be changed',
    link:
      form === null
        ? { href: '/inventory', text: 'To the inventory' }
        : { href: `${form}?job=${job.id}`, text: 'Open it in the form' },
  });
}

function writtenAnswer(body: string, makesItem: boolean): Answer {
  const { movements } = JSON.parse(body) as { movements: { itemId: string }[] };
  const [moved] = movements;
  if (moved === undefined || movements.length > 1)
    return { to: '/inventory', flash: 'Stock is changed.' };
  return makesItem ? createdAnswer(body) : adjustedAnswer(moved.itemId, body);
}

async function stockWaitingPage(
  companyId: string,
  job: JobState,
  makesItem: boolean,
): Promise<PageAnswer> {
  const [entry] = (job.payload as AdjustmentRequest).items;
  const item = entry?.itemId === undefined ? null : await findItem(companyId, entry.itemId);
  const note = entry?.name ?? (item === null ? '' : parseDecimalJson<Item>(item).name);
  const here = `/inventory/jobs/${job.id}`;
  return makesItem
    ? waitingPage(job, {
        title: 'Adding the item',
        note,
        subject: 'The item',
        here: `${here}?made=item`,
      })
    : waitingPage(job, { title: 'Changing stock', note, subject: 'The change', here });
}

/** For what the forms of these pages did not ask for, and for what is no longer known of. */
function refusedPage(job: JobState, problem: ProblemDocument): PageAnswer {
  const { errors, message } = refusedForm(new URLSearchParams(), problemOf(problem));
  const title = 'Stock was not changed';
  const body = (
    <>
      <PageHead title={title} />
      <Panel title="Refused">
        <p data-state={job.status}>
          {errors.size === 0 ? message : 'Nothing was written. This was not right:'}
        </p>
        {errors.size > 0 && (
          <ul>
            {[...errors].map(([name, sentence]) => (
              <li key={name}>
                <code>{name}</code> {sentence}
              </li>
            ))}
          </ul>
        )}
        <JobFacts job={job} />
        <p>
          <ButtonLink href="/inventory">To the inventory</ButtonLink>
        </p>
      </Panel>
    </>
  );
  return { title, body };
}
