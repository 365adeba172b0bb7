// Jobs that an internal error failed: they were promised, so they wait for an operator or for a
// repeat of the request, however old they are.
import { expect } from 'chai';
import { v7 as uuidv7 } from 'uuid';
import { retryJobs } from '../../src/jobs/admin.js';
import { MAX_QUEUED_OF_COMPANY } from '../../src/jobs/submit/backpressure.js';
import { fingerprintOf, jobId } from '../../src/jobs/submit/submission.js';
import { closeDatabase } from '../../src/platform/db/connection.js';
import { runAdmin } from '../support/commands.js';
import { invoiceRequest, makeCompany, type TestCompany } from '../support/factories.js';
import { until } from '../support/processes.js';
import { runRetention } from '../support/retention.js';
import { describeMode, openForTests } from '../support/suite.js';

const INTERNAL_ERROR = {
  type: 'about:blank',
  title: 'Internal error',
  status: 500,
  code: 'internal_error',
  detail: 'The write failed.',
  instance: '/api/external/invoices',
  requestId: 'failed',
};

interface FailedJob {
  readonly id?: string;
  readonly payload?: object | null;
  readonly fingerprint?: string;
  readonly attempts?: number;
  readonly ageDays?: number;
}

describeMode('postgres', 'a job that an internal error failed', stack => {
  const addFailed = async ({ companyId }: TestCompany, job: FailedJob = {}): Promise<string> => {
    const { id = uuidv7(), payload = invoiceRequest(), attempts = 5, ageDays = 0 } = job;
    const fingerprint = Buffer.from(job.fingerprint ?? '00'.repeat(32), 'hex');
    await stack().sql(
      `INSERT INTO jobs (
         company_id, id, type, status, fingerprint, submission_id, request_id,
         payload, attempts, error, finished_at
       )
       VALUES (
         $1, $2, 'invoice.create', 'failed', $3, $2, 'failed',
         $4, $5, $6, now() - $7 * interval '1 day'
       )`,
      [...[companyId, id, fingerprint, payload, attempts], ...[INTERNAL_ERROR, ageDays]],
    );
    return id;
  };

  const retry = (...args: string[]) => runAdmin(stack(), 'jobs', 'retry', ...args);

  const countInvoices = async (company: TestCompany) =>
    (await company.get('/invoices')).body.length;

  it('keeps a job that an internal error failed beyond the retention of other jobs', async () => {
    const company = await makeCompany(stack());
    const promised = await addFailed(company, { ageDays: 60 });
    const refused = await addFailed(company, { ageDays: 60, payload: null });
    await runRetention(stack());
    const statuses = [promised, refused].map(async id => (await company.get(`/jobs/${id}`)).status);
    expect(await Promise.all(statuses)).to.deep.equal([200, 404]);
  });

  it('retries all failed jobs, those of one company, or those since a time', async () => {
    const [one, other] = [await makeCompany(stack()), await makeCompany(stack())];
    await addFailed(one);
    await addFailed(one);
    await addFailed(one, { payload: null });
    await addFailed(one, { ageDays: 2 });
    await addFailed(other);
    const since = new Date(Date.now() - 86_400_000).toISOString();
    expect(await retry('--all', '--since', since, '--company', one.companyId)).to.deep.equal({
      retried: 2,
    });
    await until('the invoices exist', async () => (await countInvoices(one)) === 2);
    expect(await countInvoices(other)).to.equal(0);
    expect((await retry('--all')).retried).to.be.at.least(2);
    await until('all invoices exist', async () => (await countInvoices(one)) === 3);
    await until('its invoice exists', async () => (await countInvoices(other)) === 1);
    const refusal = await retry().catch((error: Error) => error.message);
    expect(refusal).to.equal('jobs retry requires either --job or --all.');
  });

  it('retries failed jobs in steps, so that the backlog stays below its limits', async () => {
    const company = await makeCompany(stack());
    const [jobs, weight] = [1_200, 50];
    expect(jobs * weight).to.be.above(MAX_QUEUED_OF_COMPANY);
    await stack().sql(
      `INSERT INTO jobs (
         company_id, id, type, status, fingerprint, submission_id, request_id,
         payload, attempts, error, finished_at, weight
       )
       SELECT $1, id, 'invoice.create', 'failed', sha256('x'), id, 'failed', $2, 5, $3, now(), $4
       FROM (SELECT gen_random_uuid() AS id FROM generate_series(1, $5::int)) AS made`,
      [company.companyId, invoiceRequest(), INTERNAL_ERROR, weight, jobs],
    );
    openForTests(stack().databaseUrl, 2);
    let most = 0;
    try {
      const retrying = retryJobs({ since: undefined, companyId: company.companyId });
      await until('all jobs are carried out', async () => {
        const [row] = await stack().sql<{ weight: number; succeeded: number }>(
          `SELECT COALESCE(sum(weight) FILTER (WHERE status = 'queued'), 0)::int AS weight,
             count(*) FILTER (WHERE status = 'succeeded')::int AS succeeded
           FROM jobs
           WHERE company_id = $1`,
          [company.companyId],
        );
        most = Math.max(most, row?.weight ?? 0);
        return row?.succeeded === jobs;
      });
      expect(await retrying).to.deep.equal({ retried: jobs });
    } finally {
      await closeDatabase();
    }
    expect(most).to.be.above(0).and.below(MAX_QUEUED_OF_COMPANY);
  });

  it('gives a failed job another attempt per repeat of its request, up to a limit', async () => {
    const company = await makeCompany(stack());
    const body = invoiceRequest();
    const key = 'order-1';
    const id = await addFailed(company, {
      id: jobId(company.companyId, key),
      payload: { customerName: 'No items' },
      fingerprint: fingerprintOf('/api/external/invoices', body),
      attempts: 18,
    });
    const attempts = async () => {
      const [row] = await stack().sql<{ attempts: number; status: string }>(
        'SELECT attempts, status FROM jobs WHERE company_id = $1 AND id = $2',
        [company.companyId, id],
      );
      return [row?.attempts, row?.status];
    };
    for (const made of [19, 20, 20]) {
      const { status } = await company.post('/invoices', body, {
        headers: { 'idempotency-key': key },
      });
      expect([status, ...(await attempts())]).to.deep.equal([500, made, 'failed']);
    }
    await stack().sql('UPDATE jobs SET payload = $3 WHERE company_id = $1 AND id = $2', [
      ...[company.companyId, id, body],
    ]);
    expect(await retry('--job', id)).to.include({ jobId: id, status: 'queued' });
    await until('the invoice exists', async () => (await countInvoices(company)) === 1);
  });
});
