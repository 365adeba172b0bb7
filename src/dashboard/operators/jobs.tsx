// Operators → Failed jobs: what could not be carried out and why, of all companies, and trying it again.
import { type FailedJob, listFailedJobs, retryJob } from '../../jobs/admin.js';
import { Problem } from '../../platform/errors.js';
import { isUuid } from '../../platform/values/ids.js';
import type { Answer, PageAnswer, PageRequest } from '../kit/page.js';
import { Badge, Empty, PageHead, Pager, Panel, Table, Time } from '../kit/ui/components.js';
import { Button, Form } from '../kit/ui/fields.js';
import { listAddress, placeText, readPlace } from './list-cursor.js';

const JOBS = '/admin/jobs';
const PAGE = 50;
const TIME = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d{1,6})?[+-]\d\d(?::\d\d){0,2}$/u;

export function showFailedJobs(request: PageRequest): Promise<PageAnswer> {
  return jobsPage(request, null);
}

export async function retry(request: PageRequest): Promise<Answer> {
  const { companyId = '', id = '' } = request.params;
  if (!isUuid(companyId) || !isUuid(id)) throw new Problem('not_found', `There is no job ${id}.`);
  try {
    await retryJob(id, companyId);
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'validation_failed') throw error;
    return { ...(await jobsPage(request, error.message)), status: 422 };
  }
  return { to: JOBS, flash: `Job ${id} is queued again. A worker takes it within seconds.` };
}

async function jobsPage({ query }: PageRequest, refusal: string | null): Promise<PageAnswer> {
  const which = query.get('show') === 'all' ? 'all' : 'retryable';
  const after = readPlace(query.get('after'), (time, id) => TIME.test(time) && isUuid(id));
  const { jobs, next } = await listFailedJobs(which, after, PAGE);
  const show = which === 'all' ? 'all' : null;
  const body = (
    <>
      <PageHead
        title="Failed jobs"
        note="Writes of all companies that were not carried out, newest first."
      />
      {refusal && (
        <p class="message bad" role="alert">
          {refusal}
        </p>
      )}
      <nav class="tabs" aria-label="Which jobs">
        <a class="tab" href={JOBS} aria-current={which === 'retryable' ? 'page' : undefined}>
          Failed on our side
        </a>
        <a
          class="tab"
          href={`${JOBS}?show=all`}
          aria-current={which === 'all' ? 'page' : undefined}
        >
          With refusals
        </a>
      </nav>
      {jobs.length === 0 ? (
        <Empty title={which === 'all' ? 'No job has failed.' : 'No job has failed on our side.'}>
          <p>
            What a worker cannot carry out after five tries stands here, with its reason and a
            button to try again.
          </p>
        </Empty>
      ) : (
        <Panel title="Jobs">
          <JobTable jobs={jobs} />
          <Pager
            first={after && listAddress(JOBS, { show })}
            next={next && listAddress(JOBS, { show, after: placeText(next) })}
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
        { head: 'Company', cell: ({ companyName }) => companyName },
        {
          head: 'Reason',
          cell: ({ error, attempts, requestId }) => (
            <>
              <Badge tone="bad">{error.code}</Badge>
              <span class="by">{error.detail}</span>
              <span class="by">
                Request <code>{requestId}</code>, {attempts}{' '}
                {attempts === 1 ? 'attempt' : 'attempts'}
              </span>
            </>
          ),
        },
        { head: 'Failed', cell: ({ finishedAt }) => <Time at={finishedAt} /> },
        {
          head: 'Change',
          align: 'end',
          cell: ({ retryable, companyId, jobId }) =>
            retryable ? (
              <Form action={`${JOBS}/${companyId}/${jobId}/retry`} inline>
                <Button quiet about={`job ${jobId}`}>
                  Retry
                </Button>
              </Form>
            ) : (
              'final'
            ),
        },
      ]}
    />
  );
}
