// More writes than workers can settle: accepted ones are carried out, others get 503, reads go on.
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'chai';
import { v7 as uuidv7 } from 'uuid';
import {
  MAX_AGE_SECONDS,
  MAX_QUEUED,
  MAX_QUEUED_OF_COMPANY,
} from '../../src/jobs/submit/backpressure.js';
import { runAdmin } from '../support/commands.js';
import { signedIn } from '../support/dashboard.js';
import { invoiceRequest, makeCompany, type TestCompany } from '../support/factories.js';
import { until } from '../support/processes.js';
import { inBothModes } from '../support/suite.js';

/** Twice the time in which a web process notices a backlog. */
const POLLED_MS = 2_000;
/** Jobs of 50 lines. */
const JOBS_OF_SHARE = MAX_QUEUED_OF_COMPANY / 50;

inBothModes('back-pressure', stack => {
  interface Backlog {
    readonly ageSeconds?: number;
    /** How much later than the web process's clock Postgres's is. */
    readonly skewSeconds?: number;
    readonly attempts?: number;
    /** Of each job, in lines. */
    readonly weight?: number;
  }

  /** Inserts queued jobs that no worker claims. */
  const queueJobs = (companyId: string, count: number, backlog: Backlog = {}) => {
    const { ageSeconds = 0, skewSeconds = 0, attempts = 0, weight = 50 } = backlog;
    return stack().sql(
      `INSERT INTO jobs (
         company_id, id, type, status, fingerprint,
         submission_id, request_id, payload, run_at, attempts, weight,
         queued_at, created_at
       )
       SELECT $1, gen_random_uuid(), 'invoice.create', 'queued', sha256(n::text::bytea),
         gen_random_uuid(), 'backlog', '{}', 'infinity', $3, $6,
         now() - $4 * interval '1 second', now() - $5 * interval '1 second'
       FROM generate_series(1, $2::int) n`,
      [companyId, count, attempts, ageSeconds, ageSeconds + skewSeconds, weight],
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
    ['a backlog that is too long', JOBS_OF_SHARE, 0],
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

  it('refuses a backlog of jobs of few lines as it does one of many', async () => {
    const [light, heavy] = [await makeCompany(stack()), await makeCompany(stack())];
    try {
      await queueJobs(light.companyId, MAX_QUEUED_OF_COMPANY / 5 - 1, { weight: 5 });
      await queueJobs(heavy.companyId, MAX_QUEUED_OF_COMPANY / 250, { weight: 250 });
      await untilStatus(heavy, 503);
      await untilStatus(light, 201);
      await queueJobs(light.companyId, 1, { weight: 5 });
      await untilStatus(light, 503);
    } finally {
      await clearJobs();
    }
    await untilStatus(heavy, 201);
  });

  it('refuses the largest backlogs first, and never a company without one', async () => {
    const shares = MAX_QUEUED / MAX_QUEUED_OF_COMPANY;
    const company = await makeCompany(stack());
    const smaller = await makeCompany(stack());
    const full: TestCompany[] = [];
    try {
      for (let at = 0; at < shares; at += 1) full.push(await makeCompany(stack()));
      for (const { companyId } of full) await queueJobs(companyId, JOBS_OF_SHARE - 1);
      await queueJobs(smaller.companyId, JOBS_OF_SHARE / 2);
      // Each of the backlogs is below a share. Together they are over the limit.
      await until('one of the largest is refused', async () => {
        const answers = await Promise.all(
          full.map(each => each.post('/invoices', invoiceRequest())),
        );
        return answers.some(({ status }) => status === 503);
      });
      expect((await smaller.post('/invoices', invoiceRequest())).status).to.equal(201);
      expect((await company.post('/invoices', invoiceRequest())).status).to.equal(201);
      for (const { companyId } of full) await queueJobs(companyId, JOBS_OF_SHARE);
      for (const each of full) await untilStatus(each, 503);
      await new Promise(resolve => setTimeout(resolve, POLLED_MS));
      expect((await company.post('/invoices', invoiceRequest())).status).to.equal(201);
    } finally {
      await clearJobs();
    }
    for (const each of full) await untilStatus(each, 201);
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
    await runAdmin(stack(), 'jobs', 'retry', '--job', id);
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
    /** Sends it again as long as the host is too slow for so many, as clients do. */
    const create = async (at: number) => {
      for (;;) {
        const answer = await company.post('/invoices', invoiceRequest({ reference: `R${at}` }), {
          headers: { 'idempotency-key': `${at}` },
        });
        if (answer.status !== 503) return answer;
        await delay(Number(answer.headers['retry-after']) * 1_000);
      }
    };
    const answers = await Promise.all(Array.from({ length: 2_000 }, (_, at) => create(at)));
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
