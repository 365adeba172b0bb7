// The endpoints of the API: their JSON, their limits and their refusals.
import { expect } from 'chai';
import { EVENT_TYPES, type EventTypeName } from '../../src/events/types.js';
import { appendEvents } from '../../src/feed/append.js';
import { closeDatabase, inTransaction } from '../../src/platform/db/connection.js';
import { stepsOf } from '../../src/platform/values/steps.js';
import type { Json, Response } from '../support/client.js';
import { eventDataMismatches } from '../support/contract.js';
import { addKey, makeCompany, type TestCompany } from '../support/factories.js';
import { startNameServer } from '../support/name-server.js';
import { answerWith, startReceiver, verifyWebhook } from '../support/receiver.js';
import { makeStores, openForTests, type Stack, startForTests } from '../support/suite.js';
import { makeEndpoint, writeEvents } from '../support/webhooks.js';

const PATH = '/webhook-endpoints';
const RANDOM_ID = '01932d5c-8a3b-7f21-b4f6-5b0d5a3c9e40';
const URL_A = 'https://shop.example/hooks';

const hoursBetween = (from: string, to: string) => (Date.parse(to) - Date.parse(from)) / 3_600_000;

describe('webhook endpoints', () => {
  let stack: Stack;
  let company: TestCompany;
  before(async () => {
    const stores = await makeStores('postgres');
    const names = await startNameServer(name =>
      name === 'shop.example' ? ['93.184.215.14'] : name === 'inside.example' ? ['10.0.0.1'] : [],
    );
    const env = { ...stores.env, WEBHOOK_DNS: names.address, WEBHOOK_ALLOW: '127.0.0.0/8' };
    // No worker: nothing is delivered.
    const web = await startForTests('web', env);
    stack = { ...stores, env, web, baseUrl: `http://127.0.0.1:${web.port}` };
    openForTests(stores.databaseUrl, 4);
  });
  after(closeDatabase);
  beforeEach(async () => {
    company = await makeCompany(stack);
  });

  const create = (fields: Json): Promise<Response> =>
    company.post(PATH, { url: URL_A, types: ['*'], ...fields }, { mayTell: true });
  const fieldErrors = ({ body }: Response) =>
    body.errors.map(({ pointer, code }: Json) => `${pointer} ${code}`);

  it('are created with a secret, which is shown only once', async () => {
    await writeEvents(company, 3);
    const fields = { types: ['key.*', 'invoice.paid'], description: 'Ledger', ordered: true };
    const response = await create(fields);
    expect(response.status).to.equal(201);
    const { secret, secrets, ...endpoint } = response.body;
    expect(response.headers.location).to.equal(`/api/external${PATH}/${endpoint.id}`);
    expect(secret).to.match(/^whsec_[A-Za-z\d+/]{43}=$/u);
    expect(secrets).to.deep.equal([{ createdAt: secrets[0].createdAt, expiresAt: null }]);
    expect(endpoint).to.deep.equal({
      id: endpoint.id,
      url: URL_A,
      ...fields,
      status: 'active',
      health: 'healthy',
      disabledReason: null,
      disableAt: null,
      position: 3,
      behind: 0,
      missed: 0,
      lastSuccessAt: null,
      lastFailureAt: null,
      createdAt: endpoint.createdAt,
      updatedAt: endpoint.createdAt,
    });
    const read = await company.get(`${PATH}/${endpoint.id}`);
    expect(read.body).to.deep.equal({ ...endpoint, secrets });
    const [row] = await stack.sql('SELECT encrypted FROM webhook_secrets WHERE endpoint_id = $1', [
      endpoint.id,
    ]);
    const stored = row?.encrypted as Buffer;
    expect(stored.includes(Buffer.from(secret.slice('whsec_'.length), 'base64'))).to.equal(false);
  });

  it('are listed oldest first, changed, and deleted', async () => {
    const { id } = (await create({ after: 0 })).body;
    const second = (await create({ url: 'https://shop.example/2' })).body;
    const list = await company.get(PATH);
    expect(list.body.map((each: Json) => each.id)).to.deep.equal([id, second.id]);
    const patch = { url: 'https://SHOP.example/3', types: ['key.updated'], description: 'x' };
    const changed = await company.patch(`${PATH}/${id}`, {
      ...patch,
      ordered: true,
      status: 'paused',
    });
    expect(changed.body).to.include({ url: 'https://shop.example/3', description: 'x' });
    expect(changed.body).to.include({ ordered: true, status: 'paused' });
    expect(changed.body.types).to.deep.equal(['key.updated']);
    expect((await company.patch(`${PATH}/${id}`, { description: null })).body.description).to.equal(
      null,
    );
    expect((await company.delete(`${PATH}/${id}`)).status).to.equal(204);
    for (const path of [`${PATH}/${id}`, `${PATH}/${RANDOM_ID}`, `${PATH}/x`])
      expect((await company.get(path)).status, path).to.equal(404);
    expect((await company.delete(`${PATH}/${id}`)).status).to.equal(404);
  });

  it('begin after the newest event, or where "after" says', async () => {
    await writeEvents(company, 5);
    const positionOf = async (path: string, after: Json) =>
      (await create({ url: `https://shop.example/${path}`, after })).body;
    expect(await positionOf('a', undefined)).to.include({ position: 5, behind: 0 });
    expect(await positionOf('b', 'last')).to.include({ position: 5, behind: 0 });
    expect(await positionOf('c', 0)).to.include({ position: 0, behind: 5 });
    const endpoint = await positionOf('d', 2);
    expect(endpoint).to.include({ position: 2, behind: 3 });
    const moved = await company.patch(`${PATH}/${endpoint.id}`, { after: 4 });
    expect(moved.body).to.include({ position: 4, behind: 1 });
    for (const after of [6, -1, 1.5, '3']) {
      const refused = await create({ url: 'https://shop.example/e', after });
      expect(refused.status, String(after)).to.equal(422);
      expect(fieldErrors(refused)).to.deep.equal(['/after invalid_value']);
    }
    await stack.sql('DELETE FROM feed WHERE company_id = $1', [company.companyId]);
    await writeEvents(company, 1);
    const expired = await create({ url: 'https://shop.example/e', after: 3 });
    expect(expired.status).to.equal(410);
    expect(expired.body).to.include({ code: 'events_expired', oldest: 6 });
    expect((await create({ url: 'https://shop.example/e', after: 5 })).status).to.equal(201);
  });

  it('take null in an optional field as absent', async () => {
    await writeEvents(company, 2);
    const created = await create({ description: null, ordered: null, after: null });
    expect(created.body).to.include({ description: null, ordered: false, position: 2 });
    const path = `${PATH}/${created.body.id}`;
    const rotated = await company.post(
      `${path}/rotate-secret`,
      { overlapHours: null },
      { mayTell: true },
    );
    expect(rotated.status).to.equal(200);
    const [newest, former] = rotated.body.secrets;
    expect(hoursBetween(newest.createdAt, former.expiresAt)).to.be.within(23.99, 24.01);
    const receiver = await startReceiver();
    const reachable = await makeEndpoint(company, receiver.url);
    const tested = await company.post(`${reachable.path}/test`, { type: null });
    expect(JSON.parse(tested.body.request.body).type).to.equal('webhook_endpoint.test');
    const from = '2020-01-01T00:00:00Z';
    const range = { sequences: null, from, to: null, only: 'all' };
    expect((await company.post(`${path}/redeliver`, range)).body).to.deep.equal({ count: 0 });
    const some = { sequences: [9], from: null, to: null, only: null };
    expect(fieldErrors(await company.post(`${path}/redeliver`, some))).to.deep.equal([
      '/sequences/0 invalid_value',
    ]);
    const neither = await company.post(`${path}/redeliver`, { sequences: null, from: null });
    expect(fieldErrors(neither)).to.deep.equal([' required']);
  });

  const refused: [fields: Json, errors: string[]][] = [
    [{ url: 'http://shop.example/' }, ['/url invalid_url']],
    [{ url: '' }, ['/url invalid_url']],
    [{ url: 'https://93.184.215.14/' }, ['/url invalid_url']],
    [{ url: 'https://inside.example/' }, ['/url private_address']],
    [{ url: 'https://localhost.example:22/' }, ['/url invalid_url']],
    [{ url: 3 }, ['/url wrong_type']],
    [{ url: null, types: null }, ['/url wrong_type', '/types wrong_type']],
    [{ url: undefined }, ['/url required']],
    [{ types: undefined }, ['/types required']],
    [{ types: [] }, ['/types empty']],
    [{ types: ['invoice.created', 'invoice.*', 'nothing'] }, ['/types/2 invalid_value']],
    [{ types: ['nothing.*'] }, ['/types/0 invalid_value']],
    [{ types: ['*', ''] }, ['/types/1 invalid_value']],
    [{ types: [7] }, ['/types/0 wrong_type']],
    [{ types: Array(51).fill('*') }, ['/types too_many_items']],
    [{ description: 'x'.repeat(256) }, ['/description too_long']],
    [{ description: '' }, ['/description empty']],
    [{ ordered: 'yes' }, ['/ordered wrong_type']],
    [{ status: 'paused' }, ['/status unknown_field']],
    [
      { url: 'https://inside.example/', types: ['x'], after: 99 },
      ['/types/0 invalid_value', '/url private_address', '/after invalid_value'],
    ],
    [{ url: 'http://x/', after: 99 }, ['/url invalid_url', '/after invalid_value']],
  ];
  for (const [fields, errors] of refused)
    it(`are refused with ${JSON.stringify(fields).slice(0, 60)}`, async () => {
      const response = await create(fields);
      expect(response.status).to.equal(422);
      expect(fieldErrors(response)).to.deep.equal(errors);
    });

  it('are refused without a body as with an empty one', async () => {
    for (const options of [{}, { raw: '', headers: { 'content-type': 'application/json' } }]) {
      const response = await company.request('POST', PATH, { ...options, unchecked: true });
      expect(response.status).to.equal(422);
      expect(fieldErrors(response)).to.have.members(['/url required', '/types required']);
    }
  });

  it('have one URL each, in its WHATWG form, and are ten at most', async () => {
    const first = (await create({})).body;
    const again = await create({ url: 'https://SHOP.example:443/a/../hooks' });
    expect(again.status).to.equal(409);
    expect(again.body).to.include({ code: 'already_exists', existingId: first.id });
    const other = (await create({ url: 'https://shop.example/b' })).body;
    const patched = await company.patch(`${PATH}/${other.id}`, { url: URL_A });
    expect(patched.body).to.include({ code: 'already_exists', existingId: first.id });
    for (const [more, error] of [
      [{ types: ['x'] }, '/types/0 invalid_value'],
      [{ after: 99 }, '/after invalid_value'],
    ] as const)
      for (const response of [
        await create(more),
        await company.patch(`${PATH}/${other.id}`, { url: URL_A, ...more }),
      ]) {
        expect(fieldErrors(response)).to.have.members([error, '/url already_exists']);
        expect(response.body.existingId).to.equal(first.id);
      }
    expect((await company.patch(`${PATH}/${first.id}`, { url: URL_A })).status).to.equal(200);
    const created = await Promise.all(
      Array.from({ length: 12 }, (_, index) => create({ url: `https://shop.example/c${index}` })),
    );
    expect(created.filter(({ status }) => status === 201)).to.have.lengthOf(8);
    expect(created.find(({ status }) => status !== 201)?.body.code).to.equal('limit_reached');
  });

  it('get a new secret by a rotation, beside the current one or in place of all', async () => {
    const { id } = (await create({})).body;
    const rotate = (json: Json) =>
      company.post(`${PATH}/${id}/rotate-secret`, json, { mayTell: true });
    const bare = await company.request('POST', `${PATH}/${id}/rotate-secret`, {
      mayTell: true,
      unchecked: true,
    });
    expect(bare.status).to.equal(200);
    const [newest, former] = bare.body.secrets;
    expect(newest.expiresAt).to.equal(null);
    expect(hoursBetween(newest.createdAt, former.expiresAt)).to.be.within(23.99, 24.01);
    expect((await rotate({ overlapHours: 1 })).body.secrets).to.have.lengthOf(3);
    expect((await rotate({ overlapHours: 168 })).body.secrets).to.have.lengthOf(4);
    expect((await rotate({})).body.code).to.equal('limit_reached');
    const only = await rotate({ overlapHours: 0 });
    expect(only.body.secrets).to.deep.equal([
      { createdAt: only.body.secrets[0].createdAt, expiresAt: null },
    ]);
    for (const [overlapHours, code] of [
      [-1, 'too_small'],
      [169, 'too_large'],
      [1.5, 'invalid_value'],
      ['1', 'wrong_type'],
    ])
      expect(fieldErrors(await rotate({ overlapHours }))).to.deep.equal([`/overlapHours ${code}`]);
  });

  it('need the scope, in reads too, and show nothing to other companies', async () => {
    const { id } = (await create({})).body;
    const { key } = await addKey(stack, company.companyId, ['invoices:read', 'customers:write']);
    for (const [method, path] of [
      ['GET', PATH],
      ['GET', `${PATH}/${id}`],
      ['POST', PATH],
      ['GET', `${PATH}/${id}/deliveries`],
    ] as const) {
      const response = await company.request(method, path, { key, unchecked: true });
      expect(response.body.requiredScope, path).to.equal('webhooks:write');
    }
    const other = await makeCompany(stack);
    for (const path of [`${PATH}/${id}`, `${PATH}/${id}/deliveries`, `${PATH}/${id}/deliveries/1`])
      expect((await other.get(path)).status, path).to.equal(404);
    expect((await other.get(PATH)).body).to.deep.equal([]);
    expect((await other.delete(`${PATH}/${id}`)).status).to.equal(404);
  });

  it('are tested by one signed attempt, ten times per minute', async () => {
    const receiver = await startReceiver(answerWith(500, {}, 'no'));
    const { path, secret } = await makeEndpoint(company, receiver.url);
    await company.patch(path, { status: 'paused' });
    const before = (await company.get(path)).body;
    const bare = await company.request('POST', `${path}/test`, { unchecked: true });
    expect(bare.status).to.equal(200);
    expect(bare.body).to.include({ trigger: 'manual', status: 500, error: null });
    expect(bare.body.response.body).to.equal('no');
    const [webhook] = receiver.received;
    if (!webhook) throw new Error('nothing was sent');
    expect(bare.body.request.body).to.equal(webhook.body);
    const sent = verifyWebhook(webhook, secret) as Json;
    expect(sent).to.include({ type: 'webhook_endpoint.test', test: true, sequence: null });
    expect(sent).to.include({ companyId: company.companyId, id: webhook.headers['webhook-id'] });
    const sample = await company.post(`${path}/test`, { type: 'key.updated' });
    expect(JSON.parse(sample.body.request.body).type).to.equal('key.updated');
    await writeEvents(company, 2);
    const newest = await company.post(`${path}/test`, { type: 'key.updated' });
    expect(JSON.parse(newest.body.request.body)).to.deep.include({ sequence: null, test: true });
    expect(JSON.parse(newest.body.request.body).data.name).to.equal('Key 1');
    expect(fieldErrors(await company.post(`${path}/test`, { type: 'key.*' }))).to.deep.equal([
      '/type invalid_value',
    ]);
    for (let count = 3; count < 10; count += 1)
      expect((await company.post(`${path}/test`, {})).status).to.equal(200);
    const eleventh = await company.post(`${path}/test`, {});
    expect(eleventh.status).to.equal(429);
    expect(eleventh.body.code).to.equal('too_many_attempts');
    expect(Number(eleventh.headers['retry-after'])).to.be.within(1, 60);
    expect((await company.get(path)).body).to.deep.equal({ ...before, behind: 2 });
    expect((await company.get(`${path}/deliveries`)).body).to.deep.equal([]);
  });

  it('are tested with a sample of any type, which has the shape of its data', async () => {
    const receiver = await startReceiver();
    const types = Object.keys(EVENT_TYPES) as EventTypeName[];
    for (const few of stepsOf(types, 10)) {
      const tester = await makeCompany(stack);
      const { path } = await makeEndpoint(tester, receiver.url);
      for (const type of few) {
        const { body } = await tester.post(`${path}/test`, { type });
        const sent = JSON.parse(body.request.body);
        expect(sent).to.include({ type, test: true });
        expect(eventDataMismatches(type, sent.data), type).to.deep.equal([]);
      }
    }
    expect(receiver.received).to.have.lengthOf(types.length);
  });

  it('are tested with a sample that says that its lists are left out', async () => {
    const receiver = await startReceiver();
    const { path } = await makeEndpoint(company, receiver.url);
    const data = { id: RANDOM_ID, name: 'x'.repeat(20_000), scopes: [] };
    const event = { type: 'key.updated', subjectId: RANDOM_ID, actor: null, data };
    await inTransaction(tx => appendEvents(company.companyId, [event], tx));
    const { body } = await company.post(`${path}/test`, { type: 'key.updated' });
    expect(JSON.parse(body.request.body)).to.include({ test: true, partial: true });
  });

  it('cannot be created in production without an encryption key', async () => {
    const { DATA_DIR: _directory, ...env } = stack.env;
    const production = { ...env, NODE_ENV: 'production' };
    const web = await startForTests('web', production);
    const elsewhere = { ...stack, baseUrl: `http://127.0.0.1:${web.port}` };
    const other = await makeCompany(elsewhere);
    const response = await other.post(PATH, { url: URL_A, types: ['*'] });
    expect(response.status).to.equal(503);
    expect(response.body.detail).to.match(/ENCRYPTION_KEY/u);
    expect((await other.get(PATH)).status).to.equal(200);
  });
});
