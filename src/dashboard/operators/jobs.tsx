// Operators → Failed jobs: the failed writes of all companies, with a button to retry each.
import { type FailedJob, listFailedJobs, retryJob } from '../../jobs/admin.js';
import type { FieldError } from '../../platform/errors.js';
import type { Cursors } from '../../platform/http/pagination.js';
import { directForm } from '../kit/forms/plain-form.js';
import { addressOf } from '../kit/lists/filters.js';
import { type PageAnswer, type PageRequest, type PageRoute, uuidOr404 } from '../kit/page.js';
import { Badge, Empty, PageHead, Pager, Panel, Time } from '../kit/ui/components.js';
import { Button, Form } from '../kit/ui/fields.js';
import { Alert } from '../kit/ui/first-focus.js';
import { formatCount } from '../kit/ui/format.js';
import { Table, Tabs } from '../kit/ui/list.js';
import { readStart } from './list-cursor.js';

const JOBS = '/admin/jobs';
/** Signs the list's cursors. */
const LIST = 'failed jobs';
const PAGE_SIZE = 50;

export function showFailedJobs(request: PageRequest, cursors: Cursors): Promise<PageAnswer> {
  return jobsPage(request, cursors, null);
}

export function retryForm(cursors: Cursors): PageRoute[] {
  return directForm<string, 'operator'>({
    path: `${JOBS}/:companyId/:id/retry`,
    guard: 'operator',
    send: async ({ params }) => {
      const id = uuidOr404('job', params.id);
      await retryJob(id, uuidOr404('job', params.companyId));
      return id;
    },
    done: id => ({
      to: JOBS,
      flash: `Job ${id} is queued again. A worker runs it within seconds.`,
    }),
    page: ({ refusal }, request) => jobsPage(request, cursors, refusal?.message ?? null),
  });
}

async function jobsPage(
  request: PageRequest,
  cursors: Cursors,
  refusal: string | null,
): Promise<PageAnswer> {
  const { session, query } = request;
  const showsAll = query.get('show') === 'all';
  const start = readStart(request, cursors, LIST);
  const { jobs, next } = await listFailedJobs(showsAll ? 'all' : 'retryable', start, PAGE_SIZE);
  const after = next && cursors.cursor(session.companyId, LIST, next);
  const show = showsAll ? 'all' : null;
  const body = (
    <>
      <PageHead title="Failed jobs" note="Failed jobs in all companies, newest first." />
      {refusal && <Alert>{refusal}</Alert>}
      <Tabs
        label="Filter"
        tabs={[
          { label: 'System failures', href: JOBS, isCurrent: !showsAll },
          {
            label: 'Including rejected requests',
            href: addressOf(JOBS, { show: 'all' }),
            isCurrent: showsAll,
          },
        ]}
      />
      {jobs.length === 0 ? (
        <Empty title={showsAll ? 'No failed jobs' : 'No system failures'} icon="check">
          <p>Jobs that failed five times appear here, with the reason and a button to retry.</p>
        </Empty>
      ) : (
        <Panel title="Jobs">
          <JobTable jobs={jobs} />
          <Pager
            first={start && addressOf(JOBS, { show })}
            next={after && addressOf(JOBS, { show, after })}
          />
        </Panel>
      )}
    </>
  );
  return { title: 'Failed jobs', body };
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
              <FieldErrors errors={reasonsBeside(error)} />
              <span class="by">
                Request <code>{requestId}</code>
                {attempts > 0 && `, ${formatCount(attempts, 'attempt')}`}
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

/** The errors of a refusal, without one that only repeats its sentence. */
function reasonsBeside({ detail, errors = [] }: FailedJob['error']): FieldError[] {
  return (errors as readonly FieldError[]).filter(
    error => isOfField(error.pointer) || error.detail !== detail,
  );
}

const isOfField = (pointer: string) => pointer !== '' && pointer !== '/';

/** The reasons of a refusal. A shortage names its item, most other errors their field. */
function FieldErrors({ errors }: { errors: readonly FieldError[] }) {
  const hidden = errors.length - MAX_ERRORS_SHOWN;
  return (
    <>
      {errors.slice(0, MAX_ERRORS_SHOWN).map(({ pointer, code, detail }) => (
        <span key={pointer} class="by wraps">
          {NAMES_ITEM.has(code) || !isOfField(pointer) ? detail : `${pointer}: ${detail}`}
        </span>
      ))}
      {hidden > 0 && <span class="by">And {hidden} more.</span>}
    </>
  );
}
const MAX_ERRORS_SHOWN = 3;
const NAMES_ITEM: ReadonlySet<string> = new Set(['insufficient_stock', 'stock_conflict']);
