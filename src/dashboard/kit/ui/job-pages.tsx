// Pages for a write's job, whatever it writes: while it waits, and after it failed.
import type { JobState } from '../../../jobs/queries.js';
import type { PageAnswer } from '../page.js';
import { ButtonLink, PageHead, Panel, Time } from './components.js';

const REFRESH_SECONDS = 2;

interface WaitingJob {
  readonly title: string;
  /** The customer or the item. */
  readonly note: string;
  /** The write as the subject of a sentence: 'The invoice'. */
  readonly subject: string;
  readonly extent?: string;
  /** The address of this page. */
  readonly here: string;
}

export function waitingPage(
  job: JobState,
  { title, note, subject, extent, here }: WaitingJob,
): PageAnswer {
  const body = (
    <>
      <PageHead title={title} note={note} />
      <Panel title="In progress" note={extent}>
        <div class="waiting" data-state={job.status}>
          <p>{subject} is saved and will be processed in a moment. You can leave this page.</p>
          <progress aria-label="In progress" />
        </div>
        <JobFacts job={job} />
        <p>
          <ButtonLink href={here} quiet>
            Refresh
          </ButtonLink>
        </p>
      </Panel>
    </>
  );
  return { title, body, scripts: ['wait.js'], refreshSeconds: REFRESH_SECONDS };
}

interface FailedJob {
  readonly title: string;
  /** Where the person can review the request. */
  readonly link: { readonly href: string; readonly text: string };
}

/** For a job that failed on our side; an operator may still retry it. */
export function failedPage(job: JobState, { title, link }: FailedJob): PageAnswer {
  const body = (
    <>
      <PageHead title={title} />
      <Panel title="Something went wrong on our side">
        <p data-state={job.status}>
          Nothing was saved. Contact your administrator, who can retry this job as it was sent. Ask
          before you submit it again, or it may be saved twice.
        </p>
        <JobFacts job={job} />
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
