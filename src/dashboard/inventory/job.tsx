// The page of a stock job: shows it while it waits, then leads to the item, or back to the form
// with the errors if it was refused.
import { findItemNames } from '../../inventory/names/match-items.js';
import { adjustmentBodies } from '../../inventory/queries.js';
import type { AdjustmentEntry, AdjustmentRequest } from '../../inventory/schema.js';
import type { JobState } from '../../jobs/queries.js';
import type { FieldError } from '../../platform/errors.js';
import type { ProblemDocument } from '../../platform/problem-document.js';
import type { Answer, PageAnswer, PageRequest } from '../kit/page.js';
import { getJobState } from '../kit/submit-write.js';
import { ButtonLink, PageHead, Panel } from '../kit/ui/components.js';
import { failedPage, JobFacts, waitingPage } from '../kit/ui/job-pages.js';
import { adjustedAnswer } from './adjust.js';
import { receivedAnswer } from './deliveries/receive.js';
import { getItem } from './item-view.js';
import { createdAnswer } from './new-item.js';
import { formPathOf } from './refusals.js';

/** The form of the job: a change of one item, a new item, or a delivery. */
type Made = 'change' | 'item' | 'delivery';

/**
 * `?made=` keeps the wording of the form: the payload, which tells the forms apart, is deleted once
 * the job succeeds.
 */
export async function showStockJob({
  session: { companyId },
  params,
  query,
}: PageRequest): Promise<Answer> {
  const job = await getJobState(companyId, params.id, 'inventory.adjust');
  const param = query.get('made');
  const made: Made = param === 'item' || param === 'delivery' ? param : 'change';
  if (job.resultId !== null) return succeededAnswer(companyId, job.resultId, made);
  if (job.problem === null) return stockWaitingPage(companyId, job, made);
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

async function succeededAnswer(companyId: string, resultId: string, made: Made): Promise<Answer> {
  const bodies = await adjustmentBodies([{ companyId, resultId }]);
  const body = bodies.get(resultId) ?? '{"movements":[]}';
  if (made === 'delivery') return receivedAnswer(body);
  const { movements } = JSON.parse(body) as { movements: { itemId: string }[] };
  const [movement] = movements;
  if (movement === undefined || movements.length > 1)
    return { to: '/inventory', flash: 'Stock updated.' };
  return made === 'item'
    ? createdAnswer(body)
    : adjustedAnswer(await getItem(companyId, movement.itemId), body);
}

async function stockWaitingPage(companyId: string, job: JobState, made: Made): Promise<PageAnswer> {
  const { items, reference = '' } = job.payload as AdjustmentRequest;
  const here = `/inventory/jobs/${job.id}`;
  if (made === 'delivery') {
    const [title, note] = ['Receiving the delivery', reference];
    return waitingPage(job, {
      title,
      note,
      subject: 'The delivery',
      here: `${here}?made=delivery`,
    });
  }
  const note = await nameOf(companyId, items[0]);
  return made === 'item'
    ? waitingPage(job, {
        title: 'Adding the item',
        note,
        subject: 'The item',
        here: `${here}?made=item`,
      })
    : waitingPage(job, { title: 'Updating stock', note, subject: 'The change', here });
}

/** The name of an entry's item, if the entry has it or its id. */
async function nameOf(companyId: string, entry: AdjustmentEntry | undefined): Promise<string> {
  const { itemId, name } = entry ?? {};
  if (name !== undefined || itemId === undefined) return name ?? '';
  return (await findItemNames(companyId, [itemId])).get(itemId) ?? '';
}

/** For a request of the API that no form can show, or one whose payload is deleted. */
function refusedPage(job: JobState, { detail, errors }: ProblemDocument): PageAnswer {
  const found = (errors ?? []) as readonly FieldError[];
  const title = 'Stock was not updated';
  const body = (
    <>
      <PageHead title={title} />
      <Panel title="Rejected">
        <p data-state={job.status}>
          {found.length === 0 ? detail : 'Nothing was written. These fields have errors:'}
        </p>
        {found.length > 0 && (
          <ul>
            {found.map(({ pointer, detail: sentence }) => (
              <li key={pointer}>
                <code>{pointer}</code> {sentence}
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
