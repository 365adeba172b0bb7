// Two web processes and a worker whose Postgres loses an answer, or whose Redis hangs (SIGSTOP: it
// accepts every command and answers none) or is gone.
import { expect } from 'chai';
import { type Response, send } from '../../support/client.js';
import { invoiceRequest, makeCompany, receive } from '../../support/factories.js';
import { type RunningProcess, startProcess, until } from '../../support/processes.js';
import { openProxy, type PostgresProxy } from '../../support/proxy.js';
import { hasRedisServer, REDIS_MISSING, startRedis } from '../../support/redis-server.js';
import { makeStores, requireOrSkip, type Stores } from '../../support/suite.js';

/**
 * How long a request may take once its process knows of the outage, on a machine busy with tests.
 */
const QUICK_MS = 200;
/** The first look opens a connection of its own; waiting for Redis as well would take longer. */
const READY_MS = 1_000;
/**
 * The first requests notice it: one timeout for the rate limit and one for the queue, with room.
 */
const FIRST_MS = 1_500;
const PATH = '/api/external/jobs/none';
const INVENTORY = '/api/external/inventory';

describe('an outage', () => {
  let stores: Stores;
  let proxy: PostgresProxy;
  let webs: RunningProcess[] = [];
  let worker: RunningProcess;
  let urls: string[];

  before(async function () {
    requireOrSkip(this, hasRedisServer(), REDIS_MISSING);
    stores = await makeStores('redis');
    webs = await Promise.all([startProcess('web', stores.env), startProcess('web', stores.env)]);
    proxy = await openProxy(stores.databaseUrl);
    worker = await startProcess('worker', { ...stores.env, DATABASE_URL: proxy.url });
    urls = webs.map(({ port }) => `http://127.0.0.1:${port}`);
  });
  after(async () => {
    await Promise.all(webs.map(web => web.stop()));
    await worker?.stop();
  });

  const statuses = (answers: Response[], status: number) =>
    answers.filter(answer => answer.status === status).length;
  const timed = async (ask: () => Promise<Response>): Promise<{ answer: Response; ms: number }> => {
    const started = performance.now();
    return { answer: await ask(), ms: performance.now() - started };
  };
  const redisIsBack = async () => {
    for (const url of urls)
      await until(
        'redis is back',
        async () => (await send(url, 'GET', '/readyz')).body.status === 'ready',
      );
  };

  it('between a COMMIT and its answer makes the worker check: the write happens once', async () => {
    const company = await makeCompany({ ...stores, baseUrl: urls[0] as string });
    await receive(company, { name: 'Pipe', delta: 10 });
    const lost = proxy.loseAnswer('INSERT INTO invoices', 'COMMIT');
    const { status, body } = await company.post(
      '/invoices',
      invoiceRequest({ items: [{ name: 'Pipe', qty: 1, price: 1 }] }),
    );
    await lost;
    expect([status, body.number]).to.deep.equal([201, 'INV-000001']);
    expect((await company.get('/invoices')).body).to.deep.equal([body]);
    const [item] = (await company.get('/inventory')).body;
    expect(item.onHand).to.equal(9);
  });

  it('of a hanging Redis slows only the first requests; writes go through Postgres', async () => {
    const company = await makeCompany(
      { ...stores, baseUrl: urls[0] as string },
      { rateLimit: 1_000 },
    );
    await receive(company, { name: 'Pipe', delta: 10 });
    const get = (at: number) =>
      send(urls[at % 2] as string, 'GET', INVENTORY, { key: company.key });
    const create = () =>
      company.post('/invoices', invoiceRequest({ items: [{ name: 'Pipe', qty: 1, price: 1 }] }));
    await Promise.all([get(0), get(1)]);
    const pid = stores.redis?.pid ?? 0;
    process.kill(pid, 'SIGSTOP');
    try {
      const first = await timed(() => get(0));
      expect([first.answer.status, first.ms < FIRST_MS], `${first.ms} ms`).to.deep.equal([
        200,
        true,
      ]);
      const reads = [];
      for (let at = 0; at < 20; at += 1) reads.push(await timed(() => get(0)));
      expect(reads.map(({ answer }) => answer.status)).to.deep.equal(reads.map(() => 200));
      const times = reads.map(({ ms }) => Math.round(ms)).sort((a, b) => a - b);
      expect(times[10], `reads: ${times} ms`).to.be.below(QUICK_MS);
      const creates = await Promise.all(Array.from({ length: 5 }, () => timed(create)));
      expect(creates.map(({ answer }) => answer.status)).to.deep.equal([201, 201, 201, 201, 201]);
      const ready = await timed(() => send(urls[0] as string, 'GET', '/readyz'));
      expect([ready.answer.status, ready.answer.body.status]).to.deep.equal([200, 'degraded']);
      expect(ready.ms).to.be.below(READY_MS);
    } finally {
      process.kill(pid, 'SIGCONT');
    }
    await redisIsBack();
    const left = async (at: number) => Number((await get(at)).headers['x-ratelimit-remaining']);
    expect((await left(0)) - (await left(1)), 'both processes share one count').to.equal(1);
    expect((await create()).status).to.equal(201);
    const { body: rows } = await company.get('/invoices');
    expect(rows.map(({ number }: { number: string }) => number)).to.have.length(6);
    expect(webs[0]?.output())
      .to.include('redis does not respond')
      .and.to.include('redis responds again');
  });

  it('of Redis makes each process count for itself until it is back', async () => {
    const company = await makeCompany({ ...stores, baseUrl: urls[0] as string }, { rateLimit: 4 });
    const get = (at: number) => send(urls[at % 2] as string, 'GET', PATH, { key: company.key });
    const passed = async (count: number) =>
      statuses(await Promise.all(Array.from({ length: count }, (_, at) => get(at))), 404);
    expect(await passed(12), 'together').to.equal(4);
    await stores.redis?.stop();
    const started = performance.now();
    expect(await passed(12), 'each for itself').to.equal(8);
    expect(performance.now() - started).to.be.below(3_000);
    const readiness = async () => {
      const { status, body } = await send(urls[0] as string, 'GET', '/readyz');
      return `${status} ${body.status}, redis: ${body.checks.redis}`;
    };
    const isShown = async () => (await readiness()) === '200 degraded, redis: unavailable';
    await until('/readyz shows it', isShown, 2_000);
    const stopping = performance.now();
    expect(await worker.stop(), 'the worker stops cleanly').to.equal(0);
    expect(performance.now() - stopping).to.be.below(5_000);
    const back = await startRedis(stores.redis?.port);
    try {
      await redisIsBack();
      expect(await passed(12), 'together again').to.equal(4);
    } finally {
      await back.stop();
    }
  });
});
