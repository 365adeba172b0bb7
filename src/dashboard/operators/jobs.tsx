// Operators → Failed jobs: the failed writes of all companies, with a button to retry each.
import { type FailedJob, listFailedJobs, retryJob } from '../../jobs/admin.js';
import { type FieldError, Problem } from '../../platform/errors.js';
import { isCalendarDate } from '../../platform/http/input/validate.js';
import { isUuid } from '../../platform/values/ids.js';
import { type Answer, type PageAnswer, type PageRequest, uuidOr404 } from '../kit/page.js';
import { Badge, Empty, PageHead, Pager, Panel, Table, Time } from '../kit/ui/components.js';
import { Button, Form } from '../kit/ui/fields.js';
import { Alert } from '../kit/ui/first-focus.js';
import { formatCursor, listUrl, parseCursor } from './list-cursor.js';

const JOBS = '/admin/jobs';
const PAGE_SIZE = 50;
/** A timestamptz as Postgres prints it in UTC: the sort key in a list cursor. */
const TIME = /^(\d{4}-\d\d-\d\d) (?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,6})?\+00$/u;

export function showFailedJobs(request: PageRequest): Promise<PageAnswer> {
  return jobsPage(request, null);
}

export async function retry(request: PageRequest): Promise<Answer> {
  const id = uuidOr404('job', request.params.id);
  try {
    await retryJob(id, uuidOr404('job', request.params.companyId));
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'validation_failed') throw error;
    return { ...(await jobsPage(request, error.message)), status: 422 };
  }
  return { to: JOBS, flash: `Job ${id} is queued again. A worker runs it within seconds.` };
}

async function jobsPage({ query }: PageRequest, refusal: string | null): Promise<PageAnswer> {
  const which = query.get('show') === 'all' ? 'all' : 'retryable';
  const after = parseCursor(query.get('after'), (time, id) => isTime(time) && isUuid(id));
  const { jobs, next } = await listFailedJobs(which, after, PAGE_SIZE);
  const show = which === 'all' ? 'all' : null;
  const body = (
    <>
      <PageHead title="Failed jobs" note="Failed writes of all companies, newest first." />
      {refusal && <Alert>{refusal}</Alert>}
      <nav class="tabs" aria-label="Filter">
        <a class="tab" href={JOBS} aria-current={which === 'retryable' ? 'page' : undefined}>
          System failures
        </a>
        <a
          class="tab"
          href={`${JOBS}?show=all`}
          aria-current={which === 'all' ? 'page' : undefined}
        >
          Including rejected requests
        </a>
      </nav>
      {jobs.length === 0 ? (
        <Empty title={which === 'all' ? 'No failed jobs.' : 'No system failures.'} icon="check">
          <p>Jobs that failed five times appear here, with the reason and a button to retry.</p>
        </Empty>
      ) : (
        <Panel title="Jobs">
          <JobTable jobs={jobs} />
          <Pager
            first={after && listUrl(JOBS, { show })}
            next={next && listUrl(JOBS, { show, after: formatCursor(next) })}
          />
        </Panel>
      )}
    </>
  );
  return { title: 'Failed jobs', body };
}

/** True for a time that exists; Postgres refuses any other. */
function isTime(text: string): boolean {
  return isCalendarDate(TIME.exec(text)?.[1] ?? '');
}

function JobTable({ jobs }: { jobs: readonly FailedJob[] }) {
  return (
    <Table
      caption="Failed jobs, newest first"
      rows={jobs}
      columns={[
        {
          head: 'Job',
          cell: ({ type, jobId }) => (
            <>
              {type}
              <code class="key-id">{jobId}</code>
            </>
          ),
        },
        { head: 'Company', cell: ({ companyName }) => <span class="wraps">{companyName}</span> },
        {
          head: 'Reason',
          cell: ({ error, attempts, requestId, retryable }) => (
            <>
              <Badge tone={retryable ? 'bad' : 'plain'}>{error.code}</Badge>
              <span class="by">{error.detail}</span>
              <FieldErrors errors={(error.errors ?? []) as readonly FieldError[]} />
              <span class="by">
                Request <code>{requestId}</code>
                {attempts > 0 && `, ${attempts} ${attempts === 1 ? 'attempt' : 'attempts'}`}
              </span>
            </>
          ),
        },
        { head: 'Failed', cell: ({ finishedAt }) => <Time at={finishedAt} /> },
        {
          head: 'Actions',
          align: 'end',
          cell: ({ retryable, companyId, jobId }) =>
            retryable ? (
              <Form action={`${JOBS}/${companyId}/${jobId}/retry`} inline>
                <Button quiet about={`job ${jobId}`}>
                  Retry
                </Button>
              </Form>
            ) : (
              'Not retryable'
            ),
        },
      ]}
    />
  );
}

/** Why a request was refused. A shortage names its item, any other error its field. */
function FieldErrors({ errors }: { errors: readonly FieldError[] }) {
  const rest = errors.length - MAX_ERRORS_SHOWN;
  return (
    <>
      {errors.slice(0, MAX_ERRORS_SHOWN).map(({ pointer, code, detail }) => (
        <span key={pointer} class="by wraps">
          {NAMES_ITEM.has(code) ? detail : `${pointer}: ${detail}`}
        </span>
      ))}
      {rest > 0 && <span class="by">And {rest} more.</span>}
    </>
  );
}
const MAX_ERRORS_SHOWN = 3;
const NAMES_ITEM: ReadonlySet<string> = new Set(['insufficient_stock', 'stock_conflict']);
