// Redis beyond one server: writes sharded by company over a Cluster, a Sentinel failover under
// load, and the forms of REDIS_URL.
import { expect } from 'chai';
import { shardOf } from '../../../src/platform/queue/open.js';
import { parseRedisUrl } from '../../../src/platform/queue/redis.js';
import { type Response, send } from '../../support/client.js';
import { invoiceRequest, makeCompany, receive, type TestCompany } from '../../support/factories.js';
import { type RunningProcess, until } from '../../support/processes.js';
import { requireProgram } from '../../support/programs.js';
import { hasRedisServer, REDIS_MISSING } from '../../support/redis-server.js';
import {
  type RedisCluster,
  startRedisCluster,
  startTlsRedis,
  startWatchedRedis,
} from '../../support/redis-shapes.js';
import { makeStores, requireOrSkip, type Stores, startForTests } from '../../support/suite.js';

const SHARDS = 4;
const COMPANIES = 16;

const create = (company: TestCompany, reference: string, prefer = 'wait=30') =>
  company.post(
    '/invoices',
    invoiceRequest({ reference, items: [{ name: 'Pipe', qty: 1, price: 1 }] }),
    {
      headers: { prefer },
    },
  );

describe('the shard of a company', () => {
  it('never changes, and every shard gets its share', () => {
    const keys = Array.from({ length: 4_000 }, (_, at) => `company-${at}`);
    expect(keys.map(key => shardOf(key, 1))).to.deep.equal(keys.map(() => 0));
    // Fixed values: in another release, jobs that wait in a shard would be searched in another one.
    expect(['a', 'b', 'c'].map(key => shardOf(key, 64))).to.deep.equal([18, 22, 3]);
    const counts = [0, 1, 2, 3].map(
      shard => keys.filter(key => shardOf(key, SHARDS) === shard).length,
    );
    for (const count of counts) expect(count).to.be.within(850, 1_150);
  });
});

describe('a REDIS_URL', () => {
  it('names one server', () => {
    expect(parseRedisUrl('rediss://me:p%40%3Ass@cache:6380/2')).to.deep.equal({
      kind: 'single',
      nodes: [{ host: 'cache', port: 6380 }],
      options: { username: 'me', password: 'p@:ss', db: 2, tls: {} },
    });
    expect(parseRedisUrl('redis://[::1]')).to.deep.equal({
      kind: 'single',
      nodes: [{ host: '::1', port: 6379 }],
      options: {},
    });
  });

  it('names the Sentinels that know the master', () => {
    expect(parseRedisUrl('redis+sentinel://:secret@a:26380,b/main/1')).to.deep.equal({
      kind: 'sentinel',
      name: 'main',
      nodes: [
        { host: 'a', port: 26_380 },
        { host: 'b', port: 26_379 },
      ],
      options: { password: 'secret', db: 1 },
    });
    expect(parseRedisUrl('redis+sentinel://a/main?sentinelPassword=p%40%2Fs')).to.deep.equal({
      kind: 'sentinel',
      name: 'main',
      nodes: [{ host: 'a', port: 26_379 }],
      sentinelPassword: 'p@/s',
      options: {},
    });
  });

  it('names nodes of a Cluster', () => {
    expect(parseRedisUrl('redis+cluster://a,b:7001,c')).to.deep.equal({
      kind: 'cluster',
      nodes: [
        { host: 'a', port: 6379 },
        { host: 'b', port: 7001 },
        { host: 'c', port: 6379 },
      ],
      options: {},
    });
  });
});

describe('a Redis Cluster', () => {
  let stores: Stores;
  let cluster: RedisCluster;
  let web: RunningProcess;
  let worker: RunningProcess;
  let env: Record<string, string>;
  let baseUrl: string;

  before(async function () {
    requireOrSkip(this, hasRedisServer(), REDIS_MISSING);
    [stores, cluster] = await Promise.all([makeStores('postgres'), startRedisCluster()]);
    env = {
      ...stores.env,
      REDIS_URL: cluster.url,
      QUEUE_SHARDS: String(SHARDS),
      LOG_LEVEL: 'debug',
    };
    [web, worker] = await Promise.all([startForTests('web', env), startForTests('worker', env)]);
    baseUrl = `http://127.0.0.1:${web.port}`;
  });

  it('spreads the queues and rate limits over its masters', async () => {
    const companies = await Promise.all(
      Array.from({ length: COMPANIES }, () =>
        makeCompany({ ...stores, baseUrl }, { rateLimit: 100 }),
      ),
    );
    await Promise.all(companies.map(company => receive(company, { name: 'Pipe', delta: 5 })));
    const answers = await Promise.all(companies.map((company, at) => create(company, `R-${at}`)));
    expect(answers.map(({ status }) => status)).to.deep.equal(answers.map(() => 201));
    for (const { headers } of answers) expect(headers['x-ratelimit-remaining']).to.equal('98');
    const keys = await Promise.all(cluster.clients.map(client => client.keys('*')));
    const limiters = keys.filter(own => own.some(key => key.startsWith('tradepost:requests:')));
    // Of random ids, a third master has none in 1 of 200 runs.
    expect(limiters.length, 'masters with a rate limit').to.be.above(1);
    const used = new Set(companies.map(({ companyId }) => shardOf(companyId, SHARDS)));
    const queues = [...used].map(shard => (shard === 0 ? '{tradepost}' : `{tradepost:${shard}}`));
    for (const queue of queues)
      expect(keys.flat()).to.include.members([`${queue}:invoices:id`, `${queue}:stock:id`]);
    const shardMasters = keys.filter(own => own.some(key => key.endsWith(':invoices:id')));
    expect(shardMasters.length, 'masters with a shard').to.be.above(1);
    expect(web.output()).to.not.match(/queue unreachable|CROSSSLOT|MOVED/u);
    const { text } = await send(baseUrl, 'GET', '/metrics');
    expect(text).to.match(
      /^tradepost_queue_jobs\{[^}]*queue="invoices",state="waiting"[^}]*\} 0$/mu,
    );
  });

  it('loses no write when the number of shards changes', async () => {
    const company = await makeCompany({ ...stores, baseUrl });
    while (shardOf(company.companyId, SHARDS) === 0)
      Object.assign(company, await makeCompany({ ...stores, baseUrl }));
    await worker.stop();
    await receiveLater(company);
    await startForTests('worker', { ...env, QUEUE_SHARDS: '1' });
    await until(
      'the write is settled',
      async () => (await company.get('/inventory')).body.length === 1,
    );
  });

  const receiveLater = async (company: TestCompany) => {
    const request = { reason: 'received', items: [{ name: 'Pipe', delta: 5 }] };
    const { status } = await company.post('/inventory/adjustments', request, {
      headers: { prefer: 'respond-async' },
    });
    expect(status).to.equal(202);
  };
});

describe('a failover by Sentinel', () => {
  it('under load loses no accepted write, and the new master is found', async function () {
    requireOrSkip(this, hasRedisServer(), REDIS_MISSING);
    const [stores, redis] = await Promise.all([makeStores('postgres'), startWatchedRedis()]);
    const env = { ...stores.env, REDIS_URL: redis.url };
    const [web] = await Promise.all([startForTests('web', env), startForTests('worker', env)]);
    const baseUrl = `http://127.0.0.1:${web.port}`;
    const company = await makeCompany({ ...stores, baseUrl });
    await receive(company, { name: 'Pipe', delta: 500 });
    const answers: Response[] = [];
    let isOver = false;
    const client = async (name: number) => {
      for (let at = 0; !isOver; at += 1) answers.push(await create(company, `R-${name}-${at}`));
    };
    const clients = Array.from({ length: 8 }, (_, name) => client(name));
    await until('the first answers arrive', async () => answers.length >= 20);
    redis.master.signal('SIGKILL');
    await until(
      'redis is unavailable',
      async () => (await send(baseUrl, 'GET', '/readyz')).body.status === 'degraded',
    );
    await until(
      'the new master answers',
      async () => (await send(baseUrl, 'GET', '/readyz')).body.status === 'ready',
    );
    isOver = true;
    await Promise.all(clients);
    expect(answers.filter(({ status }) => status !== 201 && status !== 202)).to.deep.equal([]);
    const rows = async () =>
      stores.sql<{ reference: string }>('SELECT reference FROM invoices WHERE company_id = $1', [
        company.companyId,
      ]);
    await until(
      'every accepted write is settled',
      async () => (await rows()).length >= answers.length,
    );
    const references = (await rows()).map(({ reference }) => reference);
    expect([references.length, new Set(references).size]).to.deep.equal([
      answers.length,
      answers.length,
    ]);
  });
});

describe('a Sentinel and a master that speak TLS', () => {
  it('are asked over TLS', async function () {
    requireOrSkip(this, hasRedisServer(), REDIS_MISSING);
    requireProgram(this, 'openssl');
    const [stores, redis] = await Promise.all([makeStores('postgres'), startTlsRedis()]);
    const env = {
      ...stores.env,
      REDIS_URL: redis.url,
      NODE_EXTRA_CA_CERTS: redis.authority,
    };
    const [web] = await Promise.all([startForTests('web', env), startForTests('worker', env)]);
    const baseUrl = `http://127.0.0.1:${web.port}`;
    await until(
      'redis is ready',
      async () => (await send(baseUrl, 'GET', '/readyz')).body.checks.redis === 'ok',
    );
    const company = await makeCompany({ ...stores, baseUrl });
    await receive(company, { name: 'Pipe', delta: 1 });
    expect((await create(company, 'R-1')).status).to.equal(201);
  });
});
