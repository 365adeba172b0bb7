// The schedules of the scheduler processes: what they run, and that they run again.
import { expect } from 'chai';
import { closeDatabase } from '../../src/platform/db/connection.js';
import { runScheduled } from '../../src/scheduled/schedules.js';
import { makeCompany } from '../support/factories.js';
import { until } from '../support/processes.js';
import { openQueue } from '../support/queue.js';
import { inBothModes, makeStores, openForTests } from '../support/suite.js';

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

inBothModes('the retention schedule', stack => {
  it('runs each hour and deletes what is past its retention', async () => {
    const { companyId } = await makeCompany(stack());
    const { queue, close } = openQueue(stack(), 'scheduled');
    // A new queue runs the job at once, and a stack may be ready before that run is over.
    await until('the first run is over', async () => {
      const [next] = await queue.getDelayed();
      const isDue = (next?.timestamp ?? 0) + (next?.delay ?? 0) <= Date.now();
      return !isDue && (await queue.getActiveCount()) === 0;
    });
    for (const days of [29, 31])
      await stack().sql(
        `INSERT INTO jobs (company_id, id, type, status, fingerprint, submission_id, request_id,
           result_id, created_at, finished_at)
         SELECT $1, id, 'invoice.create', 'succeeded', sha256('x'), id, 'old', id, at, at
         FROM gen_random_uuid() AS id, CAST(now() - $2 * interval '1 day' AS timestamptz) AS at`,
        [companyId, days],
      );
    const daysLeft = async () =>
      (
        await stack().sql<{ days: number }>(
          `SELECT EXTRACT(DAY FROM now() - finished_at)::int AS days
           FROM jobs
           WHERE company_id = $1`,
          [companyId],
        )
      ).map(({ days }) => days);
    try {
      const [due, ...others] = await queue.getDelayed();
      expect(others, 'scheduled once').to.deep.equal([]);
      const inMs = (due?.timestamp ?? 0) + (due?.delay ?? 0) - Date.now();
      expect(inMs).to.be.within(0, HOUR_MS);
      expect(await daysLeft()).to.have.members([29, 31]);
      await due?.promote();
      await until('the old job is deleted', async () => (await daysLeft()).join() === '29');
      const isScheduled = async () => (await queue.getDelayedCount()) === 1;
      await until('the next run is scheduled', isScheduled);
      const [next] = await queue.getDelayed();
      expect((next?.timestamp ?? 0) + (next?.delay ?? 0) - Date.now()).to.be.within(
        MINUTE_MS,
        2 * HOUR_MS,
      );
    } finally {
      await close();
    }
  });
});

describe('the retention', () => {
  after(closeDatabase);

  it('deletes what it can if it cannot delete old jobs, and reports each failure', async () => {
    const stores = await makeStores('postgres');
    openForTests(stores.databaseUrl, 1);
    const { companyId } = await makeCompany({ ...stores, baseUrl: '' });
    await stores.sql(
      `WITH member AS (
         INSERT INTO users (company_id, id, email, password_hash, role)
         VALUES ($1, gen_random_uuid(), 'a@b.c', '', 'owner')
         RETURNING *
       ), session AS (
         INSERT INTO sessions (company_id, id, user_id, expires_at)
         SELECT company_id, sha256('s'), id, now() FROM member
       ), invitation AS (
         INSERT INTO invitations (company_id, id, once, token_hash, role, created_by, expires_at)
         SELECT company_id, id, id, sha256('i'), 'member', id, now() FROM member
       )
       INSERT INTO password_resets (company_id, user_id, token_hash, expires_at)
       SELECT company_id, id, sha256('r'), now() FROM member`,
      [companyId],
    );
    for (const table of ['jobs', 'invitations'])
      await stores.sql(`ALTER TABLE ${table} RENAME TO locked_${table}`);
    const reported: string[] = [];
    const log = { error: (_: unknown, text: string) => void reported.push(text) };
    const failure = await runScheduled({ name: 'delete-old-jobs' }, log as never).catch(
      (error: Error) => error.message,
    );
    expect(failure).to.equal('could not delete old jobs, invitations');
    expect(reported).to.deep.equal([
      'could not delete old jobs',
      'could not delete old invitations',
    ]);
    const [left] = await stores.sql(
      `SELECT (SELECT count(*)::int FROM sessions) AS sessions,
         (SELECT count(*)::int FROM password_resets) AS resets`,
    );
    expect(left).to.deep.equal({ sessions: 0, resets: 0 });
  });
});
