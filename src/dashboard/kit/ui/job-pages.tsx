// A write on its way, whatever it writes: shown as long as it waits, and what there is to say where it failed.
import type { JobState } from '../../../jobs/queries.js';
import type { PageAnswer } from '../page.js';
import { ButtonLink, PageHead, Panel, Time } from './components.js';

const REFRESH_SECONDS = 2;

interface Waiting {
  readonly title: string;
  /** Whom or what it is for. */
  readonly note: string;
  /** What is being written: 'The invoice'. */
  readonly subject: string;
  readonly extent?: string;
  readonly here: string;
}

export function waitingPage(
  job: JobState,
  { title, note, subject, extent, here }: Waiting,
): PageAnswer {
  const body = (
    <>
      <PageHead title={title} note={note} />
      <Panel title="Waiting for its turn" note={extent}>
        <div class="waiting" data-state={job.status}>
          <p>
            {subject} is safely taken on and will be written in a moment, also when you leave this
            page. It goes on by itself.
          </p>
          <progress aria-label="Waiting" />
        </div>
        <JobFacts job={job} />
        <p>
          <ButtonLink href={here} quiet>
            Look again
          </ButtonLink>
        </p>
      </Panel>
    </>
  );
  return { title, body, scripts: ['wait.js'], refreshSeconds: REFRESH_SECONDS };
}

interface Failed {
  readonly title: string;
  /** Where what was asked for can be looked at. */
  readonly link: { readonly href: string; readonly text: string };
}

/** Failed by a fault of ours: an operator may still carry it out. */
export function failedPage(job: JobState, { title, link }: Failed): PageAnswer {
  const body = (
    <>
      <PageHead title={title} />
      <Panel title="The fault is ours">
        <p data-state={job.status}>
          Nothing was written, and it is in the log under the request below. Whoever runs this
          installation can have it carried out as it was sent. Ask them before you send it again, or
          it may be written twice.
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

/** What is known of a job, for whoever looks for it in the log. */
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
