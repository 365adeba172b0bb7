// A worker retries each company of a failed batch alone, and delays a company that fails alone.
import { expect } from 'chai';
import pg from 'pg';
import { v7 as uuidv7 } from 'uuid';
import { Settlement } from '../../src/jobs/settle/settlement.js';
import type { Submission } from '../../src/jobs/write-kind.js';
import { closeDatabase, openDatabase, query } from '../../src/platform/db/connection.js';
import { createLog } from '../../src/platform/process/log.js';
import { until } from '../support/processes.js';
import { makeStores, type Stores } from '../support/suite.js';
import { writeQueue } from '../support/write-queue.js';

/** The key of the advisory lock that a payload with `isLocked` needs. */
const LOCK = 7;

interface Trouble {
  /** Needs a lock that another session may hold. */
  readonly isLocked?: boolean;
  /** The SQLSTATE with which a statement fails while `isFailing`. */
  readonly state?: string;
}

describe('settlement after a failed batch', () => {
  let stores: Stores;
  /** The submissions of each transaction that was started, and of each that was written. */
  let started: string[][];
  let written: string[][];
  let isFailing: boolean;
  let stops: (() => unknown)[];
  let settlement: Settlement;
  const [troubled, other] = [uuidv7(), uuidv7()];

  before(async () => {
    stores = await makeStores('postgres');
    openDatabase({ url: stores.databaseUrl, poolMax: 6, name: 'delayed', lookupPlans: true });
  });
  after(closeDatabase);
  beforeEach(() => {
    [started, written, stops] = [[], [], []];
    isFailing = true;
    const log = createLog('test', 'silent');
    const reply = async () => undefined;
    settlement = new Settlement(queue, { batchMax: 100, reply, log });
  });
  afterEach(async () => {
    for (const stop of stops) await stop();
  });

  const queue = writeQueue<Trouble>({
    lock: async (inputs, tx) => {
      started.push(inputs.map(input => (input as Submission).requestId));
      if (inputs.some(({ payload }) => payload.isLocked))
        await query('SELECT pg_advisory_xact_lock($1)', [LOCK], tx);
      const state = inputs.find(({ payload }) => payload.state)?.payload.state;
      if (state && isFailing)
        await query(`DO $$ BEGIN RAISE EXCEPTION USING ERRCODE = '${state}'; END $$`, [], tx);
      return null;
    },
    write: async planned => {
      written.push(planned.map(({ write }) => (write as unknown as Submission).requestId));
      return new Map();
    },
  });

  /** Takes one submission, as from a queue. It is recorded under its name. */
  const take = (name: string, companyId: string, payload: Trouble = {}) => {
    const id = uuidv7();
    const submission = {
      companyId,
      type: 'invoice.create',
      id,
      fingerprint: '0'.repeat(64),
      submissionId: id,
      requestId: name,
      acceptedAt: new Date().toISOString(),
      payload,
      createdBy: null,
      replyTo: '',
    };
    return settlement.take([submission]);
  };
  const recover = () =>
    settlement.recoverForever((_name, stop) => {
      stops.push(stop);
    });

  /** The status and the number of failed attempts of each job of the company. */
  const jobsOf = async (companyId: string) => {
    const rows = await stores.sql<{ name: string; state: string }>(
      `SELECT request_id AS name, status || ' ' || attempts AS state
       FROM jobs
       WHERE company_id = $1`,
      [companyId],
    );
    return Object.fromEntries(rows.map(({ name, state }) => [name, state]));
  };
  const untilSettled = (companyId: string) =>
    until('all its jobs are settled', async () =>
      Object.values(await jobsOf(companyId)).every(state => !state.startsWith('queued')),
    );

  /** Holds the lock in another session until the returned function is called. */
  const holdLock = async () => {
    const client = new pg.Client({ connectionString: stores.databaseUrl });
    await client.connect();
    await client.query('SELECT pg_advisory_lock($1)', [LOCK]);
    const release = () => client.end();
    stops.push(release);
    return () => {
      stops = stops.filter(stop => stop !== release);
      return release();
    };
  };

  it('settles other companies while one waits for a lock, and their next writes too', async () => {
    const [company, bystander] = [uuidv7(), uuidv7()];
    await holdLock();
    const locked = take('locked', company, { isLocked: true }).then(() => 'locked');
    await take('bystander', bystander);
    const next = take('next', bystander).then(() => 'next');
    const third = take('third', uuidv7()).then(() => 'third');
    expect(await Promise.race([locked, Promise.all([next, third])])).to.deep.equal([
      'next',
      'third',
    ]);
    await locked;
    expect(await jobsOf(company)).to.deep.equal({ locked: 'queued 0' });
    expect(await jobsOf(bystander)).to.deep.equal({
      bystander: 'succeeded 0',
      next: 'succeeded 0',
    });
  });

  it("settles a company's writes in order of arrival while it is retried alone", async () => {
    const company = uuidv7();
    const release = await holdLock();
    const first = take('first', company, { isLocked: true });
    await take('bystander', uuidv7());
    const later = [take('second', company), take('third', company)];
    await release();
    await Promise.all([first, ...later]);
    expect(written.flat()).to.deep.equal(['bystander', 'first', 'second', 'third']);
    expect(written.length).to.be.below(4);
  });

  it("persists a failing company's writes, and settles them later without an attempt", async () => {
    for (const state of ['40P01', '57014']) {
      isFailing = true;
      const company = uuidv7();
      await take('first', company, { state });
      await Promise.all([take('second', company, { state }), take('third', company)]);
      expect(await jobsOf(company)).to.deep.equal({
        first: 'queued 0',
        second: 'queued 0',
        third: 'queued 0',
      });
      // The second and third were persisted without a transaction of the worker.
      expect(new Set(started.flat())).to.deep.equal(new Set(['first']));
      recover();
      await until('the one that does not fail is settled', async () =>
        ((await jobsOf(company)).third ?? '').startsWith('succeeded'),
      );
      isFailing = false;
      await untilSettled(company);
      expect(Object.values(await jobsOf(company))).to.deep.equal(Array(3).fill('succeeded 0'));
      for (const stop of stops.splice(0)) await stop();
      started = [];
    }
  });

  it('puts a company into batches with others again once its rows are settled', async () => {
    const company = uuidv7();
    await take('failing', company, { state: '55P03' });
    isFailing = false;
    recover();
    await untilSettled(company);
    await until('it shares a batch', async () => {
      await Promise.all([take('own', company), take('bystander', uuidv7())]);
      return written.at(-1)?.length === 2;
    });
  });

  it('counts an attempt only for the write that fails by itself', async () => {
    const company = uuidv7();
    const names = Array.from({ length: 8 }, (_, at) => `write ${at}`);
    const takes = names.map(name =>
      take(name, company, name === 'write 5' ? { state: '22000' } : {}),
    );
    await Promise.all([...takes, take('bystander', other)]);
    expect(await jobsOf(other)).to.deep.equal({ bystander: 'succeeded 0' });
    recover();
    await until(
      'the others are settled',
      async () =>
        Object.values(await jobsOf(company)).filter(state => state === 'succeeded 0').length === 7,
    );
    await until(
      'its attempt is counted',
      async () => ((await jobsOf(company))['write 5'] ?? '') === 'queued 1',
    );
    isFailing = false;
    await untilSettled(company);
    expect((await jobsOf(company))['write 5']).to.equal('succeeded 1');
    // Each write was written once.
    expect(written.flat().sort()).to.deep.equal(['bystander', ...names].sort());
  });

  it('retries no company alone in an outage, and delays none', async () => {
    const both = [take('own', troubled, { state: '53300' }), take('bystander', other)];
    const results = await Promise.allSettled(both);
    expect(results.map(({ status }) => status)).to.deep.equal(['rejected', 'rejected']);
    expect(new Set(started.map(names => names.length))).to.deep.equal(new Set([2]));
    expect(await jobsOf(troubled)).to.deep.equal({});
    isFailing = false;
    await Promise.all([take('own', troubled), take('second bystander', other)]);
    expect(written).to.deep.equal([['own', 'second bystander']]);
  });
});
