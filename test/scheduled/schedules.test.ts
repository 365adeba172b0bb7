// The schedules of the scheduler processes: what they run, and that they run again.
import { expect } from 'chai';
import { makeCompany } from '../support/factories.js';
import { until } from '../support/processes.js';
import { openQueue } from '../support/queue.js';
import { inBothModes } from '../support/suite.js';

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

inBothModes('the retention schedule', stack => {
  it('runs each hour and deletes what is past its retention', async () => {
    const { companyId } = await makeCompany(stack());
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
    const { queue, close } = openQueue(stack(), 'scheduled');
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
