// Every wait for Postgres has a limit, whether a statement is slow or locked, a transaction is left
// open or a server hangs. The other connections go on working. The limits are shortened here; the
// first test asserts the real ones.
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'chai';
import pg from 'pg';
import { inCompanyTransaction } from '../../../src/companies/write-turns.js';
import {
  closeDatabase,
  connectClient,
  inTransaction,
  openDatabase,
  query,
} from '../../../src/platform/db/connection.js';
import { DATABASE_LIMITS, type DatabaseLimits } from '../../../src/platform/db/limits.js';
import { migrate } from '../../../src/platform/db/migrate.js';
import { connectionFailure, isTransient, sqlState } from '../../../src/platform/postgres-errors.js';
import type { OnStop } from '../../../src/platform/process/lifecycle.js';
import { createLog } from '../../../src/platform/process/log.js';
import { openQueues } from '../../../src/platform/queue/open.js';
import { openReplyListener, type Reply } from '../../../src/platform/queue/replies.js';
import { until } from '../../support/processes.js';
import { openBlackHole } from '../../support/proxy.js';
import { makeStores, type Stores } from '../../support/suite.js';

const QUICK_MS = 3_000;
const log = createLog('test', 'silent');

describe('a wait for Postgres', () => {
  let stores: Stores;
  const releases: (() => unknown)[] = [];
  const frozen: number[] = [];
  const onStop: OnStop = (_name, release) => releases.push(release);

  before(async () => {
    stores = await makeStores('postgres');
  });
  afterEach(async () => {
    for (const pid of frozen.splice(0)) process.kill(pid, 'SIGCONT');
    for (const release of releases.splice(0).reverse()) await release();
    await closeDatabase();
  });

  /** Stops a process; false if there is none. */
  const stops = (pid: number): boolean => {
    try {
      return process.kill(pid, 'SIGSTOP');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
      throw error;
    }
  };

  const open = (limits: Partial<DatabaseLimits>, poolMax = 1, url = stores.databaseUrl) =>
    openDatabase({ url, poolMax, name: 'test-limits', limits });
  /** Another session in the middle of a transaction. */
  const otherSession = async (sql: string): Promise<pg.Client> => {
    const client = new pg.Client({ connectionString: stores.databaseUrl });
    await client.connect();
    releases.push(() => client.end());
    await client.query(`BEGIN; ${sql}`);
    return client;
  };
  const freeze = async (name: string): Promise<void> => {
    const rows = await stores.sql<{ pid: number }>(
      'SELECT pid FROM pg_stat_activity WHERE application_name = $1',
      [name],
    );
    // A connection that was about to be closed may be gone by now.
    const stopped = rows.filter(({ pid }) => stops(pid));
    expect(stopped, name).not.to.deep.equal([]);
    frozen.push(...stopped.map(({ pid }) => pid));
  };
  const failure = async (work: Promise<unknown>): Promise<{ error: unknown; ms: number }> => {
    const started = performance.now();
    try {
      await work;
    } catch (error) {
      return { error, ms: performance.now() - started };
    }
    throw new Error('nothing failed');
  };

  it('has the same limits on connections of the pool and on single ones', async () => {
    expect(DATABASE_LIMITS).to.deep.equal({
      connectMs: 5_000,
      statementMs: 15_000,
      lockMs: 5_000,
      idleInTransactionMs: 1_500,
      answerMs: 20_000,
    });
    open({});
    const client = await connectClient(stores.databaseUrl, 'test-limits');
    releases.push(() => client.end());
    const names = ['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout'];
    const settings = `SELECT setting FROM pg_settings
      WHERE name IN ('${names.join("','")}') ORDER BY name`;
    for (const rows of [
      await query<{ setting: string }>(settings, []),
      (await client.query(settings)).rows,
    ])
      expect(rows.map(({ setting }) => setting)).to.deep.equal(['1500', '5000', '15000']);
  });

  it('ends a slow statement, and may be retried', async () => {
    open({ statementMs: 200 });
    const { error, ms } = await failure(query('SELECT pg_sleep(10)', []));
    expect([sqlState(error), isTransient(error), ms < QUICK_MS]).to.deep.equal([
      '57014',
      true,
      true,
    ]);
    expect(await query('SELECT 1 AS one', [])).to.deep.equal([{ one: 1 }]);
  });

  it('ends for a lock that another session holds, and may be retried', async () => {
    open({ lockMs: 200 });
    await otherSession('LOCK TABLE companies');
    const { error, ms } = await failure(query('SELECT 1 FROM companies', []));
    expect([sqlState(error), isTransient(error), ms < QUICK_MS]).to.deep.equal([
      '55P03',
      true,
      true,
    ]);
  });

  it('ends a transaction that is left open, and releases its locks', async () => {
    open({ idleInTransactionMs: 200 });
    const { error } = await failure(
      inTransaction(async tx => {
        await query('LOCK TABLE companies', [], tx);
        await stores.sql('SELECT 1 FROM companies'); // Waits for the lock.
        await query('SELECT 1', [], tx);
      }),
    );
    expect(isTransient(error), String(error)).to.equal(true);
    expect(await query('SELECT 1 AS one', [])).to.deep.equal([{ one: 1 }]);
  });

  it('lets a write run again that this process has paused', async () => {
    open({ idleInTransactionMs: 200 });
    await query('CREATE TABLE paused (run int)', []);
    let runs = 0;
    await inCompanyTransaction(randomUUID(), async tx => {
      runs += 1;
      await query('INSERT INTO paused VALUES ($1)', [runs], tx);
      if (runs === 1) await delay(600);
      await query('SELECT 1', [], tx);
    });
    expect(await query('SELECT run FROM paused', [])).to.deep.equal([{ run: 2 }]);
  });

  it('gives up a connection to a frozen server and continues with another one', async () => {
    open({ answerMs: 300 });
    await query('SELECT 1', []);
    await freeze('test-limits');
    const { error, ms } = await failure(query('SELECT 1', []));
    expect([isTransient(error), ms < QUICK_MS], String(error)).to.deep.equal([true, true]);
    expect(await query('SELECT 1 AS one', [])).to.deep.equal([{ one: 1 }]);
  });

  it('ends for a free connection of the pool', async () => {
    open({ connectMs: 1_000 });
    await query('SELECT 1', []); // The limit includes opening the connection, if there is none.
    const busy = query('SELECT pg_sleep(2.5)', []);
    const { error, ms } = await failure(query('SELECT 1', []));
    expect([isTransient(error), ms < 2_400], String(error)).to.deep.equal([true, true]);
    expect(connectionFailure(error)).to.be.a('string');
    await busy;
  });

  it('ends for a server that accepts connections and never answers', async () => {
    const url = `postgres://me:secret@127.0.0.1:${await openBlackHole()}/none`;
    open({ connectMs: 200 }, 1, url);
    const { error, ms } = await failure(query('SELECT 1', []));
    expect([isTransient(error), ms < QUICK_MS], String(error)).to.deep.equal([true, true]);
    const { error: reason, ms: more } = await failure(
      connectClient(url, 'test-limits', { connectMs: 200 }),
    );
    expect([connectionFailure(reason), more < QUICK_MS]).to.deep.equal(['timeout expired', true]);
  });

  it('ends on the listening connection, which a heartbeat checks', async () => {
    const replies: Reply[] = [];
    const options = { databaseUrl: stores.databaseUrl, redisUrl: undefined, heartbeatMs: 200 };
    const address = openReplyListener(options, more => replies.push(...more), log, onStop);
    const hasReply = async () => {
      await stores.sql('SELECT pg_notify($1, $2)', [address, '[{"jobId":"a-job"}]']);
      return replies.length > 0;
    };
    await until('it listens', hasReply);
    await freeze('tradepost-replies');
    replies.length = 0;
    await until('it listens again', hasReply);
  });

  it('of the queue ends soon, and goes on with another connection', async () => {
    const queues = await openQueues(
      { databaseUrl: stores.databaseUrl, redisUrl: undefined, poolMax: 2 },
      log,
      onStop,
    );
    const producer = await queues.producer('invoices');
    await producer.add('batch', { submissions: [] });
    await freeze('tradepost-queue');
    const { ms } = await failure(producer.add('batch', { submissions: [] }));
    expect(ms).to.be.below(1_500);
    const { ms: next } = await failure(producer.add('batch', { submissions: [] }));
    expect(next, 'the next one does not wait at all').to.be.below(100);
    await until('it adds again', () =>
      producer.add('batch', { submissions: [] }).then(
        () => true,
        () => false,
      ),
    );
  });

  it('ends for a table that a migration needs, with a sentence', async () => {
    await otherSession('LOCK TABLE migrations');
    const { error } = await failure(
      migrate({ databaseUrl: stores.databaseUrl, queueInPostgres: false }, 200),
    );
    expect((error as Error).message).to.match(/^Another session holds a lock .*run it again\.$/u);
  });
});
