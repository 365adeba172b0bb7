// Merging records, many records in one request, the list, and the versions that changes leave.
import { expect } from 'chai';
import { v7 as uuidv7 } from 'uuid';
import type { Json, Response } from '../support/client.js';
import { makeCustomer } from '../support/customers.js';
import {
  fieldErrors,
  invoiceRequest,
  makeCompany,
  type TestCompany,
} from '../support/factories.js';
import { describeMode } from '../support/suite.js';

const problem = ({ status, body }: Response) => [status, body.code];
const merge = (company: TestCompany, into: string, customerId: string) =>
  company.post(`/customers/${into}/merge`, { customerId });
const names = ({ body }: Response) => body.map(({ name }: Json) => name);

describeMode('postgres', 'a merge of two records', stack => {
  it('makes the names of one aliases of the other, which keeps its own values', async () => {
    const company = await makeCompany(stack());
    const a = await makeCustomer(company, { name: 'A', aliases: ['A2'], note: 'Keep' });
    const b = await makeCustomer(company, {
      name: 'B',
      aliases: ['B2'],
      note: 'Lose',
      externalId: 'x',
    });
    const { status, body } = await merge(company, a.id, b.id);
    expect(status).to.equal(200);
    const { updatedAt } = body;
    expect(body).to.deep.equal({ ...a, aliases: ['A2', 'B', 'B2'], updatedAt });
    const merged = { ...b, aliases: [], archived: true, mergedInto: a.id, updatedAt };
    expect((await company.get('/customers?archived=1')).body).to.deep.equal([merged]);
    expect((await company.get('/customers')).body).to.deep.equal([body]);
  });

  it('lets id, number and external id find the record that remains, through a chain', async () => {
    const company = await makeCompany(stack());
    const [a, b, c] = await Promise.all(
      ['A', 'B', 'C'].map(name => makeCustomer(company, { name, externalId: `x-${name}` })),
    );
    await merge(company, b.id, a.id);
    const { body: last } = await merge(company, c.id, b.id);
    for (const { id, number, externalId } of [a, b, c]) {
      expect((await company.get(`/customers/${id}`)).body).to.deep.equal(last);
      for (const query of [`number=${number}`, `externalId=${externalId}`, `name=a`, 'q=b'])
        expect((await company.get(`/customers?${query}`)).body, query).to.deep.equal([last]);
    }
  });

  it('is refused with itself, an archived or merged record, and an unknown one', async () => {
    const company = await makeCompany(stack());
    const [a, b, c, archived] = await Promise.all(
      ['A', 'B', 'C', 'D'].map(name => makeCustomer(company, { name })),
    );
    const foreign = await makeCustomer(await makeCompany(stack()), { name: 'A' });
    await company.patch(`/customers/${archived.id}`, { archived: true });
    await merge(company, b.id, c.id);
    const before = (await company.get('/customers')).body;
    for (const [into, other] of [
      [a.id, a.id],
      [a.id, archived.id],
      [archived.id, a.id],
      [a.id, c.id],
      [c.id, a.id],
    ]) {
      const refused = await merge(company, into, other);
      expect(problem(refused)).to.deep.equal([409, 'invalid_state']);
      expect(refused.body.customerId).to.be.oneOf([into, other]);
    }
    for (const unknown of [uuidv7(), foreign.id])
      expect(fieldErrors(await merge(company, a.id, unknown))).to.deep.equal([
        '/customerId unknown_customer',
      ]);
    const invalid = { customerId: uuidv7(), note: 'N' };
    expect(fieldErrors(await company.post(`/customers/${a.id}/merge`, invalid))).to.have.members([
      '/note unknown_field',
      '/customerId unknown_customer',
    ]);
    expect((await merge(company, uuidv7(), a.id)).status).to.equal(404);
    expect(fieldErrors(await merge(company, a.id, 'x'))).to.deep.equal([
      '/customerId invalid_value',
    ]);
    for (const response of await Promise.all([
      company.patch(`/customers/${c.id}`, { note: 'N' }),
      company.delete(`/customers/${c.id}`),
    ]))
      expect(problem(response)).to.deep.equal([409, 'invalid_state']);
    expect((await company.get('/customers')).body).to.deep.equal(before);
  });

  it('is refused above 100 aliases, with nothing written', async () => {
    const company = await makeCompany(stack());
    const aliases = Array.from({ length: 99 }, (_, i) => `A ${i}`);
    const a = await makeCustomer(company, { name: 'A', aliases });
    const b = await makeCustomer(company, { name: 'B', aliases: ['B2'] });
    expect(problem(await merge(company, a.id, b.id))).to.deep.equal([409, 'invalid_state']);
    expect((await company.get('/customers')).body).to.deep.equal([a, b]);
    await company.patch(`/customers/${b.id}`, { aliases: [] });
    expect((await merge(company, a.id, b.id)).body.aliases.length).to.equal(100);
  });

  it('makes the merged record refuse changes, with the name of the one that remains', async () => {
    const company = await makeCompany(stack());
    const [a, b, c, other] = await Promise.all(
      ['A', 'B', 'C', 'Other'].map(name => makeCustomer(company, { name })),
    );
    await merge(company, b.id, a.id);
    await merge(company, c.id, b.id);
    const path = `/customers/${a.id}`;
    for (const refused of [
      await company.patch(path, { phone: '1' }),
      await company.delete(path),
      await merge(company, a.id, other.id),
      await merge(company, other.id, a.id),
    ]) {
      expect(problem(refused)).to.deep.equal([409, 'invalid_state']);
      expect(refused.body).to.include({
        detail: 'The record of A was merged into C.',
        mergedInto: b.id,
      });
    }
  });

  it('leaves one record of many merged at once, in any order', async () => {
    const company = await makeCompany(stack());
    const made = await Promise.all(
      Array.from({ length: 8 }, (_, i) => makeCustomer(company, { name: `N${i}` })),
    );
    const ids: string[] = made.map(({ id }) => id);
    const pairs = ids.flatMap(into => ids.filter(id => id !== into).map(id => [into, id] as const));
    const responses = await Promise.all(pairs.map(([into, id]) => merge(company, into, id)));
    expect(responses.filter(({ status }) => status === 200).length).to.equal(7);
    expect(responses.filter(({ status }) => status === 409).length).to.equal(pairs.length - 7);
    const [last, ...others] = (await company.get('/customers')).body;
    expect(others).to.deep.equal([]);
    expect([last.name, ...last.aliases].sort()).to.deep.equal(made.map(({ name }) => name).sort());
  });

  it('is deleted with the record that it became part of', async () => {
    const company = await makeCompany(stack());
    const [a, b] = [
      await makeCustomer(company, { name: 'A' }),
      await makeCustomer(company, { name: 'B' }),
    ];
    await merge(company, a.id, b.id);
    expect((await company.delete(`/customers/${a.id}`)).status).to.equal(204);
    for (const id of [a.id, b.id])
      expect((await company.get(`/customers/${id}`)).status).to.equal(404);
    expect((await company.get('/customers?archived=1')).body).to.deep.equal([]);
  });
});

describeMode('postgres', 'a batch of customers', stack => {
  const results = ({ body }: Response) => body.results.map(({ status }: Json) => status);

  it('creates or refuses each by itself', async () => {
    const company = await makeCompany(stack());
    const { id } = await makeCustomer(company, { name: 'Old' });
    const { status, body } = await company.post('/customers/batch', {
      customers: [
        { name: 'New' },
        { name: 'OLD' },
        { name: '' },
        7,
        { name: 'new' },
        { name: 'Last' },
      ],
    });
    expect(status).to.equal(200);
    expect(results({ body } as Response)).to.deep.equal([201, 409, 422, 422, 409, 201]);
    expect(body.results[1].problem.existingId).to.equal(id);
    expect(body.results[4].problem.existingId).to.equal(body.results[0].customer.id);
    expect(body.results[0].customer).to.deep.equal(
      (await company.get(`/customers/${body.results[0].customer.id}`)).body,
    );
    expect(names(await company.get('/customers'))).to.deep.equal(['Last', 'New', 'Old']);
  });

  it('updates what an external id, else a name, finds', async () => {
    const company = await makeCompany(stack());
    const a = await makeCustomer(company, {
      name: 'A',
      aliases: ['A2'],
      externalId: 'x',
      note: 'N',
      phone: '1',
    });
    const b = await makeCustomer(company, { name: 'B' });
    const c = await makeCustomer(company, { name: 'C' });
    await company.patch(`/customers/${c.id}`, { archived: true });
    const update = (customer: object) =>
      company.post('/customers/batch', { customers: [customer], onExisting: 'update' });
    const [one] = (await update({ externalId: 'x', name: 'A3', note: null })).body.results;
    expect([one.status, one.customer.id]).to.deep.equal([200, a.id]);
    expect(one.customer).to.include({ name: 'A3', note: null, phone: '1' });
    expect(one.customer.aliases).to.deep.equal(['A2', 'A']);
    const [byAlias] = (await update({ name: 'a2', phone: '2' })).body.results;
    expect(byAlias.customer).to.include({ name: 'A3', phone: '2', externalId: 'x' });
    const [taken] = (await update({ externalId: 'x', name: 'B' })).body.results;
    expect([taken.status, taken.problem.code]).to.deep.equal([409, 'already_exists']);
    expect(taken.problem.existingId).to.equal(b.id);
    await company.patch(`/customers/${b.id}`, { address: { city: 'Bonn', country: 'DE' } });
    const [moved] = (await update({ name: 'B', address: { line1: 'Way 1' } })).body.results;
    expect(moved.customer.address).to.include({ line1: 'Way 1', city: 'Bonn', country: 'DE' });
    const [archived] = (await update({ name: 'C' })).body.results;
    expect([archived.status, archived.problem.code]).to.deep.equal([409, 'invalid_state']);
    const [same] = (await update({ name: 'A3', phone: '2' })).body.results;
    expect([same.status, same.customer.updatedAt]).to.deep.equal([200, byAlias.customer.updatedAt]);
    const [fresh] = (await update({ name: 'D', externalId: 'y' })).body.results;
    expect(fresh.status).to.equal(201);
  });

  it('finds the record that remains by the external id of a merged one', async () => {
    const company = await makeCompany(stack());
    const a = await makeCustomer(company, { name: 'A', externalId: 'x' });
    const b = await makeCustomer(company, { name: 'B', externalId: 'y' });
    await merge(company, a.id, b.id);
    const { body } = await company.post('/customers/batch', {
      customers: [{ name: 'A', externalId: 'y', note: 'N' }],
      onExisting: 'update',
    });
    expect(body.results[0].customer).to.include({ id: a.id, externalId: 'x', note: 'N' });
  });

  it('has a version for each change of a record within it', async () => {
    const company = await makeCompany(stack());
    const customers = ['1', '2', '3'].map(phone => ({ name: 'A', phone }));
    const { body } = await company.post('/customers/batch', { customers, onExisting: 'update' });
    expect(results({ body } as Response)).to.deep.equal([201, 200, 200]);
    const times = body.results.map(({ customer }: Json) => customer.updatedAt);
    expect(new Set(times).size).to.equal(3);
    expect(times).to.deep.equal(times.toSorted());
    const [row] = await stack().sql(
      `SELECT json_agg(body::json ->> 'phone' ORDER BY version) AS versions
       FROM customer_versions WHERE company_id = $1`,
      [company.companyId],
    );
    expect(row?.versions).to.deep.equal(['1', '2', '3']);
  });

  it('lists at most 100 errors in all, and how many more each customer has', async () => {
    const company = await makeCompany(stack());
    const customers = Array.from({ length: 60 }, () => ({ name: '', note: '' }));
    const { body } = await company.post('/customers/batch', { customers });
    const sumOf = (count: (problem: Json) => number) =>
      body.results.reduce((sum: number, result: Json) => sum + count(result.problem), 0);
    expect(sumOf(({ errors = [] }) => errors.length)).to.equal(100);
    expect(sumOf(({ errorsOmitted = 0 }) => errorsOmitted)).to.equal(20);
  });

  it('repeats each result under its own key, and refuses sizes and options', async () => {
    const company = await makeCompany(stack());
    const send = (body: object, key?: string) =>
      company.post('/customers/batch', body, key ? { headers: { 'idempotency-key': key } } : {});
    const first = await send({ customers: [{ name: 'A' }, { name: '' }] }, 'k');
    const second = await send({ customers: [{ name: 'A' }, { name: 'B' }] }, 'k');
    expect([results(first), results(second)]).to.deep.equal([
      [201, 422],
      [201, 201],
    ]);
    expect(second.body.results[0]).to.deep.equal(first.body.results[0]);
    const third = await send({ customers: [{ name: 'A' }, { name: 'B' }] }, 'k');
    expect(third.headers['idempotency-replayed']).to.equal('true');
    expect(fieldErrors(await send({ customers: [] }))).to.deep.equal(['/customers empty']);
    const many = Array.from({ length: 101 }, (_, i) => ({ name: `N${i}` }));
    expect(fieldErrors(await send({ customers: many }))).to.deep.equal([
      '/customers too_many_items',
    ]);
    expect(fieldErrors(await send({ customers: [{ name: 'Z' }], onExisting: 'x' }))).to.deep.equal([
      '/onExisting invalid_value',
    ]);
  });
});

describeMode('postgres', 'the list of customers', stack => {
  it('is ordered by match key in pages, and above the largest limit has that', async () => {
    const company = await makeCompany(stack());
    await company.post('/customers/batch', {
      customers: ['b', 'C', 'a', 'é', 'D'].map(name => ({ name })),
    });
    expect(names(await company.get('/customers?limit=999'))).to.deep.equal([
      'a',
      'b',
      'C',
      'D',
      'é',
    ]);
    const seen: string[] = [];
    for (let path: string | undefined = '/customers?limit=2'; path; ) {
      const response = await company.get(path);
      seen.push(...names(response));
      path = /external([^>]*)>; rel="next"/u.exec(String(response.headers.link ?? ''))?.[1];
    }
    expect(seen).to.deep.equal(['a', 'b', 'C', 'D', 'é']);
  });

  it('has filters, in which wildcards are text', async () => {
    const company = await makeCompany(stack());
    const rows = [
      { name: 'Alpha 100%', aliases: ['First'], taxId: 'DE 1-2', email: 'X@alpha.example' },
      { name: 'Beta_1', hold: true, number: 'N-1', externalId: 'e1' },
      { name: 'Gamma' },
    ];
    const made = await company.post('/customers/batch', { customers: rows });
    const found = async (query: string) => names(await company.get(`/customers?${query}`));
    const cases: [string, string[]][] = [
      ['q=alpha', ['Alpha 100%']],
      ['q=FIRST', ['Alpha 100%']],
      ['q=gámma', ['Gamma']],
      ['q=de12', ['Alpha 100%']],
      ['q=x%40alpha', ['Alpha 100%']],
      ['q=n-1', ['Beta_1']],
      ['q=0%25', ['Alpha 100%']],
      ['q=a_1', ['Beta_1']],
      ['q=a%251', []],
      ['name=first', ['Alpha 100%']],
      ['name=firs', []],
      ['number=n-1', ['Beta_1']],
      ['externalId=e1', ['Beta_1']],
      ['externalId=E1', []],
      ['taxId=de1.2', ['Alpha 100%']],
      ['hold=1', ['Beta_1']],
      ['hold=0', ['Alpha 100%', 'Beta_1', 'Gamma']],
      ['archived=', ['Alpha 100%', 'Beta_1', 'Gamma']],
      ['updatedSince=2000-01-01T00:00:00Z', ['Alpha 100%', 'Beta_1', 'Gamma']],
      ['updatedSince=2100-01-01T00:00:00%2B02:00', []],
      ['updatedSince=0001-01-01T00:00:00Z', ['Alpha 100%', 'Beta_1', 'Gamma']],
    ];
    for (const [query, expected] of cases)
      expect(await found(query), query).to.deep.equal(expected);
    const { updatedAt } = made.body.results[2].customer;
    expect(await found(`updatedSince=${updatedAt}&q=gamma`)).to.deep.equal(['Gamma']);
    for (const [time, expected] of [
      ['0000-01-01T00:00:00Z', 1],
      ['2026-01-01T00:00:00%2B23:59', 1],
      ['9999-12-31T23:59:59-23:59', 0],
      [`${updatedAt.slice(0, -1)}000001Z`, 0],
      ['2026-02-30T00:00:00Z', null],
      ['2026-01-01T00:00:00%2B24:00', null],
    ]) {
      const { status, body } = await company.get(`/customers?updatedSince=${time}&q=gamma`);
      const count = status === 200 ? body.length : null;
      expect([status, count], `${time}`).to.deep.equal([expected === null ? 400 : 200, expected]);
    }
    for (const query of ['updatedSince=today', 'hold=maybe', 'limit=0', 'since=1', 'cursor=x'])
      expect((await company.get(`/customers?${query}`)).status, query).to.equal(400);
  });
});

describeMode('postgres', 'the versions of a customer', stack => {
  it('say which record a name belonged to at any time', async () => {
    const company = await makeCompany(stack());
    const times: Record<string, string> = {};
    const at = (step: string, { body }: Response) => {
      times[step] = body.updatedAt;
      return body;
    };
    const a = at('a', await company.post('/customers', { name: 'A', aliases: ['X'] }));
    at('freed', await company.patch(`/customers/${a.id}`, { aliases: [] }));
    const b = at('b', await company.post('/customers', { name: 'B', aliases: ['X'] }));
    at('merged', await merge(company, a.id, b.id));
    const owners = async (step: string) => {
      const rows = await stack().sql(
        `SELECT DISTINCT ON (name_key) name_key, customer_id
         FROM customer_name_versions
         WHERE company_id = $1 AND valid_from <= $2
         ORDER BY name_key, valid_from DESC`,
        [company.companyId, times[step]],
      );
      return Object.fromEntries(rows.map(row => [row.name_key, row.customer_id]));
    };
    expect(await owners('a')).to.deep.equal({ a: a.id, x: a.id });
    expect(await owners('freed')).to.deep.equal({ a: a.id, x: null });
    expect(await owners('b')).to.deep.equal({ a: a.id, b: b.id, x: b.id });
    expect(await owners('merged')).to.deep.equal({ a: a.id, b: a.id, x: a.id });
  });

  it('have the record as it was, its author and no gaps, under concurrent changes', async () => {
    const company = await makeCompany(stack());
    const { id } = await makeCustomer(company, { name: 'A' });
    await Promise.all(
      Array.from({ length: 20 }, (_, i) => company.patch(`/customers/${id}`, { note: `N${i}` })),
    );
    const rows = await stack().sql(
      `SELECT v.version, v.changed_by, v.body::json ->> 'updatedAt' AS shown,
         to_char(v.valid_from AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS valid,
         v.version = c.version AS is_row
       FROM customer_versions v
       JOIN customers c ON c.company_id = v.company_id AND c.id = v.customer_id
       WHERE v.company_id = $1
       ORDER BY v.version`,
      [company.companyId],
    );
    expect(rows.map(({ version }) => version)).to.deep.equal(
      Array.from({ length: 21 }, (_, i) => i + 1),
    );
    for (const { shown, valid, changed_by: by } of rows) {
      expect(shown).to.equal(valid);
      expect(by).to.deep.equal({ kind: 'key', id: company.keyId, name: 'Test key' });
    }
    expect(rows.map(row => row.is_row)).to.deep.equal([...Array(20).fill(false), true]);
    expect(new Set(rows.map(({ valid }) => valid)).size).to.equal(21);
  });

  it('cannot be changed', async () => {
    const company = await makeCompany(stack());
    await makeCustomer(company, { name: 'A' });
    for (const table of ['customer_versions', 'customer_name_versions'])
      for (const sql of [`DELETE FROM ${table}`, `TRUNCATE ${table}`]) {
        const refused = await stack()
          .sql(sql, [])
          .then(() => 'done', String);
        expect(refused).to.match(/append-only/u);
      }
  });

  it('let invoices of all names belong to a record at once', async () => {
    const company = await makeCompany(stack());
    const items = [{ name: 'Advice', qty: 1, price: 10 }];
    await company.post('/invoices', invoiceRequest({ customerName: 'Harbour', items }));
    const { id } = await makeCustomer(company, { name: 'A', aliases: ['HARBOUR'] });
    const refused = await company.patch(`/customers/${id}`, { archived: true });
    expect(refused.body.outstanding).to.equal(10);
  });
});
