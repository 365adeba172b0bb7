// The page of a stock job: shows it while it waits, then leads to the item, or back to the form
// with the errors if it was refused.
import { adjustmentBodies, findItem } from '../../inventory/queries.js';
import type { AdjustmentRequest } from '../../inventory/schema.js';
import type { JobState } from '../../jobs/queries.js';
import type { ProblemDocument } from '../../platform/problem-document.js';
import { parseDecimalJson } from '../kit/decimal-json.js';
import { refusedForm } from '../kit/form.js';
import type { Answer, PageAnswer, PageRequest } from '../kit/page.js';
import { getJobState, problemOf } from '../kit/submit-write.js';
import { ButtonLink, PageHead, Panel } from '../kit/ui/components.js';
import { failedPage, JobFacts, waitingPage } from '../kit/ui/job-pages.js';
import { adjustedAnswer } from './adjust.js';
import { getItem, type Item } from './item-view.js';
import { createdAnswer } from './new-item.js';
import { formPathOf } from './refusals.js';

/**
 * `?made=item` keeps the wording of a new item: the payload, which tells the two apart, is deleted
 * once the job succeeds.
 */
export async function showStockJob({
  session: { companyId },
  params,
  query,
}: PageRequest): Promise<Answer> {
  const job = await getJobState(companyId, params.id, 'inventory.adjust');
  const isNewItem = query.get('made') === 'item';
  if (job.resultId !== null) return succeededAnswer(companyId, job.resultId, isNewItem);
  if (job.problem === null) return stockWaitingPage(companyId, job, isNewItem);
  const formPath = formPathOf(job);
  const correctionPath = formPath === null ? null : `${formPath}?job=${job.id}`;
  // Below 500 the sender can correct the request. Otherwise an operator may still run the job.
  if (job.problem.status < 500)
    return correctionPath === null ? refusedPage(job, job.problem) : { to: correctionPath };
  return failedPage(job, {
    title: 'Stock could not be updated',
    link:
      correctionPath === null
        ? { href: '/inventory', text: 'View inventory' }
        : { href: correctionPath, text: 'Open in the form' },
  });
}

async function succeededAnswer(
  companyId: string,
  resultId: string,
  isNewItem: boolean,
): Promise<Answer> {
  const bodies = await adjustmentBodies([{ companyId, resultId }]);
  const body = bodies.get(resultId) ?? '{"movements":[]}';
  const { movements } = JSON.parse(body) as { movements: { itemId: string }[] };
  const [movement] = movements;
  if (movement === undefined || movements.length > 1)
    return { to: '/inventory', flash: 'Stock updated.' };
  return isNewItem
    ? createdAnswer(body)
    : adjustedAnswer(await getItem(companyId, movement.itemId), body);
}

async function stockWaitingPage(
  companyId: string,
  job: JobState,
  isNewItem: boolean,
): Promise<PageAnswer> {
  const { itemId, name } = (job.payload as AdjustmentRequest).items[0] ?? {};
  // The API accepts an unknown item id: the worker refuses it later.
  const item = itemId === undefined ? null : await findItem(companyId, itemId);
  const note = name ?? (item === null ? '' : parseDecimalJson<Item>(item).name);
  const here = `/inventory/jobs/${job.id}`;
  return isNewItem
    ? waitingPage(job, {
        title: 'Adding the item',
        note,
        subject: 'The item',
        here: `${here}?made=item`,
      })
    : waitingPage(job, { title: 'Updating stock', note, subject: 'The change', here });
}

/** For a request of the API that no form can show, or one whose payload is deleted. */
function refusedPage(job: JobState, problem: ProblemDocument): PageAnswer {
  const { errors, message } = refusedForm(new URLSearchParams(), problemOf(problem));
  const title = 'Stock was not updated';
  const body = (
    <>
      <PageHead title={title} />
      <Panel title="Rejected">
        <p data-state={job.status}>
          {errors.size === 0 ? message : 'Nothing was written. These fields have errors:'}
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
          <ButtonLink href="/inventory">View inventory</ButtonLink>
        </p>
      </Panel>
    </>
  );
  return { title, body };
}
