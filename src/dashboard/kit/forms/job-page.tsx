// The page of a write's job. It waits, then leads to the result. After a refusal it leads back to
// the form with its input, or says what was wrong.
import type { JobState } from '../../../jobs/queries.js';
import type { Problem } from '../../../platform/errors.js';
import { type Answer, get, type PageAnswer, type PageRoute } from '../page.js';
import { ButtonLink, PageHead, Panel, Time } from '../ui/components.js';
import { getJobState, problemOf } from './submit-write.js';
import { type DeclaredForm, jobPath } from './write-form.js';

const REFRESH_SECONDS = 2;

interface Link {
  readonly href: string;
  readonly text: string;
}

/** The explanation of a refused job that no form can show. */
export interface Explanation {
  /** The title of the page. The default is the title of a failed job. */
  readonly title?: string;
  readonly text: string;
  readonly errors: readonly { readonly pointer?: string; readonly detail: string }[];
}

interface JobPages {
  /** The forms whose jobs have this address. The first one stands for requests of the API. */
  readonly forms: readonly [DeclaredForm, ...DeclaredForm[]];
  /** The link on a failed job that no form could have sent. */
  readonly home: Link;
  readonly explain?: (problem: Problem, currency: string) => Explanation;
}

/**
 * The page of the forms' jobs. `?made=` keeps the words of the form: the payload, which tells the
 * forms apart, is deleted once the job succeeds. All forms have one guard.
 */
export function jobPage({ forms, home, explain = explainByMessage }: JobPages): PageRoute {
  const types = forms.map(({ kind }) => kind.type);
  const [{ guard, job }] = forms;
  return get(`${job.path}/:id`, guard, async ({ session, params, query }) => {
    const { companyId, currency } = session;
    const state = await getJobState(companyId, params.id, types);
    const ofKind = forms.filter(({ kind }) => kind.type === state.type);
    const form = ofKind.find(({ job }) => job.made === query.get('made')) ?? ofKind[0] ?? forms[0];
    if (state.resultId !== null) return doneAnswer(companyId, form, state.resultId);
    if (state.problem === null) return waitingPage(companyId, form, state);
    const path = form.job.formPath(state.payload as never);
    const correctionPath = form.isRefilled && path !== null ? `${path}?job=${state.id}` : path;
    // Below 500 the sender can correct the request. Otherwise an operator may still run the job.
    const isRefused = state.problem.status < 500;
    if (isRefused && form.isRefilled && correctionPath !== null) return { to: correctionPath };
    const link =
      correctionPath === null
        ? home
        : { href: correctionPath, text: form.isRefilled ? 'Open in the form' : 'Open the form' };
    return isRefused
      ? refusedPage(
          state,
          { title: form.job.failed, ...explain(problemOf(state.problem), currency) },
          link,
        )
      : failedPage(state, form.job.failed, link);
  });
}

function explainByMessage({ message }: Problem): Explanation {
  return { text: message, errors: [] };
}

async function doneAnswer(
  companyId: string,
  { kind, job }: DeclaredForm,
  resultId: string,
): Promise<Answer> {
  const bodies = await kind.readBodies([{ companyId, resultId }]);
  return job.done({ resultId, body: bodies.get(resultId) ?? '{}' }, companyId);
}

async function waitingPage(
  companyId: string,
  { job }: DeclaredForm,
  state: JobState,
): Promise<PageAnswer> {
  const { title, subject } = job;
  const payload = state.payload as never;
  const body = (
    <>
      <PageHead title={title} note={await job.note(payload, companyId)} />
      <Panel title="In progress" note={job.extent?.(payload)}>
        <div class="waiting" data-state={state.status}>
          <p>{subject} is saved and will be processed in a moment. You can leave this page.</p>
          <progress aria-label="In progress" />
        </div>
        <JobFacts job={state} />
        <p>
          <ButtonLink href={jobPath(job, state.id)} quiet>
            Refresh
          </ButtonLink>
        </p>
      </Panel>
    </>
  );
  return { title, body, scripts: ['wait.js'], refreshSeconds: REFRESH_SECONDS };
}

/** The page of a job that failed because of an internal error. An operator may still retry it. */
function failedPage(state: JobState, title: string, link: Link): PageAnswer {
  const body = (
    <>
      <PageHead title={title} />
      <Panel title="Something went wrong on our side">
        <p data-state={state.status}>
          Nothing was saved. Contact your administrator, who can retry this job as it was sent. Ask
          before you submit it again, or it may be saved twice.
        </p>
        <JobFacts job={state} />
        <p>
          <ButtonLink href={link.href} quiet>
            {link.text}
          </ButtonLink>
        </p>
      </Panel>
    </>
  );
  return { title, body };
}

function refusedPage(
  state: JobState,
  { title, text, errors }: Explanation & { readonly title: string },
  link: Link,
): PageAnswer {
  const body = (
    <>
      <PageHead title={title} />
      <Panel title="Rejected">
        <p data-state={state.status}>{text}</p>
        {errors.length > 0 && (
          <ul>
            {errors.map(({ pointer, detail }) => (
              <li key={pointer ?? detail}>
                {pointer && <code>{pointer}</code>} {detail}
              </li>
            ))}
          </ul>
        )}
        <JobFacts job={state} />
        <p>
          <ButtonLink href={link.href}>{link.text}</ButtonLink>
        </p>
      </Panel>
    </>
  );
  return { title, body };
}

/** The job's id, times and request, for finding it in the log. */
export function JobFacts({ job: { id, acceptedAt, finishedAt, requestId } }: { job: JobState }) {
  return (
    <dl class="facts">
      <dt>Id</dt>
      <dd>
        <code>{id}</code>
      </dd>
      <dt>Accepted</dt>
      <dd>
        <Time at={acceptedAt.toISOString()} />
      </dd>
      {finishedAt && (
        <>
          <dt>Done</dt>
          <dd>
            <Time at={finishedAt.toISOString()} />
            <span class="note">
              {' '}
              ({Math.max(0, finishedAt.getTime() - acceptedAt.getTime())} ms later)
            </span>
          </dd>
        </>
      )}
      <dt>Request</dt>
      <dd>
        <code>{requestId}</code>
      </dd>
    </dl>
  );
}
