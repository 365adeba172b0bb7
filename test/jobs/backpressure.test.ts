// More writes than workers can settle: accepted ones are carried out, others get 503, reads go on.
import { expect } from 'chai';
import { v7 as uuidv7 } from 'uuid';
import {
  MAX_AGE_SECONDS,
  MAX_QUEUED,
  MAX_QUEUED_OF_COMPANY,
} from '../../src/jobs/submit/backpressure.js';
import { signedIn } from '../support/dashboard.js';
import { invoiceRequest, makeCompany, type TestCompany } from '../support/factories.js';
import { runScript, until } from '../support/processes.js';
import { inBothModes } from '../support/suite.js';

/** Twice the time in which a web process notices a backlog. */
const POLLED_MS = 2_000;

inBothModes('back-pressure', stack => {
  interface Backlog {
    readonly ageSeconds?: number;
    /** How much later than the web process's clock Postgres's is. */
    readonly skewSeconds?: number;
    readonly attempts?: number;
  }

  /** Inserts queued jobs that no worker claims. */
  const queueJobs = (companyId: string, count: number, backlog: Backlog = {}) => {
    const { ageSeconds = 0, skewSeconds = 0, attempts = 0 } = backlog;
    return stack().sql(
      `INSERT INTO jobs (
         company_id, id, type, status, fingerprint,
         submission_id, request_id, payload, run_at, attempts,
         queued_at, created_at
       )
       SELECT $1, gen_random_uuid(), 'invoice.create', 'queued', sha256(n::text::bytea),
         gen_random_uuid(), 'backlog', '{}', 'infinity', $3,
         now() - $4 * interval '1 second', now() - $5 * interval '1 second'
       FROM generate_series(1, $2::int) n`,
      [companyId, count, attempts, ageSeconds, ageSeconds + skewSeconds],
    );
  };
  // Triggers refuse to delete queued rows. Settling them would take five times as long.
  const clearJobs = () =>
    stack().sql(
      `BEGIN;
       SET LOCAL session_replication_role = replica;
       DELETE FROM jobs WHERE request_id = 'backlog';
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

  const untilStatus = (company: TestCompany, wanted: number) =>
    until(
      `a write is answered with ${wanted}`,
      async () => (await company.post('/invoices', invoiceRequest())).status === wanted,
    );

  for (const [cause, count, ageSeconds] of [
    ['a backlog that is too long', MAX_QUEUED_OF_COMPANY, 0],
    ['a job that is too old', 1, MAX_AGE_SECONDS + 1],
  ] as const) {
    it(`refuses a company's writes behind ${cause}, but reads, replays, and recovers`, async () => {
      const [company, other] = [await makeCompany(stack()), await makeCompany(stack())];
      const key = { headers: { 'idempotency-key': 'before' } };
      const request = invoiceRequest();
      const before = await company.post('/invoices', request, key);
      await queueJobs(company.companyId, count, { ageSeconds });
      try {
        await untilStatus(company, 503);
        const refused = await company.post('/invoices', invoiceRequest());
        expect(refused.body.code).to.equal('service_unavailable');
        expect(Number(refused.headers['retry-after'])).to.be.above(0);
        expect((await company.get('/invoices')).status).to.equal(200);
        expect((await company.get('/inventory')).status).to.equal(200);
        const replay = await company.post('/invoices', request, key);
        expect([replay.status, replay.body.id]).to.deep.equal([201, before.body.id]);
        await checkFormIsShownAgain(company.companyId);
        expect((await other.post('/invoices', invoiceRequest())).status).to.equal(201);
      } finally {
        await clearJobs();
      }
      await untilStatus(company, 201);
    });
  }

  it('refuses all writes once the shares of all companies are too many together', async () => {
    const company = await makeCompany(stack());
    const companies = MAX_QUEUED / MAX_QUEUED_OF_COMPANY;
    try {
      // More than a share counts as a share.
      for (let at = 1; at < companies; at += 1)
        await queueJobs(
          (await makeCompany(stack())).companyId,
          at === 1 ? 2 * MAX_QUEUED_OF_COMPANY : MAX_QUEUED_OF_COMPANY,
        );
      await new Promise(resolve => setTimeout(resolve, POLLED_MS));
      await untilStatus(company, 201);
      await queueJobs((await makeCompany(stack())).companyId, MAX_QUEUED_OF_COMPANY);
      await untilStatus(company, 503);
    } finally {
      await clearJobs();
    }
    await untilStatus(company, 201);
  });

  for (const [what, backlog] of [
    ['of a web process whose clock is slow', { skewSeconds: 600 }],
    ['that failed and will be retried', { ageSeconds: 600, attempts: 1 }],
  ] as const) {
    it(`refuses no write because of a job ${what}`, async () => {
      const company = await makeCompany(stack());
      await queueJobs(company.companyId, 1, backlog);
      try {
        await expectNoRefusal(company);
      } finally {
        await clearJobs();
      }
    });
  }

  it('refuses no write while an operator retries an old failed job', async () => {
    const company = await makeCompany(stack());
    const id = uuidv7();
    // Its payload fails again, so that the job stays queued.
    await stack().sql(
      `INSERT INTO jobs (
         company_id, id, type, status, fingerprint, submission_id, request_id,
         payload, attempts, error, created_at, queued_at, finished_at
       )
       VALUES (
         $1, $2, 'invoice.create', 'failed', sha256('x'), $2, 'old',
         '{"customerName":"No items"}', 5, '{}', now() - interval '1 day',
         now() - interval '1 day', now() - interval '1 day'
       )`,
      [company.companyId, id],
    );
    const args = ['jobs', 'retry', '--job', id];
    const { code, stderr } = runScript('src/commands/admin.js', args, stack().env);
    expect(code, stderr).to.equal(0);
    await expectNoRefusal(company);
  });

  /** Posts invoices for longer than it takes to notice a backlog. */
  const expectNoRefusal = async (company: TestCompany) => {
    const until = performance.now() + POLLED_MS;
    while (performance.now() < until) {
      expect((await company.post('/invoices', invoiceRequest())).status).to.equal(201);
      await new Promise(resolve => setTimeout(resolve, 50));
    }
  };

  it('accepts 2,000 concurrent creates and carries out each once', async () => {
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
