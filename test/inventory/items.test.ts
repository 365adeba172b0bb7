// GET and PATCH /inventory/{id}: reading, changing, renaming, archiving and restoring one item.
import { expect } from 'chai';
import pg from 'pg';
import { v7 as uuidv7 } from 'uuid';
import {
  fieldErrors,
  invoiceRequest,
  makeCompany,
  receive,
  type TestCompany,
} from '../support/factories.js';
import { until } from '../support/processes.js';
import { describeMode } from '../support/suite.js';

const line = (name: string) => invoiceRequest({ items: [{ name, qty: 1, price: 2 }] });

/** The item that an invoice line with this name takes from; null if it is a plain line. */
async function matched(company: TestCompany, name: string): Promise<string | null> {
  const { status, body } = await company.post('/invoices', line(name));
  expect(status, JSON.stringify(body)).to.equal(201);
  return body.items[0].itemId;
}

describeMode('postgres', 'one stock item', stack => {
  it('has the same JSON as in the list, with archived as its last member', async () => {
    const company = await makeCompany(stack());
    const [id = ''] = await receive(company, { name: 'Pipe', delta: 2, sku: 'P' });
    const { status, body } = await company.get(`/inventory/${id}`);
    expect(status).to.equal(200);
    expect(Object.keys(body).at(-1)).to.equal('archived');
    expect((await company.get('/inventory')).body).to.deep.equal([body]);
  });

  it('is 404 for a missing id, no UUID and another company, in each method', async () => {
    const BY_SKU = '/api/external/inventory?sku=';
    const company = await makeCompany(stack());
    const other = await makeCompany(stack());
    const [foreign = ''] = await receive(other, { name: 'Pipe', delta: 2 });
    for (const id of [uuidv7(), 'pipe', foreign]) {
      const answers = await Promise.all([
        company.get(`/inventory/${id}`),
        company.get(`/inventory/${id}/movements`),
        company.patch(`/inventory/${id}`, { name: 'Mine' }),
      ]);
      for (const { status, body } of answers)
        expect([status, body.code, body.detail]).to.deep.equal([
          404,
          'not_found',
          id === 'pipe'
            ? `There is no such item. Use its id, a UUID, or search with GET ${BY_SKU}pipe.`
            : 'There is no such item.',
        ]);
    }
    expect((await other.get(`/inventory/${foreign}`)).body.name).to.equal('Pipe');
  });

  it('leaves the methods of the adjustments as they are', async () => {
    const company = await makeCompany(stack());
    const { status, headers } = await company.get('/inventory/adjustments');
    expect([status, headers.allow]).to.deep.equal([405, 'OPTIONS, POST']);
    const patch = await company.patch('/inventory/adjustments', {});
    expect([patch.status, patch.headers.allow]).to.deep.equal([405, 'OPTIONS, POST']);
    const post = await company.post(`/inventory/${uuidv7()}`, {});
    expect([post.status, post.headers.allow]).to.deep.equal([405, 'GET, HEAD, OPTIONS, PATCH']);
  });

  it('changes only the given members, and null removes a value', async () => {
    const company = await makeCompany(stack());
    const details = { sku: 'P', unit: 'm', reorderPoint: 3, unitCost: 1.5, unitPrice: 2 };
    const [id = ''] = await receive(company, { name: 'Pipe', delta: 2, ...details });
    const path = `/inventory/${id}`;
    const before = (await company.get(path)).body;
    const changed = await company.patch(
      path,
      { unitPrice: 2.5, sku: null, unit: null, unitCost: null },
      { headers: { 'content-type': 'application/merge-patch+json' } },
    );
    expect(changed.status).to.equal(200);
    const { updatedAt, ...rest } = changed.body;
    const { updatedAt: earlier, ...old } = before;
    expect(rest).to.deep.equal({ ...old, unitPrice: 2.5, sku: null, unit: null, unitCost: null });
    expect(updatedAt > earlier).to.equal(true);
    const read = await company.get(path);
    expect(read.body).to.deep.equal(changed.body);
    expect(read.headers.etag).to.equal(changed.headers.etag);
    // Nothing changes: the same item, with the same time.
    for (const patch of [{}, { unitPrice: 2.5 }, { archived: false, name: 'Pipe' }])
      expect((await company.patch(path, patch)).body).to.deep.equal(changed.body);
  });

  it('refuses what an item may not have, all in one answer', async () => {
    const company = await makeCompany(stack());
    const [id] = await receive(company, { name: 'Pipe', delta: 2 });
    const refused = await company.patch(`/inventory/${id}`, {
      name: null,
      sku: '',
      unit: 'x'.repeat(31),
      reorderPoint: null,
      unitCost: -1,
      unitPrice: 1.23456,
      archived: 'yes',
      onHand: 5,
    });
    expect(fieldErrors(refused)).to.have.members([
      '/name wrong_type',
      '/sku empty',
      '/unit too_long',
      '/reorderPoint wrong_type',
      '/unitCost too_small',
      '/unitPrice too_many_decimals',
      '/archived wrong_type',
      '/onHand unknown_field',
    ]);
    expect(fieldErrors(await company.patch(`/inventory/${id}`, ['name']))).to.deep.equal([
      ' wrong_type',
    ]);
    const typed = await company.patch(
      `/inventory/${id}`,
      {},
      {
        headers: { 'content-type': 'application/json-patch+json' },
      },
    );
    expect([typed.status, typed.body.code]).to.deep.equal([415, 'unsupported_media_type']);
  });

  it('needs inventory:write to change, and inventory:read to read', async () => {
    const reader = await makeCompany(stack(), { scopes: ['inventory:read'] });
    const writer = await makeCompany(stack(), { scopes: ['inventory:write'] });
    const [id] = await receive(writer, { name: 'Pipe', delta: 2 });
    const scopes = await Promise.all([
      reader.patch(`/inventory/${id}`, {}),
      writer.get(`/inventory/${id}`),
      writer.get(`/inventory/${id}/movements`),
    ]);
    expect(scopes.map(({ status, body }) => `${status} ${body.requiredScope}`)).to.deep.equal([
      '403 inventory:write',
      '403 inventory:read',
      '403 inventory:read',
    ]);
  });

  it('changes with If-Match only while the ETag, of any coding, is current', async () => {
    const company = await makeCompany(stack());
    // Longer than a kilobyte, so that the answer can be compressed.
    const name = '名'.repeat(255);
    const [id = ''] = await receive(company, { name, sku: '号'.repeat(64), delta: 2 });
    const path = `/inventory/${id}`;
    const plain = String((await company.get(path)).headers.etag);
    const { headers } = await company.get(path, { headers: { 'accept-encoding': 'gzip' } });
    expect(headers['content-encoding']).to.equal('gzip');
    const patch = (ifMatch: string, unit: string) =>
      company.patch(path, { unit }, { headers: { 'if-match': ifMatch } });
    for (const ifMatch of ['"other"', `W/${plain}`, '""']) {
      const { status, body } = await patch(ifMatch, 'km');
      expect([status, body.code], ifMatch).to.deep.equal([412, 'precondition_failed']);
    }
    expect((await patch(String(headers.etag), 'm')).status).to.equal(200);
    expect((await patch(plain, 'km')).status).to.equal(412);
    expect((await patch('*', 'cm')).status).to.equal(200);
    const { etag } = (await company.get(path)).headers;
    await receive(company, { name, delta: 1 });
    expect((await patch(String(etag), 'mm')).status).to.equal(412);
    const current = String((await company.get(path)).headers.etag);
    expect((await patch(`"other", ${current}`, 'mm')).body.unit).to.equal('mm');
  });

  it('refuses a name or SKU in use and names the item that has it', async () => {
    const company = await makeCompany(stack());
    const [pipe = '', hose = ''] = await receive(
      company,
      { name: 'Pipe', sku: 'P', delta: 2 },
      { name: 'Hose', sku: 'H', delta: 2 },
    );
    for (const [patch, pointer] of [
      [{ name: ' PIPE ' }, '/name'],
      [{ name: 'Tube', sku: ' p ' }, '/sku'],
    ] as const) {
      const { status, body } = await company.patch(`/inventory/${hose}`, patch);
      expect([status, body.code, body.existingId]).to.deep.equal([409, 'already_exists', pipe]);
      expect(body.errors[0].pointer).to.equal(pointer);
    }
    expect((await company.get(`/inventory/${hose}`)).body.name).to.equal('Hose');
    // Another spelling of its own name is not in use.
    expect((await company.patch(`/inventory/${hose}`, { name: 'HOSE' })).body.name).to.equal(
      'HOSE',
    );
  });

  it('refuses a name or SKU in use together with the other errors of the body', async () => {
    const company = await makeCompany(stack());
    const [pipe = '', hose = ''] = await receive(
      company,
      { name: 'Pipe', sku: 'P', delta: 2 },
      { name: 'Hose', sku: 'H', delta: 2 },
    );
    const invalid = { name: ' PIPE ', sku: 'p', reorderPoint: -1, color: 'red' };
    const patched = (changes: object) =>
      company.patch(`/inventory/${hose}`, { ...invalid, ...changes });
    const answer = await patched({});
    expect(answer.body.existingId).to.equal(pipe);
    const others = ['/reorderPoint too_small', '/color unknown_field'];
    const taken = ['/name already_exists', '/sku already_exists'];
    expect(fieldErrors(answer)).to.have.members([...others, ...taken]);
    // Its own name and SKU are not in use, and an archived item takes none.
    for (const changes of [{ name: 'HOSE', sku: 'h' }, { archived: true }])
      expect(fieldErrors(await patched(changes))).to.have.members(others);
  });

  it('gives a name that many want to one of them', async () => {
    const company = await makeCompany(stack());
    const names = ['A', 'B', 'C', 'D'];
    const ids = await receive(company, ...names.map(name => ({ name, delta: 1 })));
    const answers = await Promise.all([
      ...ids.map(id => company.patch(`/inventory/${id}`, { name: 'Wanted', sku: 'W' })),
      company.post('/inventory/adjustments', {
        reason: 'received',
        items: [{ name: 'Wanted', delta: 1 }],
      }),
    ]);
    const renamed = answers.slice(0, 4).filter(({ status }) => status === 200);
    expect(renamed.length).to.be.at.most(1);
    for (const { status, body } of answers.slice(0, 4))
      if (status !== 200) expect([status, body.code]).to.deep.equal([409, 'already_exists']);
    expect(answers[4]?.status).to.equal(201);
    const { body } = await company.get('/inventory?name=wanted');
    expect(body).to.have.length(1);
    expect(answers[4]?.body.movements[0].itemId).to.equal(body[0].id);
  });

  it('is still matched by its former names, until another item takes them', async () => {
    const company = await makeCompany(stack());
    const [pipe = '', hose = ''] = await receive(
      company,
      { name: 'Pipe', delta: 9 },
      { name: 'Hose', delta: 9 },
    );
    await company.patch(`/inventory/${pipe}`, { name: 'Tube' });
    await company.patch(`/inventory/${pipe}`, { name: 'Duct' });
    for (const name of ['pipe', 'TUBE', 'Duct'])
      expect(await matched(company, name)).to.equal(pipe);
    // Also by adjustments, next to other ways to name items; none of them creates one.
    const { body } = await company.post('/inventory/adjustments', {
      reason: 'received',
      items: [
        { name: 'Pipe', delta: 1 },
        { name: 'Duct', delta: 1 },
        { itemId: hose, delta: 1 },
      ],
    });
    expect(
      body.movements.map((movement: { itemId: string; name: string; onHandAfter: number }) => [
        movement.itemId,
        movement.name,
        movement.onHandAfter,
      ]),
    ).to.deep.equal([
      [pipe, 'Duct', 7],
      [pipe, 'Duct', 8],
      [hose, 'Hose', 10],
    ]);
    expect((await company.get('/inventory?name=pipe')).body[0].id).to.equal(pipe);
    await company.patch(`/inventory/${hose}`, { name: 'Pipe' });
    expect(await matched(company, 'Pipe')).to.equal(hose);
    expect(await matched(company, 'Hose')).to.equal(hose);
    expect(await matched(company, 'Tube')).to.equal(pipe);
    // Its old name is in use now.
    const back = await company.patch(`/inventory/${pipe}`, { name: 'Pipe' });
    expect([back.status, back.body.existingId]).to.deep.equal([409, hose]);
    expect((await company.patch(`/inventory/${pipe}`, { name: 'Tube' })).status).to.equal(200);
  });

  it('is matched by its former name, even by a line that waits for the rename', async () => {
    const company = await makeCompany(stack());
    const [pipe = ''] = await receive(company, { name: 'Pipe', delta: 3 });
    const client = new pg.Client({ connectionString: stack().databaseUrl });
    await client.connect();
    await client.query('BEGIN');
    await client.query('SELECT 1 FROM companies WHERE id = $1 FOR UPDATE', [company.companyId]);
    // The rename has locked the item and waits for the company, the line waits for the item.
    const renamed = company.patch(`/inventory/${pipe}`, { name: 'Tube' });
    const waiting = async (count: number) => {
      const { rows } = await client.query(
        `SELECT 1
         FROM pg_stat_activity
         WHERE cardinality(pg_blocking_pids(pid)) > 0 AND datname = current_database()`,
      );
      return rows.length >= count;
    };
    await until('the rename waits', () => waiting(1));
    const sold = matched(company, 'Pipe');
    await until('the line waits', () => waiting(2));
    await client.query('COMMIT');
    await client.end();
    expect((await renamed).body.name).to.equal('Tube');
    expect(await sold).to.equal(pipe);
  });

  it('takes two lines with its old and its new name from one stock', async () => {
    const company = await makeCompany(stack());
    const [pipe = ''] = await receive(company, { name: 'Pipe', delta: 3 });
    await company.patch(`/inventory/${pipe}`, { name: 'Tube' });
    const items = ['Pipe', 'Tube'].map(name => ({ name, qty: 2, price: 1 }));
    const { status, body } = await company.post('/invoices', invoiceRequest({ items }));
    expect([status, body.errors.length, body.errors[0].available]).to.deep.equal([409, 2, 3]);
  });

  it('can be archived only with nothing on hand', async () => {
    const company = await makeCompany(stack(), { allowNegativeStock: true });
    for (const delta of [0.5, -2]) {
      const name = `Item ${delta}`;
      const items = [{ name, delta }];
      const { body } = await company.post('/inventory/adjustments', { reason: 'received', items });
      const refused = await company.patch(`/inventory/${body.movements[0].itemId}`, {
        archived: true,
      });
      expect([refused.status, refused.body.code]).to.deep.equal([409, 'invalid_state']);
      expect(refused.body.detail).to.contain(`${name} has ${delta} on hand.`);
    }
  });

  it('is in no list and matched by nothing while archived, and keeps its history', async () => {
    const company = await makeCompany(stack());
    const [pipe = ''] = await receive(company, { name: 'Pipe', sku: 'P', delta: 1 });
    await company.patch(`/inventory/${pipe}`, { name: 'Tube' });
    expect(await matched(company, 'Pipe')).to.equal(pipe);
    const archived = await company.patch(`/inventory/${pipe}`, { archived: true });
    expect([archived.status, archived.body.archived]).to.deep.equal([200, true]);

    for (const query of ['', '?low=1', '?name=tube', '?sku=P', '?q=tub', '?archived=0'])
      expect((await company.get(`/inventory${query}`)).body, query).to.deep.equal([]);
    for (const query of ['?archived=1', '?archived=true&name=pipe', '?archived=1&q=p&sku=P'])
      expect((await company.get(`/inventory${query}`)).body, query).to.deep.equal([archived.body]);
    expect((await company.get('/inventory?archived=yes')).status).to.equal(400);

    for (const name of ['Pipe', 'Tube']) expect(await matched(company, name)).to.equal(null);
    const sku = invoiceRequest({ items: [{ name: 'X', sku: 'P', qty: 1, price: 1 }] });
    expect(fieldErrors(await company.post('/invoices', sku))).to.deep.equal([
      '/items/0/sku unknown_item',
    ]);
    const adjustment = { reason: 'received', items: [{ itemId: pipe, delta: 1 }] };
    expect(fieldErrors(await company.post('/inventory/adjustments', adjustment))).to.deep.equal([
      '/items/0/itemId unknown_item',
    ]);
    expect((await company.get(`/inventory/${pipe}`)).body).to.deep.equal(archived.body);
    expect((await company.get(`/inventory/${pipe}/movements`)).body).to.have.length(2);
  });

  it('gets its names back when it is restored, except for those that others took', async () => {
    const company = await makeCompany(stack());
    const [old = ''] = await receive(company, { name: 'Pipe', sku: 'P', delta: 0 });
    await company.patch(`/inventory/${old}`, { name: 'Tube' });
    await company.patch(`/inventory/${old}`, { archived: true });
    const [young = ''] = await receive(company, { name: 'Tube', sku: 'P', delta: 5 });
    expect(young).not.to.equal(old);
    const refused = await company.patch(`/inventory/${old}`, { archived: false });
    expect([refused.status, refused.body.existingId]).to.deep.equal([409, young]);
    const patch = { archived: false, name: 'Duct', sku: null };
    expect((await company.patch(`/inventory/${old}`, patch)).body).to.include({
      archived: false,
      name: 'Duct',
    });
    await receive(company, { name: 'Pipe', delta: 5 });
    expect(await matched(company, 'Tube')).to.equal(young);
    expect(await matched(company, 'Pipe')).to.equal(old);
  });
});
