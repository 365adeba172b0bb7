// The writes of a sequence are settled in its order, whichever worker has which of them.
import { expect } from 'chai';
import { v4 as uuidv4, v7 as uuidv7 } from 'uuid';
import { retryJob } from '../../src/jobs/admin.js';
import { KEEP_EXISTING, persistJobs } from '../../src/jobs/persist.js';
import { DueJobs } from '../../src/jobs/settle/due-jobs.js';
import { Settlement } from '../../src/jobs/settle/settlement.js';
import type { Submission } from '../../src/jobs/write-kind.js';
import { closeDatabase, openDatabase, query } from '../../src/platform/db/connection.js';
import { createLog } from '../../src/platform/process/log.js';
import { until } from '../support/processes.js';
import { makeStores, type Stores } from '../support/suite.js';
import { writeQueue } from '../support/write-queue.js';

const FAR = 3_600_000;

interface Write {
  readonly place: number;
  readonly fails?: boolean;
}

describe('a sequence of writes', () => {
  let stores: Stores;
  let stops: (() => unknown)[];
  /** The places that were written, in order. */
  let written: number[];
  let isFailing: boolean;

  before(async () => {
    stores = await makeStores('postgres');
    openDatabase({ url: stores.databaseUrl, poolMax: 8, name: 'sequences', lookupPlans: true });
  });
  after(closeDatabase);
  beforeEach(() => {
    [stops, written] = [[], []];
    isFailing = true;
  });
  afterEach(async () => {
    for (const stop of stops) await stop();
  });

  const queue = writeQueue<Write>({
    // Like the lock of the company: one transaction at a time.
    lock: async (inputs, tx) => {
      await query('SELECT pg_advisory_xact_lock(1)', [], tx);
      if (isFailing && inputs.some(({ payload }) => payload.fails))
        await query("DO $$ BEGIN RAISE EXCEPTION USING ERRCODE = '22000'; END $$", [], tx);
      return null;
    },
    write: async planned => {
      written.push(...planned.map(({ write }) => write.payload.place));
      return new Map();
    },
  });

  const makeSettlement = (batchMax = 100) => {
    const log = createLog('test', 'silent');
    return new Settlement(queue, { batchMax, reply: async () => undefined, log });
  };
  const recover = (settlement: Settlement) =>
    settlement.recoverForever((_name, stop) => {
      stops.push(stop);
    });

  /** The submissions of a new company's sequence; the one at `failing` fails. */
  const makeSequence = (count: number, failing?: number): Submission[] => {
    const [companyId, id] = [uuidv7(), uuidv7()];
    return Array.from({ length: count }, (_, place) => ({
      companyId,
      type: 'invoice.create',
      // No order of ids is that of the places.
      id: uuidv4(),
      fingerprint: '0'.repeat(64),
      submissionId: uuidv7(),
      requestId: `place ${place}`,
      acceptedAt: new Date().toISOString(),
      payload: { place, ...(place === failing ? { fails: true } : {}) },
      createdBy: null,
      replyTo: '',
      sequence: { id, place },
    }));
  };
  const persist = (submissions: readonly Submission[], runInMs = 0) =>
    persistJobs(
      submissions.map(submission => ({ submission, weight: 5, runInMs })),
      KEEP_EXISTING,
    );
  const statesOf = async ([first]: readonly Submission[]) => {
    const rows = await stores.sql<{ status: string }>(
      'SELECT status FROM jobs WHERE company_id = $1 ORDER BY place',
      [first?.companyId],
    );
    return rows.map(({ status }) => status);
  };
  const untilSettled = (submissions: readonly Submission[]) =>
    until('its jobs are settled', async () => !(await statesOf(submissions)).includes('queued'));
  const upTo = (count: number) => Array.from({ length: count }, (_, place) => place);

  for (const [when, runInMs] of [
    ['', 0],
    [', after the clock of Postgres was set back', FAR],
  ] as const)
    it(`is settled once and in order by several workers with small batches${when}`, async () => {
      const submissions = makeSequence(60);
      await persist(submissions, runInMs);
      for (const batchMax of [7, 7, 11]) recover(makeSettlement(batchMax));
      await untilSettled(submissions);
      expect(written).to.deep.equal(upTo(60));
    });

  it('is settled in order if the queue and the rows have it at the same time', async () => {
    const submissions = makeSequence(40);
    await persist(submissions);
    recover(makeSettlement(7));
    const late = makeSettlement(7);
    // Two copies, each in parts and in another order, as no process of this release sends them.
    await Promise.all([
      late.take(submissions.slice(20).reverse()),
      makeSettlement().take(submissions.toReversed()),
      late.take(submissions.slice(0, 20)),
    ]);
    await untilSettled(submissions);
    expect(written).to.deep.equal(upTo(40));
  });

  it('is not settled from the queue while a write ahead waits as a row', async () => {
    const submissions = makeSequence(3);
    await persist(submissions, FAR);
    await makeSettlement().take(submissions.slice(1));
    expect([written, await statesOf(submissions)]).to.deep.equal([[], Array(3).fill('queued')]);
    await makeSettlement().take(submissions);
    expect([written, await statesOf(submissions)]).to.deep.equal([
      [0, 1, 2],
      Array(3).fill('succeeded'),
    ]);
  });

  it('is claimed in order, and none behind rows that another worker has claimed', async () => {
    const submissions = makeSequence(6);
    const [{ companyId }] = submissions as [Submission];
    await persist(submissions);
    const claim = async () => {
      const claimed = await new DueJobs(queue.name).claimOf([companyId], { rows: 2 }, FAR);
      return claimed.map(({ sequence }) => sequence?.place).sort();
    };
    expect(await claim()).to.deep.equal([0, 1]);
    expect(await claim()).to.deep.equal([]);
    await makeSettlement().take(submissions.slice(0, 2));
    expect(await claim()).to.deep.equal([2, 3]);
    await makeSettlement().take(submissions.slice(2));
  });

  it('waits for a write that fails by a defect, and goes on once it has failed', async () => {
    const submissions = makeSequence(5, 2);
    const [, , failing] = submissions;
    const row = [failing?.companyId, failing?.id];
    recover(makeSettlement());
    await persist(submissions);
    const attempts = async () => {
      const [job] = await stores.sql<{ attempts: number }>(
        'SELECT attempts FROM jobs WHERE company_id = $1 AND id = $2',
        row,
      );
      return job?.attempts ?? 0;
    };
    await until('an attempt has failed', async () => (await attempts()) > 1);
    expect([written, await statesOf(submissions)]).to.deep.equal([
      [0, 1],
      [...Array(2).fill('succeeded'), ...Array(3).fill('queued')],
    ]);
    await stores.sql(
      'UPDATE jobs SET attempts = 4, run_at = now() WHERE company_id = $1 AND id = $2',
      row,
    );
    await untilSettled(submissions);
    expect([written, (await statesOf(submissions))[2]]).to.deep.equal([[0, 1, 3, 4], 'failed']);
    isFailing = false;
    await retryJob(failing?.id ?? '', failing?.companyId);
    await until('it is settled', async () => written.length === 5);
  });

  it('is persisted as a whole if its company is delayed', async () => {
    const submissions = makeSequence(80, 0);
    await makeSettlement().take(submissions);
    expect(await statesOf(submissions)).to.deep.equal(Array(80).fill('queued'));
    isFailing = false;
    recover(makeSettlement(9));
    await untilSettled(submissions);
    expect(written).to.deep.equal(upTo(80));
  });
});
