// Each shard of the write queues has one owner among the worker processes: a company's writes are
// settled by one of them, and a worker that stops, dies or hangs is replaced.
import { expect } from 'chai';
import { shardOf } from '../../../src/platform/queue/open.js';
import { shareOf } from '../../../src/platform/queue/shard-ownership.js';
import { send } from '../../support/client.js';
import { invoiceRequest, makeCompany, type TestCompany } from '../../support/factories.js';
import { freePort, type RunningProcess, until } from '../../support/processes.js';
import { hasRedisServer, REDIS_MISSING, startRedis } from '../../support/redis-server.js';
import { makeStores, requireOrSkip, type Stores, startForTests } from '../../support/suite.js';

const SHARDS = 8;
const ALL = Array.from({ length: SHARDS }, (_, shard) => shard);
/** A lost session ends after 2.5 s, and another worker polls every 0.5 s; a busy host is slower. */
const REPLACED_WITHIN_MS = 15_000;

/** The shards whose jobs the worker takes, by its log. */
function ownedBy(worker: RunningProcess): number[] {
  let owned: number[] = [];
  for (const line of worker.output().split('\n').slice(0, -1)) {
    const { msg, shards = [] } = JSON.parse(line) as { msg: string; shards?: number[] };
    if (msg === 'taking jobs of these shards') owned = shards;
  }
  return owned;
}

/** Waits until the workers together own all shards once, these many each. */
async function untilShared(
  workers: readonly RunningProcess[],
  counts: readonly number[],
): Promise<void> {
  await until(
    () => `shared: ${JSON.stringify(workers.map(ownedBy))}`,
    async () => {
      const owned = workers.map(ownedBy);
      const all = owned.flat().sort((a, b) => a - b);
      const sizes = owned.map(({ length }) => length).sort((a, b) => a - b);
      return String(all) === String(ALL) && String(sizes) === String(counts);
    },
    REPLACED_WITHIN_MS,
  );
}

describe('the share of a worker', () => {
  it('is equal, and all shares together are all shards', () => {
    for (let shards = 1; shards <= 64; shards += 1) {
      for (const workers of [1, 2, 3, 5]) {
        const shares = Array.from({ length: workers }, (_, at) => shareOf(shards, workers, at));
        const all = shares.flat().sort((a, b) => a - b);
        expect(all).to.deep.equal(Array.from({ length: shards }, (_, shard) => shard));
        const sizes = shares.map(({ length }) => length);
        expect(Math.max(...sizes) - Math.min(...sizes)).to.be.at.most(1);
      }
    }
  });
});

describe('worker processes on shards', () => {
  let stores: Stores;
  let env: Record<string, string>;
  let baseUrl: string;
  /** The workers that run. Each test continues with those of the test before. */
  const workers: RunningProcess[] = [];

  before(async function () {
    requireOrSkip(this, hasRedisServer(), REDIS_MISSING);
    stores = await makeStores('redis');
    env = { ...stores.env, QUEUE_SHARDS: String(SHARDS) };
    baseUrl = `http://127.0.0.1:${(await startForTests('web', env)).port}`;
  });

  const startWorkers = async (count: number): Promise<void> => {
    const starts = Array.from({ length: count }, () => startForTests('worker', env));
    workers.push(...(await Promise.all(starts)));
  };

  const createInvoice = async (company: TestCompany) => {
    const { status } = await company.post('/invoices', invoiceRequest(), {
      headers: { prefer: 'wait=30' },
    });
    expect(status).to.equal(201);
  };

  /** Two workers that have half of the shards each. */
  const makePair = async () => {
    await startWorkers(2 - workers.length);
    await untilShared(workers, [4, 4]);
    const [first, second] = workers as [RunningProcess, RunningProcess];
    return { first, second };
  };

  /** Ends the first worker. Returns its exit code once the others have all shards. */
  const endFirst = async (signal: NodeJS.Signals, counts: readonly number[]) => {
    const code = await workers.shift()?.stop(signal);
    await untilShared(workers, counts);
    return code;
  };

  it('have equal shares, also after one is added', async () => {
    await startWorkers(1);
    await untilShared(workers, [SHARDS]);
    await startWorkers(2);
    await untilShared(workers, [2, 3, 3]);
    await endFirst('SIGKILL', [4, 4]);
  });

  it('settle the writes of their own companies only', async () => {
    const { first, second } = await makePair();
    const pair = [first, second];
    const companies = await Promise.all(ALL.map(() => makeCompany({ ...stores, baseUrl })));
    const creates = companies.flatMap((company, at) =>
      Array.from({ length: (at % 3) + 1 }, () => createInvoice(company)),
    );
    await Promise.all(creates);
    const settledBy = async (worker: RunningProcess): Promise<number> => {
      const { text } = await send(baseUrl, 'GET', '/metrics');
      const line = `^tradepost_batch_size_sum\\{.*process="worker-[^"]*-${worker.pid}".*\\} (\\d+)`;
      return Number(new RegExp(line, 'mu').exec(text)?.[1] ?? 0);
    };
    const counts = () => Promise.all(pair.map(settledBy));
    await until('the metrics are published', async () => {
      const [one = 0, other = 0] = await counts();
      return one + other === creates.length;
    });
    const expected = pair.map(worker => {
      const owned = ownedBy(worker);
      const writes = companies.map(({ companyId }, at) =>
        owned.includes(shardOf(companyId, SHARDS)) ? (at % 3) + 1 : 0,
      );
      return writes.reduce((sum, count) => sum + count);
    });
    expect(await counts()).to.deep.equal(expected);
  });

  it('take over the shards of one that stops', async () => {
    await makePair();
    expect(await endFirst('SIGTERM', [SHARDS])).to.equal(0);
  });

  it('take over the shards of one that is killed', async () => {
    await makePair();
    await endFirst('SIGKILL', [SHARDS]);
    await createInvoice(await makeCompany({ ...stores, baseUrl }));
  });

  it('take over the shards of one that hangs, until it continues', async () => {
    const { first, second } = await makePair();
    process.kill(first.pid, 'SIGSTOP');
    try {
      await until(
        'the second worker has all shards',
        async () => ownedBy(second).length === SHARDS,
        REPLACED_WITHIN_MS,
      );
    } finally {
      process.kill(first.pid, 'SIGCONT');
    }
    await untilShared([first, second], [4, 4]);
  });

  it('take their shares again when Postgres has ended all sessions', async () => {
    const { first, second } = await makePair();
    await stores.sql(
      `SELECT pg_terminate_backend(pid)
       FROM pg_stat_activity
       WHERE datname = current_database() AND application_name LIKE 'tradepost-%'`,
    );
    await until('both have noticed', async () =>
      [first, second].every(worker => worker.output().includes('"shards":[]')),
    );
    await untilShared([first, second], [4, 4]);
    await createInvoice(await makeCompany({ ...stores, baseUrl }));
  });

  it('take jobs when Redis starts after them', async () => {
    const own = await makeStores('postgres');
    const port = await freePort();
    const late = {
      ...own.env,
      QUEUE_SHARDS: String(SHARDS),
      REDIS_URL: `redis://127.0.0.1:${port}`,
    };
    const [web, worker] = await Promise.all([
      startForTests('web', late),
      startForTests('worker', late),
    ]);
    await untilShared([worker], [SHARDS]);
    const redis = await startRedis(port);
    const url = `http://127.0.0.1:${web.port}`;
    const isReady = async () => (await send(url, 'GET', '/readyz')).body.status === 'ready';
    await until('redis is available', isReady);
    const company = await makeCompany({ ...own, baseUrl: url });
    await until('a create needs no recovery poll', async () => {
      const startedAt = performance.now();
      await createInvoice(company);
      return performance.now() - startedAt < 1_000;
    });
    expect(await worker.stop()).to.equal(0);
    await web.stop();
    await redis.stop();
  });
});
