// GET /readyz, which anyone may call: one look at Postgres per second serves all callers, on a
// connection of its own, and none of them waits for long.
import { expect } from 'chai';
import { Redis } from 'ioredis';
import pg from 'pg';
import { send } from '../../support/client.js';
import { invoiceRequest, makeCompany, receive } from '../../support/factories.js';
import { until } from '../../support/processes.js';
import { hasRedisServer, REDIS_MISSING } from '../../support/redis-server.js';
import { makeStack, requireOrSkip, type Stack } from '../../support/suite.js';
import { addWaitingJob } from '../../support/waiting-job.js';

/** The limit of a check is 2 s. */
const BOUNDED_MS = 3_500;

describe('/readyz', () => {
  let stack: Stack;
  before(async () => {
    stack = await makeStack('postgres');
  });

  const readyz = () => send(stack.baseUrl, 'GET', '/readyz');
  const figure = async (name: string) => {
    const { text } = await send(stack.baseUrl, 'GET', '/metrics');
    return new RegExp(`^${name}\\{[^}]*\\} (\\S+)$`, 'mu').exec(text)?.[1];
  };

  it('counts the jobs that failed because of an internal error and need an operator', async () => {
    const company = await makeCompany(stack);
    const job = await addWaitingJob(stack, company, 'invoice.create', invoiceRequest());
    await receive(company, { name: 'Pipe', delta: 1 });
    const refused = await company.post(
      '/invoices',
      invoiceRequest({ items: [{ name: 'Pipe', qty: 2, price: 1 }] }),
    );
    expect(refused.status, 'a refusal is no internal error').to.equal(409);
    await job.fail();
    await until('it counts', async () => (await readyz()).body.checks.failedJobs === 1);
    const { status, body } = await readyz();
    expect([status, body.status]).to.deep.equal([200, 'ready']);
    expect(await figure('tradepost_failed_jobs')).to.equal('1');
  });

  it('says that a Redis which takes no writes is unavailable', async function () {
    requireOrSkip(this, hasRedisServer(), REDIS_MISSING);
    const { redis, baseUrl } = await makeStack('redis');
    const operator = new Redis(redis?.url ?? '');
    const checks = async () => {
      const { status, body } = await send(baseUrl, 'GET', '/readyz');
      return [status, body.status, body.checks.redis];
    };
    const becomes = (what: string, ...expected: unknown[]) =>
      until(what, async () => JSON.stringify(await checks()) === JSON.stringify(expected));
    const refusals: Record<string, [refuse: string[], accept: string[]]> = {
      'is a read-only replica': [
        ['REPLICAOF', '127.0.0.1', '1'],
        ['REPLICAOF', 'NO', 'ONE'],
      ],
      'has no memory left': [
        ['CONFIG', 'SET', 'maxmemory', '1'],
        ['CONFIG', 'SET', 'maxmemory', '0'],
      ],
      'has too few replicas': [
        ['CONFIG', 'SET', 'min-replicas-to-write', '1'],
        ['CONFIG', 'SET', 'min-replicas-to-write', '0'],
      ],
      'forbids writes': [
        ['ACL', 'SETUSER', 'default', '-@write'],
        ['ACL', 'SETUSER', 'default', '+@all'],
      ],
      'forbids streams, which the queue needs': [
        ['ACL', 'SETUSER', 'default', '-xadd'],
        ['ACL', 'SETUSER', 'default', '+@all'],
      ],
      'forbids scripts': [
        ['ACL', 'SETUSER', 'default', '-@scripting'],
        ['ACL', 'SETUSER', 'default', '+@all'],
      ],
      'forbids the keys of the queue': [
        ['ACL', 'SETUSER', 'default', 'resetkeys', '~other:*'],
        ['ACL', 'SETUSER', 'default', 'allkeys'],
      ],
    };
    try {
      expect(await checks()).to.deep.equal([200, 'ready', 'ok']);
      for (const [state, [refuse, accept]] of Object.entries(refusals)) {
        await operator.call(...(refuse as [string]));
        expect(await operator.ping()).to.equal('PONG');
        await becomes(`a Redis that ${state} is unavailable`, 200, 'degraded', 'unavailable');
        await operator.call(...(accept as [string]));
        await becomes(`a Redis that no longer ${state} is ok`, 200, 'ready', 'ok');
      }
      expect(await operator.keys('*:trial')).to.deep.equal([]);
    } finally {
      operator.disconnect();
    }
  });

  it('looks at Postgres at most once per second', async () => {
    const lookedAt = async () => {
      const rows = await stack.sql(
        `SELECT query_start::text
         FROM pg_stat_activity
         WHERE application_name = 'tradepost-health' AND datname = current_database()`,
      );
      expect(rows).to.have.length(1);
      return JSON.stringify(rows[0]);
    };
    const looks = new Set<string>();
    const started = performance.now();
    while (performance.now() - started < 3_000) {
      await Promise.all(Array.from({ length: 20 }, readyz));
      looks.add(await lookedAt());
    }
    expect(looks.size).to.be.within(2, 5);
  });

  it('answers soon, and delays no other request, while its look waits', async () => {
    const company = await makeCompany(stack);
    const session = new pg.Client({ connectionString: stack.databaseUrl });
    await session.connect();
    try {
      await session.query('BEGIN; LOCK TABLE audit_violations');
      const waiting = async () =>
        (
          await stack.sql<{ name: string }>(
            `SELECT application_name AS name
             FROM pg_stat_activity
             WHERE datname = current_database() AND wait_event_type = 'Lock'`,
          )
        ).map(({ name }) => name);
      await until('the look waits', async () => {
        readyz().catch(() => undefined);
        return (await waiting()).length > 0;
      });
      const started = performance.now();
      const answers = Promise.all(Array.from({ length: 100 }, readyz));
      expect(await waiting()).to.deep.equal(['tradepost-health']);
      expect((await company.get('/invoices')).status).to.equal(200);
      for (const { status, body } of await answers) {
        expect([status, body.checks.postgres]).to.deep.equal([200, 'ok']);
        expect(body.checks).to.include({
          oldestQueuedSeconds: null,
          failedJobs: null,
          audit: null,
        });
      }
      expect(performance.now() - started).to.be.below(BOUNDED_MS);
    } finally {
      await session.end();
    }
    await until('it reads again', async () => (await readyz()).body.checks.audit === 'ok');
  });
});
