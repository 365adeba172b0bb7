// The log during an outage of a store: one line per process, queue and minute, however often the
// store is tried, and one line when it works again.
import { once } from 'node:events';
import { createServer } from 'node:net';
import { expect } from 'chai';
import { Redis } from 'ioredis';
import { invoiceRequest, makeCompany, receive } from '../../support/factories.js';
import { type RunningProcess, until } from '../../support/processes.js';
import { openProxy } from '../../support/proxy.js';
import { hasRedisServer, REDIS_MISSING, startRedis } from '../../support/redis-server.js';
import { makeProcesses, makeStores, requireOrSkip, startForTests } from '../../support/suite.js';

/** Every queue of a process meets this many failures and more. */
const FAILURES = 40;
/** Without pauses, the failures of four queues take one second. */
const PAUSED_MS = 2_000;
const WARN = 40;

interface Line {
  readonly level: number;
  readonly msg: string;
  readonly queue?: string;
}

function linesOf({ output }: RunningProcess): Line[] {
  const lines = output().split('\n').slice(0, -1);
  return lines.map(line => JSON.parse(line) as Line);
}

/** The warnings and errors about stores by message and queue, with their number. */
function warningsOf(running: RunningProcess): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { level, msg, queue } of linesOf(running)) {
    // The settings of a test's stores, and the log of requests.
    if (level < WARN || /NODE_ENV|appendonly|^request$/u.test(msg)) continue;
    const name = queue === undefined ? msg : `${msg}: ${queue}`;
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}

const hasLine = (running: RunningProcess, text: string, queue?: string) =>
  linesOf(running).some(line => line.msg === text && line.queue === queue);

function expectOneLineEach(...processes: RunningProcess[]): void {
  for (const each of processes) {
    const repeated = Object.entries(warningsOf(each)).filter(([, count]) => count > 1);
    expect(Object.fromEntries(repeated)).to.deep.equal({});
  }
}

describe('the log', () => {
  it('has one line per queue while Redis is a read-only replica', async function () {
    requireOrSkip(this, hasRedisServer(), REDIS_MISSING);
    const stack = await makeProcesses('redis');
    const { redis, web, worker, scheduler } = stack;
    const company = await makeCompany(stack);
    await receive(company, { name: 'Pipe', delta: 1_000 });
    const invoice = invoiceRequest({ items: [{ name: 'Pipe', qty: 1, price: 1 }] });
    const operator = new Redis(redis?.url ?? '');
    const refusals = async () =>
      Number(/errorstat_READONLY:count=(\d+)/u.exec(await operator.info('errorstats'))?.[1] ?? 0);
    const create = async () => (await company.post('/invoices', invoice)).status;
    try {
      expect(await create()).to.equal(201);
      const startedAt = performance.now();
      // Nothing listens there.
      await operator.replicaof('127.0.0.1', 1);
      await until('each queue was refused', async () => (await refusals()) >= FAILURES);
      expect(performance.now() - startedAt, 'with pauses').to.be.above(PAUSED_MS);
      expect([await create(), await create()]).to.deep.equal([201, 201]);
      expectOneLineEach(web, worker, scheduler);
      expect(warningsOf(worker)).to.include.keys([
        'queue worker error: invoices',
        'queue worker error: stock',
      ]);
      expect(warningsOf(web)).to.include.keys([
        'the queue refuses jobs; writes go through Postgres: invoices',
      ]);
      await operator.replicaof('NO', 'ONE');
      await until('the queue takes jobs and hands them out again', async () => {
        expect(await create()).to.equal(201);
        return (
          hasLine(web, 'the queue accepts jobs again', 'invoices') &&
          hasLine(worker, 'the queue worker takes jobs again', 'invoices')
        );
      });
    } finally {
      operator.disconnect();
    }
  });

  it('has one line per process while Redis is down', async function () {
    requireOrSkip(this, hasRedisServer(), REDIS_MISSING);
    const { redis, web, worker, scheduler } = await makeProcesses('redis');
    await redis?.stop('SIGKILL');
    let attempts = 0;
    const nothing = createServer(socket => {
      attempts += 1;
      socket.destroy();
    }).listen(redis?.port, '127.0.0.1');
    await once(nothing, 'listening');
    await until('the processes have tried again', async () => attempts >= FAILURES);
    expectOneLineEach(web, worker, scheduler);
    nothing.close();
    await once(nothing, 'close');
    const again = await startRedis(redis?.port);
    try {
      await until('all processes use it again', async () =>
        [web, worker, scheduler].every(each => hasLine(each, 'redis is available again')),
      );
    } finally {
      await again.stop();
    }
  });

  for (const mode of ['postgres', 'redis'] as const)
    it(`of a worker has few lines while Postgres is down (queue in ${mode})`, async function () {
      if (mode === 'redis') requireOrSkip(this, hasRedisServer(), REDIS_MISSING);
      const { env, databaseUrl } = await makeStores(mode);
      const proxy = await openProxy(databaseUrl);
      const worker = await startForTests('worker', { ...env, DATABASE_URL: proxy.url });
      proxy.refuse();
      await until('the worker has tried again', async () => proxy.refused >= FAILURES);
      expectOneLineEach(worker);
      expect(warningsOf(worker)).to.include.keys([
        'recovery poll of invoice.create failed; retrying',
      ]);
      proxy.accept();
      await until('the worker works again', async () =>
        hasLine(worker, 'recovery poll of invoice.create works again'),
      );
    });
});
