// Leases on a table of the test's own: what a kind of work has to declare, and nothing more.
import { expect } from 'chai';
import { v7 as uuidv7 } from 'uuid';
import { closeDatabase, inTransaction, openDatabase } from '../../../src/platform/db/connection.js';
import {
  claimDue,
  endLease,
  followClock,
  type Lease,
  LeaseLost,
  nextPause,
  renewLease,
} from '../../../src/platform/leases/leases.js';
import {
  type CompanyRest,
  type LeasedWork,
  runLeasedForever,
} from '../../../src/platform/leases/work.js';
import { createLog } from '../../../src/platform/process/log.js';
import { until } from '../../support/processes.js';
import { makeStores, type Stores } from '../../support/suite.js';

const LEASED = { table: 'leased', leaseMs: 60_000 };
const SHORT = { ...LEASED, leaseMs: 1_500 };

describe('leases', () => {
  let stores: Stores;
  before(async () => {
    stores = await makeStores('postgres');
    await stores.sql(
      `CREATE TABLE leased (
         company_id uuid, id uuid, due_at timestamptz, timed_at timestamptz, lease_token uuid,
         leased_until timestamptz, outcome text, PRIMARY KEY (company_id, id)
       )`,
    );
    await stores.sql('CREATE INDEX ON leased (due_at) WHERE due_at IS NOT NULL');
  });
  beforeEach(async () => {
    await stores.sql('TRUNCATE leased');
    openDatabase({ url: stores.databaseUrl, poolMax: 10, name: 'leases', lookupPlans: true });
  });
  afterEach(() => closeDatabase());

  const addRows = async (count: number, companyId = uuidv7()): Promise<string[]> => {
    const ids = Array.from({ length: count }, () => uuidv7());
    await stores.sql(
      `INSERT INTO leased (company_id, id, due_at, timed_at)
       SELECT $1, id, clock_timestamp(), clock_timestamp() FROM unnest($2::uuid[]) AS id`,
      [companyId, ids],
    );
    return ids;
  };

  const store = (lease: Lease, outcome: string, dueInMs: number | null = null): Promise<void> =>
    inTransaction(async tx => {
      await endLease(LEASED, lease, dueInMs, tx);
      await tx.query(
        `UPDATE leased SET outcome = COALESCE(outcome, '') || $3
         WHERE company_id = $1 AND id = $2`,
        [lease.companyId, lease.id, outcome],
      );
    });

  const outcomes = async (): Promise<unknown[]> =>
    (await stores.sql<{ outcome: string }>('SELECT outcome FROM leased')).map(
      ({ outcome }) => outcome,
    );

  const claimed = async (leased = LEASED): Promise<Lease> => {
    const lease = await claimDue(leased);
    if (!lease) throw new Error('nothing is due');
    return lease;
  };

  const isLost = async (work: Promise<unknown>): Promise<void> => {
    const error = await work.then(
      () => null,
      failure => failure,
    );
    expect(error).to.be.instanceOf(LeaseLost);
  };

  /** As if the database's clock had been set back by an hour. */
  const setClockBack = () =>
    stores.sql(
      `UPDATE leased
       SET due_at = due_at + interval '1 hour', timed_at = timed_at + interval '1 hour',
         leased_until = leased_until + interval '1 hour'`,
    );

  it('give each due row to one of many claimers', async () => {
    const ids = await addRows(120);
    const taken: string[] = [];
    const claim = async () => {
      for (let lease = await claimDue(LEASED); lease; lease = await claimDue(LEASED))
        taken.push(lease.id);
    };
    await Promise.all(Array.from({ length: 8 }, claim));
    expect(taken.sort()).to.deep.equal(ids.sort());
  });

  it('leave out excluded companies, and rows that are idle or not due yet', async () => {
    const busy = uuidv7();
    await addRows(2, busy);
    await addRows(1);
    const { companyId } = (await claimDue(LEASED, [busy])) as Lease;
    expect(companyId).to.not.equal(busy);
    expect(await claimDue(LEASED, [busy])).to.equal(null);
    await store(await claimed(), 'later', 60_000);
    await store(await claimed(), 'never');
    expect(await claimDue(LEASED)).to.equal(null);
  });

  it('refuse the outcome of a worker that lost its lease and resumed', async () => {
    await addRows(1);
    const stopped = await claimed(SHORT);
    await until('the lease runs out', async () => (await claimDue(SHORT)) !== null);
    await isLost(store(stopped, 'too late'));
    await isLost(renewLease(LEASED, stopped));
    expect(await outcomes()).to.deep.equal([null]);
  });

  it('are not lost while they are renewed, and end with the outcome', async () => {
    await addRows(1);
    const lease = await claimed(SHORT);
    for (let renewal = 0; renewal < 5; renewal += 1) {
      await new Promise(resolve => setTimeout(resolve, SHORT.leaseMs / 3));
      await renewLease(SHORT, lease);
      expect(await claimDue(SHORT)).to.equal(null);
    }
    await store(lease, 'done');
    await isLost(store(lease, 'again'));
    expect(await outcomes()).to.deep.equal(['done']);
  });

  it('store nothing if the transaction of the outcome is rolled back', async () => {
    await addRows(1);
    const lease = await claimed();
    const failing = inTransaction(async tx => {
      await endLease(LEASED, lease, null, tx);
      throw new Error('rolled back');
    });
    expect(await failing.catch(error => error.message)).to.equal('rolled back');
    await store(lease, 'stored');
    expect(await outcomes()).to.deep.equal(['stored']);
  });

  it('and due times follow a clock that is set back', async () => {
    await addRows(2);
    const held = await claimed(SHORT);
    await setClockBack();
    await followClock(LEASED);
    expect(await claimDue(SHORT), 'the row that was due').to.not.equal(null);
    await renewLease(SHORT, held);
    expect(await claimDue(SHORT), 'the row that is held').to.equal(null);
    await until('its worker is taken for dead', async () => (await claimDue(SHORT)) !== null);
  });

  it('are tried once more than there are pauses', () => {
    expect([1, 2, 3].map(attempts => nextPause(attempts, [5, 60]))).to.deep.equal([5, 60, null]);
  });

  describe('at work', () => {
    const stops: (() => unknown)[] = [];
    type Run = (...start: Parameters<LeasedWork['run']>) => Promise<unknown>;
    const start = ({ run, ...own }: Partial<Omit<LeasedWork, 'run'>> & { run: Run }) =>
      runLeasedForever(
        {
          ...{ ...LEASED, name: 'test', poll: 20, places: 4, placesPerCompany: 2, ...own },
          run: async (...start) => ((await run(...start)) as CompanyRest | undefined) ?? null,
        },
        createLog('test', 'silent'),
        (_name, stop) => stops.push(stop),
      );
    const stopAll = async () => {
      for (const stop of stops.splice(0).reverse()) await stop();
    };
    afterEach(stopAll);

    it('give a company no more than its share of the places', async () => {
      const [slow, other] = [uuidv7(), uuidv7()];
      await addRows(6, slow);
      const running: string[] = [];
      let finish = () => {};
      const finished = new Promise<void>(resolve => {
        finish = resolve;
      });
      start({
        run: async lease => {
          running.push(lease.companyId);
          if (lease.companyId === slow) await finished;
          await store(lease, 'done');
        },
      });
      await until('the company has its share', async () => running.length === 2);
      await addRows(3, other);
      await until('the other company is served', async () => running.length === 5);
      expect(running.filter(companyId => companyId === slow)).to.have.lengthOf(2);
      finish();
      await until('all are done', async () => (await outcomes()).every(each => each === 'done'));
    });

    it('let slow rows take no place of their company from others', async () => {
      const companyId = uuidv7();
      const slow = await addRows(3, companyId);
      await stores.sql("UPDATE leased SET outcome = 'slow'");
      const [hanging, done] = [new Set<string>(), new Set<string>()];
      let finish = () => {};
      const finished = new Promise<void>(resolve => {
        finish = resolve;
      });
      start({
        slow: { others: 'outcome IS NULL', places: 3, afterMs: 60_000 },
        run: async lease => {
          if (slow.includes(lease.id)) {
            hanging.add(lease.id);
            await finished;
          }
          await store(lease, 'done');
          done.add(lease.id);
        },
      });
      await until('the slow rows have the share of a company', async () => hanging.size === 2);
      await addRows(4, companyId);
      try {
        await until('the others are done', async () => done.size === 4, 5_000);
        expect(hanging).to.have.lengthOf(2);
      } finally {
        finish();
      }
      await until('all are done', async () => done.size === 7);
    });

    it('claim no row of a company that rests', async () => {
      await addRows(2, uuidv7());
      const startedAt: number[] = [];
      const restMs = 400;
      start({
        run: async () => {
          startedAt.push(performance.now());
          return { restMs };
        },
      });
      await until('both rows were claimed', async () => startedAt.length === 2);
      expect(Number(startedAt[1]) - Number(startedAt[0])).to.be.at.least(restMs);
    });

    it('start with the pause between them that is wanted by then', async () => {
      await addRows(4, uuidv7());
      const startedAt: number[] = [];
      const pauseMs = 300;
      start({
        placesPerCompany: 4,
        pauseMs: () => (startedAt.length < 3 ? pauseMs : 0),
        run: async lease => {
          startedAt.push(performance.now());
          await store(lease, 'done');
        },
      });
      await until('all rows were claimed', async () => startedAt.length === 4);
      const [first, second, third] = startedAt as [number, number, number];
      expect(Math.min(second - first, third - second)).to.be.at.least(pauseMs - 1);
      await until('all are done', async () => (await outcomes()).every(each => each === 'done'));
    });

    it('are renewed for as long as the work takes', async () => {
      await addRows(1);
      let starts = 0;
      const run: Run = async lease => {
        starts += 1;
        await new Promise(resolve => setTimeout(resolve, 2.5 * SHORT.leaseMs));
        await store(lease, 'done');
      };
      start({ leaseMs: SHORT.leaseMs, run });
      start({ leaseMs: SHORT.leaseMs, run });
      await until('it is done', async () => (await outcomes())[0] === 'done');
      expect(starts).to.equal(1);
    });

    it('abort the work when another worker has the row', async () => {
      await addRows(1);
      const aborted: boolean[] = [];
      start({
        leaseMs: SHORT.leaseMs,
        run: async (_lease, signal) => {
          await stores.sql('UPDATE leased SET lease_token = gen_random_uuid()');
          await new Promise(resolve => signal.addEventListener('abort', resolve));
          aborted.push(signal.aborted);
          await stores.sql('UPDATE leased SET due_at = NULL');
        },
      });
      await until('the work is aborted', async () => aborted.length === 1);
    });

    it('bring a row back whose work failed unexpectedly', async () => {
      await addRows(1);
      let starts = 0;
      start({
        leaseMs: SHORT.leaseMs,
        run: async lease => {
          starts += 1;
          if (starts === 1) throw new Error('unexpected');
          await store(lease, 'done');
        },
      });
      await until('it is done', async () => (await outcomes())[0] === 'done');
    });

    it('are finished before a stop ends', async () => {
      await addRows(1);
      let isStarted = false;
      start({
        run: async lease => {
          isStarted = true;
          await new Promise(resolve => setTimeout(resolve, 200));
          await store(lease, 'done');
        },
      });
      await until('it is started', async () => isStarted);
      await stopAll();
      expect(await outcomes()).to.deep.equal(['done']);
    });
  });
});
