// Webhooks while workers are killed, stopped, or more than one, and while receivers hang.
import { expect } from 'chai';
import { closeDatabase } from '../../src/platform/db/connection.js';
import { followClock } from '../../src/platform/leases/leases.js';
import { sweepEndpoints } from '../../src/webhooks/endpoints/schedule.js';
import type { Json } from '../support/client.js';
import { makeCompany, type TestCompany } from '../support/factories.js';
import { until } from '../support/processes.js';
import { type Receiver, startReceiver, verifyWebhook } from '../support/receiver.js';
import { makeStores, openForTests, type Stack, startForTests } from '../support/suite.js';
import { makeEndpoint, type TestEndpoint, writeEvents } from '../support/webhooks.js';

describe('webhooks of several workers', () => {
  let stack: Stack;
  let company: TestCompany;
  let receiver: Receiver;
  before(async () => {
    const stores = await makeStores('postgres');
    const web = await startForTests('web', stores.env);
    stack = { ...stores, web, baseUrl: `http://127.0.0.1:${web.port}` };
    openForTests(stores.databaseUrl, 4);
  });
  after(closeDatabase);
  beforeEach(async () => {
    company = await makeCompany(stack);
    // Slow enough that a worker is killed amid its deliveries.
    receiver = await startReceiver((_webhook, response) => {
      setTimeout(() => response.writeHead(200).end(), 20);
    });
  });

  const workers: Awaited<ReturnType<typeof startForTests>>[] = [];
  const worker = async (settings: Record<string, string> = {}) => {
    const started = await startForTests('worker', { ...stack.env, ...settings });
    workers.push(started);
    return started;
  };
  afterEach(async () => {
    for (const started of workers.splice(0)) await started.stop('SIGKILL');
  });
  const untilReceived = (count: number) =>
    until(
      () => `${receiver.received.length} of ${count} webhooks`,
      async () => receiver.received.length >= count,
    );
  const untilDelivered = async (endpoint: TestEndpoint, count: number): Promise<void> => {
    let found: Json;
    await until(
      () => `all delivered, not ${JSON.stringify(found)}`,
      async () => {
        [found] = await stack.sql<{ count: number }>(
          `SELECT count(*)::int AS count
           FROM webhook_deliveries
           WHERE endpoint_id = $1 AND status = 'succeeded'`,
          [endpoint.id],
        );
        return found.count === count;
      },
    );
  };

  /** Each event has arrived, validly signed, with the same bytes each time. */
  const checkJournal = (secret: string, count: number) => {
    const bodies = new Map<string, string>();
    const sequences = new Set<number>();
    for (const webhook of receiver.received) {
      const event = verifyWebhook(webhook, secret) as Json;
      expect(webhook.body).to.equal(bodies.get(event.id) ?? webhook.body);
      bodies.set(event.id, webhook.body);
      sequences.add(event.sequence);
    }
    expect(sequences.size).to.equal(count);
    expect(Math.max(...sequences)).to.equal(count);
  };

  it('all arrive although a worker is killed while it delivers', async () => {
    const endpoint = await makeEndpoint(company, receiver.url);
    const first = await worker();
    await writeEvents(company, 150);
    await untilReceived(20);
    await first.stop('SIGKILL');
    await worker();
    await untilDelivered(endpoint, 150);
    checkJournal(endpoint.secret, 150);
  });

  it('are delivered by one worker at a time, and twice only around a lost lease', async () => {
    const endpoint = await makeEndpoint(company, receiver.url);
    await Promise.all([worker(), worker()]);
    await writeEvents(company, 150);
    await untilDelivered(endpoint, 150);
    checkJournal(endpoint.secret, 150);
    expect(receiver.received).to.have.lengthOf(150);
  });

  it('have one outcome although a stopped worker continues after its lease', async () => {
    const endpoint = await makeEndpoint(company, receiver.url);
    const first = await worker();
    await writeEvents(company, 60);
    await untilReceived(10);
    process.kill(first.pid, 'SIGSTOP');
    await stack.sql(`UPDATE webhook_endpoints SET leased_until = clock_timestamp() WHERE id = $1`, [
      endpoint.id,
    ]);
    await worker();
    await untilDelivered(endpoint, 60);
    process.kill(first.pid, 'SIGCONT');
    await writeEvents(company, 10);
    await untilDelivered(endpoint, 70);
    checkJournal(endpoint.secret, 70);
    const [attempts] = await stack.sql<{ count: number }>(
      'SELECT count(*)::int AS count FROM webhook_attempts WHERE endpoint_id = $1',
      [endpoint.id],
    );
    expect(attempts?.count).to.equal(70);
  });

  it('are not held up by a clock of the database that was set back', async () => {
    const endpoint = await makeEndpoint(company, receiver.url);
    await writeEvents(company, 3);
    // A lease and a retry of a time that is an hour ahead.
    await stack.sql(
      `UPDATE webhook_endpoints
       SET due_at = now() + interval '1 hour', timed_at = now() + interval '1 hour',
         lease_token = gen_random_uuid(), leased_until = now() + interval '1 hour 10 seconds'
       WHERE id = $1`,
      [endpoint.id],
    );
    const running = await worker();
    await untilDelivered(endpoint, 3);
    await running.stop();
    await stack.sql(
      `UPDATE webhook_deliveries
       SET status = 'pending', next_attempt_at = now() + interval '1 hour 5 seconds',
         timed_at = now() + interval '1 hour'
       WHERE endpoint_id = $1`,
      [endpoint.id],
    );
    const columns = ['next_attempt_at', 'redeliver_at'];
    const where = 'next_attempt_at IS NOT NULL';
    const times = [{ table: 'webhook_deliveries', columns, where }];
    await followClock({ table: 'webhook_endpoints', times });
    const rows = await stack.sql<{ seconds: number }>(
      `SELECT extract(epoch FROM next_attempt_at - now())::float8 AS seconds
       FROM webhook_deliveries
       WHERE endpoint_id = $1`,
      [endpoint.id],
    );
    for (const { seconds } of rows) expect(seconds).to.be.within(-60, 6);
  });

  it('are found by sweeps that run at once', async () => {
    const endpoints = await Promise.all(
      Array.from({ length: 5 }, async () => {
        const other = await makeCompany(stack);
        const endpoint = await makeEndpoint(other, receiver.url, { types: ['invoice.paid'] });
        await writeEvents(other, 1);
        return endpoint;
      }),
    );
    await Promise.all(Array.from({ length: 8 }, () => sweepEndpoints(null)));
    const rows = await stack.sql(
      'SELECT id FROM webhook_endpoints WHERE id = ANY ($1) AND due_at <= clock_timestamp()',
      [endpoints.map(({ id }) => id)],
    );
    expect(rows).to.have.lengthOf(endpoints.length);
  });

  it('of an endpoint that keeps up are not held up by more new ones that hang', async () => {
    const endpoint = await makeEndpoint(company, receiver.url);
    await worker({ WEBHOOK_CONCURRENCY: '8' });
    await writeEvents(company, 1);
    await untilReceived(1);
    await untilDelivered(endpoint, 1);
    const hanging = await startReceiver(() => undefined);
    const others = [await makeCompany(stack), await makeCompany(stack)];
    for (const other of others) {
      await writeEvents(other, 10);
      for (let index = 0; index < 10; index += 1)
        await makeEndpoint(other, `${hanging.url}/${index}`, { after: 0 });
    }
    await until('some hang', async () => hanging.received.length >= 2);
    const startedAt = Date.now();
    await writeEvents(company, 1);
    await untilReceived(2);
    // A hanging delivery ends after 15 s.
    expect(Date.now() - startedAt).to.be.below(10_000);
    for (const { companyId } of others)
      await stack.sql('DELETE FROM webhook_endpoints WHERE company_id = $1', [companyId]);
  });

  it('are not held up by the endpoints of others that hang', async function () {
    this.timeout(180_000);
    const hanging = await startReceiver(() => undefined);
    const others = await Promise.all(
      Array.from({ length: 20 }, async () => {
        const other = await makeCompany(stack);
        await makeEndpoint(other, hanging.url);
        return other;
      }),
    );
    const served = await Promise.all(
      Array.from({ length: 20 }, async () => {
        const each = await makeCompany(stack);
        await makeEndpoint(each, receiver.url);
        return each;
      }),
    );
    await worker();
    // They show that they keep up.
    await Promise.all(served.map(each => writeEvents(each, 1)));
    await untilReceived(20);
    await Promise.all(others.map(other => writeEvents(other, 20)));
    await until('as many hang as may', async () => hanging.received.length >= 16);
    receiver.received.splice(0);
    const startedAt = Date.now();
    await Promise.all(served.map(each => writeEvents(each, 10)));
    await untilReceived(200);
    // A hanging delivery ends after 15 s.
    expect(Date.now() - startedAt).to.be.below(10_000);
  });
});
