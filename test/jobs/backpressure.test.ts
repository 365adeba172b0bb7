// More writes than workers can settle: accepted ones are carried out, others get 503, reads go on.
import { expect } from 'chai';
import { v7 as uuidv7 } from 'uuid';
import { MAX_AGE_SECONDS, MAX_QUEUED } from '../../src/jobs/submit/backpressure.js';
import { signedIn } from '../support/dashboard.js';
import { invoiceRequest, makeCompany } from '../support/factories.js';
import { until } from '../support/processes.js';
import { inBothModes } from '../support/suite.js';

inBothModes('back-pressure', stack => {
  /** Inserts queued jobs that no worker claims, the oldest of the given age. */
  const queueJobs = (companyId: string, count: number, ageSeconds: number) =>
    stack().sql(
      `INSERT INTO jobs (
         company_id, id, type, status, fingerprint,
         submission_id, request_id, payload, run_at, created_at
       )
       SELECT $1, gen_random_uuid(), 'invoice.create', 'queued', sha256(n::text::bytea),
         gen_random_uuid(), 'backlog', '{}', 'infinity', now() - $3 * interval '1 second'
       FROM generate_series(1, $2::int) n`,
      [companyId, count, ageSeconds],
    );
  // Triggers refuse to delete queued rows. Settling them would take five times as long.
  const clearJobs = (companyId: string) =>
    stack().sql(
      `BEGIN;
       SET LOCAL session_replication_role = replica;
       DELETE FROM jobs WHERE company_id = '${companyId}' AND request_id = 'backlog';
       COMMIT`,
    );

  /** Checks that the dashboard shows the form again, as typed and with the same key. */
  const checkFormIsShownAgain = async (companyId: string) => {
    const { browser } = await signedIn(stack(), companyId);
    const key = uuidv7();
    const line = { 'items.0.name': 'Delivery', 'items.0.qty': '1', 'items.0.price': '1' };
    const fields = { key, customerName: 'Typed', date: '2026-11-20', ...line };
    const { status, text } = await browser.post('/invoices/new', '/invoices/new', fields);
    expect(status).to.equal(503);
    expect(text)
      .to.contain('could not be saved right now')
      .and.contain(`value="${key}"`)
      .and.contain('value="Typed"');
  };

  for (const [cause, count, ageSeconds] of [
    ['a backlog that is too long', MAX_QUEUED, 0],
    ['a job that is too old', 1, MAX_AGE_SECONDS + 1],
  ] as const) {
    it(`refuses new writes behind ${cause}, but reads, replays, and recovers`, async () => {
      const company = await makeCompany(stack());
      const key = { headers: { 'idempotency-key': 'before' } };
      const request = invoiceRequest();
      const before = await company.post('/invoices', request, key);
      await queueJobs(company.companyId, count, ageSeconds);
      try {
        let refused = before;
        await until('writes are refused', async () => {
          refused = await company.post('/invoices', invoiceRequest());
          return refused.status === 503;
        });
        expect(refused.body.code).to.equal('service_unavailable');
        expect(Number(refused.headers['retry-after'])).to.be.above(0);
        expect((await company.get('/invoices')).status).to.equal(200);
        expect((await company.get('/inventory')).status).to.equal(200);
        const replay = await company.post('/invoices', request, key);
        expect([replay.status, replay.body.id]).to.deep.equal([201, before.body.id]);
        await checkFormIsShownAgain(company.companyId);
      } finally {
        await clearJobs(company.companyId);
      }
      await until(
        'writes are accepted',
        async () => (await company.post('/invoices', invoiceRequest())).status === 201,
      );
    });
  }

  it('accepts 2,000 concurrent creates and carries out each once', async function () {
    this.timeout(60_000);
    const company = await makeCompany(stack(), { rateLimit: 10_000 });
    const answers = await Promise.all(
      Array.from({ length: 2_000 }, (_, at) =>
        company.post('/invoices', invoiceRequest({ reference: `R${at}` })),
      ),
    );
    expect(answers.filter(({ status }) => status !== 201 && status !== 202)).to.deep.equal([]);
    await until(
      'no job is queued',
      async () =>
        (
          await stack().sql("SELECT 1 FROM jobs WHERE company_id = $1 AND status = 'queued'", [
            company.companyId,
          ])
        ).length === 0,
    );
    const [row] = await stack().sql(
      `SELECT count(*)::int AS invoices,
         count(DISTINCT reference)::int AS "references",
         max(number)::int AS last
       FROM invoices
       WHERE company_id = $1`,
      [company.companyId],
    );
    expect(row).to.deep.equal({ invoices: 2_000, references: 2_000, last: 2_000 });
  });
});
