// Deliveries by a worker: order, retries, health, the log and redelivery.
import { expect } from 'chai';
import { closeDatabase } from '../../src/platform/db/connection.js';
import type { Json } from '../support/client.js';
import { makeCompany, type TestCompany } from '../support/factories.js';
import { until } from '../support/processes.js';
import {
  answerWith,
  type ReceivedWebhook,
  type Receiver,
  startReceiver,
  verifyWebhook,
} from '../support/receiver.js';
import { makeStores, openForTests, type Stack, startForTests } from '../support/suite.js';
import {
  hurry,
  LOOPBACK_ALLOWED,
  makeEndpoint,
  type TestEndpoint,
  writeEvents,
} from '../support/webhooks.js';

const sequenceOf = ({ body }: ReceivedWebhook): number => JSON.parse(body).sequence;
const upTo = (last: number, first = 1) =>
  Array.from({ length: last - first + 1 }, (_, index) => first + index);

describe('webhooks', () => {
  let stack: Stack;
  let company: TestCompany;
  let receiver: Receiver;
  before(async () => {
    const stores = await makeStores('postgres');
    const env = { ...stores.env, ...LOOPBACK_ALLOWED };
    const web = await startForTests(['web', 'worker'], env);
    stack = { ...stores, env, web, baseUrl: `http://127.0.0.1:${web.port}` };
    openForTests(stores.databaseUrl, 4);
  });
  after(closeDatabase);
  beforeEach(async () => {
    company = await makeCompany(stack);
    receiver = await startReceiver();
  });

  const read = async (endpoint: TestEndpoint): Promise<Json> =>
    (await company.get(endpoint.path)).body;
  const deliveries = async (endpoint: TestEndpoint, query = ''): Promise<Json[]> =>
    (await company.get(`${endpoint.path}/deliveries${query}`)).body;
  const untilReceived = (count: number) =>
    until(
      () => `${receiver.received.length} of ${count} webhooks`,
      async () => receiver.received.length >= count,
      60_000,
    );
  const untilEndpoint = async (endpoint: TestEndpoint, state: Json): Promise<Json> => {
    let found: Json;
    await until(
      () => `${JSON.stringify(state)}, not ${JSON.stringify(found)}`,
      async () => {
        found = await read(endpoint);
        return Object.entries(state).every(([name, value]) => found[name] === value);
      },
      60_000,
    );
    return found;
  };

  it('arrive once each, in order, validly signed, with the bytes of the feed', async () => {
    const endpoint = await makeEndpoint(company, `${receiver.url}/hooks`);
    await writeEvents(company, 60);
    await writeEvents(company, 60);
    await untilEndpoint(endpoint, { position: 120 });
    const { received } = receiver;
    expect(received.map(sequenceOf).sort((a, b) => a - b)).to.deep.equal(upTo(120));
    for (const webhook of received) {
      const event = verifyWebhook(webhook, endpoint.secret) as Json;
      expect(webhook.headers['webhook-id']).to.equal(event.id);
      expect(webhook.headers).to.include({
        'content-type': 'application/json',
        'user-agent': 'Tradepost-Webhooks/1',
      });
    }
    const state = await read(endpoint);
    expect(state).to.include({ behind: 0, health: 'healthy', lastFailureAt: null });
    expect(Date.parse(state.lastSuccessAt)).to.be.closeTo(Date.now(), 60_000);
    const log = await deliveries(endpoint, '?limit=2');
    expect(log.map(each => each.sequence)).to.deep.equal([120, 119]);
    expect(log[0]).to.include({ type: 'key.updated', status: 'succeeded', attemptCount: 1 });
    expect(log[0].nextAttemptAt).to.equal(null);
  });

  it('are those of the types alone, and the position passes the others', async () => {
    const endpoint = await makeEndpoint(company, receiver.url, { types: ['invoice.*'] });
    await writeEvents(company, 5);
    await untilEndpoint(endpoint, { position: 5 });
    expect(receiver.received).to.deep.equal([]);
    expect(await deliveries(endpoint)).to.deep.equal([]);
  });

  it('start in sequence, four at once at most', async () => {
    let open = 0;
    let most = 0;
    receiver.answer = (_webhook, response) => {
      open += 1;
      most = Math.max(most, open);
      setTimeout(() => {
        open -= 1;
        response.writeHead(200).end();
      }, 50);
    };
    const endpoint = await makeEndpoint(company, receiver.url);
    await writeEvents(company, 20);
    await untilEndpoint(endpoint, { position: 20 });
    expect(most).to.be.within(2, 4);
    const order = receiver.received.map(sequenceOf);
    for (const [index, sequence] of order.entries())
      expect(Math.abs(index + 1 - sequence), order.join()).to.be.below(4);
  });

  it('are tried again with the same id and bytes, and a new signature', async () => {
    receiver.answer = answerWith(503);
    const endpoint = await makeEndpoint(company, receiver.url);
    await writeEvents(company, 1);
    await untilReceived(1);
    await untilEndpoint(endpoint, { position: 1 });
    const [pending] = await deliveries(endpoint, '?status=pending');
    expect(pending).to.include({ attemptCount: 1, status: 'pending' });
    const pause = Date.parse(pending.nextAttemptAt) - Date.parse(pending.createdAt);
    expect(pause).to.be.within(4_500, 8_000);
    receiver.answer = answerWith(200, { 'x-trace': 'abc' }, 'ok');
    await untilReceived(2);
    await until('a success', async () => (await deliveries(endpoint))[0].status === 'succeeded');
    const [first, second] = receiver.received;
    expect(second?.body).to.equal(first?.body);
    expect(second?.headers['webhook-id']).to.equal(first?.headers['webhook-id']);
    if (second) verifyWebhook(second, endpoint.secret);
    const delivery = (await company.get(`${endpoint.path}/deliveries/1`)).body;
    expect(delivery.attempts.map(({ trigger, status }: Json) => [trigger, status])).to.deep.equal([
      ['first', 503],
      ['retry', 200],
    ]);
    expect(delivery.attempts[1].request.body).to.equal(first?.body);
    expect(delivery.attempts[1].request.headers['webhook-signature']).to.equal(
      second?.headers['webhook-signature'],
    );
    expect(delivery.attempts[1].response).to.deep.include({ body: 'ok' });
    expect(delivery.attempts[1].response.headers).to.include({ 'x-trace': 'abc' });
  });

  it('fail after ten attempts', async () => {
    receiver.answer = answerWith(400);
    const endpoint = await makeEndpoint(company, receiver.url);
    await writeEvents(company, 1);
    for (let count = 1; count < 10; count += 1) {
      await until(
        'an attempt',
        async () => (await deliveries(endpoint))[0]?.attemptCount === count,
        60_000,
      );
      await hurry(stack, endpoint);
    }
    await until(
      'a failure',
      async () => (await deliveries(endpoint))[0].status === 'failed',
      60_000,
    );
    const [failed] = await deliveries(endpoint);
    expect(failed).to.include({ attemptCount: 10, nextAttemptAt: null });
    expect(await read(endpoint)).to.include({ health: 'healthy' });
  });

  it('in order wait for the one before, until it succeeds or is skipped', async () => {
    receiver.answer = (webhook, response) =>
      response.writeHead([2, 4].includes(sequenceOf(webhook)) ? 500 : 200).end();
    const endpoint = await makeEndpoint(company, receiver.url, { ordered: true });
    await writeEvents(company, 6);
    await until('a delivery that holds up', async () => (await deliveries(endpoint)).length === 2);
    expect((await deliveries(endpoint)).map(each => [each.sequence, each.status])).to.deep.equal([
      [2, 'pending'],
      [1, 'succeeded'],
    ]);
    await hurry(stack, endpoint);
    await untilReceived(3);
    expect(receiver.received.map(sequenceOf)).to.deep.equal([1, 2, 2]);
    const skipped = await company.post(`${endpoint.path}/deliveries/2/skip`, {});
    expect(skipped.body).to.include({ sequence: 2, status: 'skipped', nextAttemptAt: null });
    const again = await company.post(`${endpoint.path}/deliveries/2/skip`, {});
    expect(again.body.code).to.equal('invalid_state');
    await until('the next one', async () => (await deliveries(endpoint))[0].sequence === 4);
    receiver.answer = answerWith(200);
    await hurry(stack, endpoint);
    await untilEndpoint(endpoint, { position: 6 });
    expect(receiver.received.slice(-2).map(sequenceOf)).to.deep.equal([5, 6]);
  });

  it('to a failing endpoint are probes, until one succeeds', async () => {
    receiver.answer = answerWith(500);
    const endpoint = await makeEndpoint(company, receiver.url);
    const owner = await startReceiver();
    const watch = await makeEndpoint(company, owner.url, { types: ['webhook_endpoint.*'] });
    await writeEvents(company, 12);
    const failing = await untilEndpoint(endpoint, { health: 'failing' });
    expect(receiver.received.length).to.be.within(10, 13);
    expect(Date.parse(failing.disableAt) - Date.now()).to.be.within(
      4.9 * 86_400_000,
      5 * 86_400_000,
    );
    await until('the event', async () => owner.received.length === 1, 60_000);
    const event = verifyWebhook(owner.received[0] as ReceivedWebhook, watch.secret) as Json;
    expect(event.type).to.equal('webhook_endpoint.failing');
    expect(event.data).to.include({
      id: endpoint.id,
      health: 'failing',
      disableAt: failing.disableAt,
    });
    const before = receiver.received.length;
    await hurry(stack, endpoint);
    await untilReceived(before + 1);
    await until(
      'a probe',
      async () =>
        (await stack.sql('SELECT probes FROM webhook_endpoints WHERE id = $1', [endpoint.id]))[0]
          ?.probes === 1,
    );
    expect(receiver.received.length).to.equal(before + 1);
    receiver.answer = answerWith(200);
    await hurry(stack, endpoint);
    await untilEndpoint(endpoint, { health: 'healthy', disableAt: null });
    await hurry(stack, endpoint);
    // Its own event is the thirteenth.
    await untilEndpoint(endpoint, { behind: 0 });
    await until(
      'all',
      async () => {
        await hurry(stack, endpoint);
        return (await deliveries(endpoint)).every(each => each.status === 'succeeded');
      },
      60_000,
    );
    const delivered = new Set(receiver.received.map(sequenceOf));
    expect([...delivered].sort((a, b) => a - b)).to.deep.equal(upTo(13));
  });

  it('end after five days of failed probes', async () => {
    receiver.answer = answerWith(500);
    const endpoint = await makeEndpoint(company, receiver.url, { ordered: true });
    const owner = await startReceiver();
    await makeEndpoint(company, owner.url, { types: ['webhook_endpoint.disabled'] });
    await writeEvents(company, 1);
    const hurried = async (state: Json) => {
      await hurry(stack, endpoint);
      const found = await read(endpoint);
      return Object.entries(state).every(([name, value]) => found[name] === value);
    };
    await until('it fails', () => hurried({ health: 'failing' }), 60_000);
    await hurry(stack, endpoint);
    expect(await read(endpoint)).to.include({ status: 'active', health: 'failing' });
    const disabled = { status: 'disabled', disabledReason: 'no_success' };
    await until(
      'it ends',
      async () => {
        // Each time, because a turn under way stores the time that it began with.
        await stack.sql(
          `UPDATE webhook_endpoints
           SET disable_at = clock_timestamp()
           WHERE id = $1 AND disable_at IS NOT NULL`,
          [endpoint.id],
        );
        return hurried(disabled);
      },
      60_000,
    );
    await until('the event', async () => owner.received.length === 1, 60_000);
    expect(JSON.parse(owner.received[0]?.body ?? '').data).to.include({
      ...disabled,
      id: endpoint.id,
    });
    const before = receiver.received.length;
    await writeEvents(company, 1);
    await hurry(stack, endpoint);
    expect(await read(endpoint)).to.include(disabled);
    expect(receiver.received.length).to.equal(before);
  });

  it('end with 410, and continue at the position once the endpoint is active', async () => {
    receiver.answer = answerWith(410);
    const endpoint = await makeEndpoint(company, receiver.url);
    await writeEvents(company, 1);
    await untilEndpoint(endpoint, { status: 'disabled', disabledReason: 'gone' });
    await writeEvents(company, 3);
    // The first event, the endpoint's own, and the three.
    expect(await read(endpoint)).to.include({ position: 1, behind: 4 });
    receiver.answer = answerWith(200);
    const active = await company.patch(endpoint.path, { status: 'active' });
    expect(active.body).to.include({ status: 'active', disabledReason: null, health: 'healthy' });
    await untilEndpoint(endpoint, { behind: 0 });
    expect(receiver.received.map(sequenceOf)).to.include.members([2, 3, 4, 5]);
  });

  it('are paused, and lose nothing', async () => {
    const endpoint = await makeEndpoint(company, receiver.url);
    await company.patch(endpoint.path, { status: 'paused' });
    await writeEvents(company, 5);
    // Another endpoint's deliveries show that the worker had the time.
    const other = await startReceiver();
    await makeEndpoint(company, other.url, { after: 0 });
    await until('the other endpoint', async () => other.received.length === 5, 60_000);
    expect(receiver.received).to.deep.equal([]);
    await company.patch(endpoint.path, { status: 'active' });
    await untilReceived(5);
  });

  it('carry a signature of each valid secret', async () => {
    const endpoint = await makeEndpoint(company, receiver.url);
    const rotated = await company.post(`${endpoint.path}/rotate-secret`, {}, { mayTell: true });
    await writeEvents(company, 1);
    await untilReceived(1);
    const [webhook] = receiver.received;
    if (!webhook) throw new Error('nothing arrived');
    verifyWebhook(webhook, endpoint.secret);
    verifyWebhook(webhook, rotated.body.secret);
    await company.post(`${endpoint.path}/rotate-secret`, { overlapHours: 0 }, { mayTell: true });
    await writeEvents(company, 1);
    await untilReceived(2);
    const second = receiver.received[1];
    expect(() => second && verifyWebhook(second, rotated.body.secret)).to.throw('No matching');
  });

  it('are sent again on request, and the log says how', async () => {
    receiver.answer = (webhook, response) =>
      response.writeHead(sequenceOf(webhook) === 2 ? 400 : 200).end();
    const endpoint = await makeEndpoint(company, receiver.url);
    await writeEvents(company, 3);
    await untilEndpoint(endpoint, { position: 3 });
    receiver.answer = answerWith(200);
    const one = await company.post(`${endpoint.path}/deliveries/2/redeliver`, {});
    expect([one.status, one.body]).to.deep.equal([202, { count: 1 }]);
    await until(
      'a success',
      async () => (await deliveries(endpoint))[1].status === 'succeeded',
      60_000,
    );
    const delivery = (await company.get(`${endpoint.path}/deliveries/2`)).body;
    expect(delivery.attempts.map(({ trigger }: Json) => trigger)).to.deep.equal([
      'first',
      'manual',
    ]);
    receiver.received.splice(0);
    // A sequence that is sent twice counts once.
    const some = await company.post(`${endpoint.path}/redeliver`, { sequences: [1, 3, 1] });
    expect([some.status, some.body]).to.deep.equal([202, { count: 2 }]);
    await untilReceived(2);
    expect(receiver.received.map(sequenceOf).sort()).to.deep.equal([1, 3]);
    receiver.received.splice(0);
    const from = '2020-01-01T00:00:00Z';
    const all = await company.post(`${endpoint.path}/redeliver`, { from, only: 'all' });
    expect(all.body).to.deep.equal({ count: 3 });
    await untilReceived(3);
    const failed = await company.post(`${endpoint.path}/redeliver`, { from, only: 'failed' });
    expect(failed.body).to.deep.equal({ count: 0 });
  });

  it('are sent again singly in any status, and in bulk only to an active endpoint', async () => {
    const endpoint = await makeEndpoint(company, receiver.url);
    await writeEvents(company, 1);
    await untilEndpoint(endpoint, { position: 1 });
    await company.patch(endpoint.path, { status: 'paused' });
    await company.post(`${endpoint.path}/deliveries/1/redeliver`, {});
    await untilReceived(2);
    const bulk = (json: Json) => company.post(`${endpoint.path}/redeliver`, json);
    expect((await bulk({ sequences: [1] })).body.code).to.equal('invalid_state');
    await company.patch(endpoint.path, { status: 'active' });
    const refusedBy = async (json: Json) =>
      (await bulk(json)).body.errors.map(({ pointer, code }: Json) => `${pointer} ${code}`);
    expect(await refusedBy({ sequences: [1, 9] })).to.deep.equal(['/sequences/1 invalid_value']);
    expect(await refusedBy({ sequences: [] })).to.deep.equal(['/sequences empty']);
    expect(await refusedBy({ from: '2020-01-01T00:00:00Z' })).to.deep.equal(['/only required']);
    expect(await refusedBy({ from: 'yesterday', only: 'all' })).to.deep.equal([
      '/from invalid_value',
    ]);
    const backwards = { from: '2020-01-02T00:00:00Z', to: '2020-01-01T00:00:00Z' };
    expect(await refusedBy(backwards)).to.deep.equal(['/only required', '/to invalid_value']);
    expect(await refusedBy({ ...backwards, only: 'new' })).to.have.members([
      ...['/only invalid_value', '/to invalid_value'],
    ]);
    expect(await refusedBy({ sequences: [0], only: 'all', all: true })).to.have.members([
      ...['/sequences/0 invalid_value', '/only invalid_value', '/all unknown_field'],
    ]);
    expect((await company.post(`${endpoint.path}/deliveries/9/redeliver`, {})).status).to.equal(
      404,
    );
    expect((await company.post(`${endpoint.path}/deliveries/x/redeliver`, {})).status).to.equal(
      404,
    );
  });

  it('are listed by status, type and time, page by page', async () => {
    receiver.answer = (webhook, response) =>
      response.writeHead(sequenceOf(webhook) % 2 === 0 ? 400 : 200).end();
    const endpoint = await makeEndpoint(company, receiver.url);
    await writeEvents(company, 7);
    await untilEndpoint(endpoint, { position: 7 });
    const sequences = async (query: string) =>
      (await deliveries(endpoint, query)).map(each => each.sequence);
    expect(await sequences('?status=pending')).to.deep.equal([6, 4, 2]);
    expect(await sequences('?type=key.updated&limit=2')).to.deep.equal([7, 6]);
    expect(await sequences('?type=invoice.paid')).to.deep.equal([]);
    expect(await sequences('?type=key.*,invoice.paid&limit=2')).to.deep.equal([7, 6]);
    expect(await sequences('?from=2020-01-01T00:00:00Z')).to.deep.equal(upTo(7).reverse());
    expect(await sequences('?to=2020-01-01T00:00:00Z')).to.deep.equal([]);
    const page = await company.get(`${endpoint.path}/deliveries?limit=5`);
    const next = /<([^>]+)>/u.exec(String(page.headers.link))?.[1] ?? '';
    const second = await company.get(
      new URL(next).pathname.slice('/api/external'.length) + new URL(next).search,
    );
    expect(second.body.map((each: Json) => each.sequence)).to.deep.equal([2, 1]);
  });

  it('are not listed by an unknown type', async () => {
    const endpoint = await makeEndpoint(company, receiver.url);
    for (const type of ['key', 'key.update', 'key.*,']) {
      const { status, body } = await company.get(`${endpoint.path}/deliveries?type=${type}`);
      expect([status, body.code, body.parameter]).to.deep.equal([400, 'invalid_parameter', 'type']);
    }
  });

  it('do not arrive twice when the position is moved back', async () => {
    const endpoint = await makeEndpoint(company, receiver.url);
    await writeEvents(company, 3);
    await untilEndpoint(endpoint, { position: 3 });
    await company.patch(endpoint.path, { after: 0 });
    await writeEvents(company, 1);
    await untilEndpoint(endpoint, { position: 4 });
    expect(receiver.received.map(sequenceOf)).to.deep.equal([1, 2, 3, 4]);
  });

  it('that expired before they were sent are counted as missed', async () => {
    const endpoint = await makeEndpoint(company, receiver.url);
    await company.patch(endpoint.path, { status: 'paused' });
    await writeEvents(company, 3);
    await stack.sql('DELETE FROM feed WHERE company_id = $1', [company.companyId]);
    await writeEvents(company, 1);
    await company.patch(endpoint.path, { status: 'active' });
    expect(await untilEndpoint(endpoint, { position: 4 })).to.include({ missed: 3, behind: 0 });
    expect(receiver.received.map(sequenceOf)).to.deep.equal([4]);
  });

  it('are not sent without a secret that can be decrypted', async () => {
    const endpoint = await makeEndpoint(company, receiver.url);
    await stack.sql(
      `UPDATE webhook_secrets
       SET encrypted = decode(repeat('00', 60), 'hex')
       WHERE endpoint_id = $1`,
      [endpoint.id],
    );
    await writeEvents(company, 1);
    await untilEndpoint(endpoint, { status: 'disabled', disabledReason: 'secret_lost' });
    expect(receiver.received).to.deep.equal([]);
    const rotated = await company.post(
      `${endpoint.path}/rotate-secret`,
      { overlapHours: 0 },
      { mayTell: true },
    );
    await company.patch(endpoint.path, { status: 'active' });
    await untilReceived(1);
    verifyWebhook(receiver.received[0] as ReceivedWebhook, rotated.body.secret);
  });
});
