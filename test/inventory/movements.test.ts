// GET /inventory/{id}/movements: order, pages, filters and sources. And the list's filter q.
import { expect } from 'chai';
import { invoiceRequest, makeCompany, receive } from '../support/factories.js';
import { describeMode } from '../support/suite.js';

describeMode('postgres', "an item's movements", stack => {
  it('are listed newest first, each with its source', async () => {
    const company = await makeCompany(stack());
    const { body: delivery } = await company.post('/inventory/adjustments', {
      reason: 'received',
      items: [{ name: 'Pipe', delta: 10.5 }],
    });
    const [{ itemId }] = delivery.movements;
    const items = [{ name: 'Pipe', qty: 3, price: 2 }];
    const { body: invoice } = await company.post('/invoices', invoiceRequest({ items }));
    const { status, body } = await company.get(`/inventory/${itemId}/movements`);
    expect(status).to.equal(200);
    expect(body.map(({ id, createdAt, ...rest }: Record<string, unknown>) => rest)).to.deep.equal([
      {
        kind: 'sale',
        delta: -3,
        onHandAfter: 7.5,
        source: { type: 'invoice', id: invoice.id, number: invoice.number },
      },
      {
        kind: 'received',
        delta: 10.5,
        onHandAfter: 10.5,
        source: { type: 'adjustment', id: delivery.id, number: null },
      },
    ]);
    expect(Object.keys(body[0])).to.deep.equal([
      ...['id', 'kind', 'delta', 'onHandAfter', 'source', 'createdAt'],
    ]);
    expect(body[1].createdAt).to.equal(delivery.createdAt);
  });

  it('come in pages that stay stable while stock changes', async () => {
    const company = await makeCompany(stack());
    const [id = '', other = ''] = await receive(
      company,
      { name: 'Pipe', delta: 0 },
      { name: 'Hose', delta: 0 },
    );
    const entries = Array.from({ length: 60 }, (_, at) => ({ name: 'Pipe', delta: at + 1 }));
    await receive(company, ...entries);
    const first = await company.get(`/inventory/${id}/movements`);
    expect(first.body).to.have.length(50);
    await receive(company, { name: 'Pipe', delta: 1000 });
    const next =
      /\/api\/external([^>]+)>; rel="next"$/u.exec(String(first.headers.link))?.[1] ?? '';
    const second = await company.get(next);
    const deltas = [...first.body, ...second.body].map(({ delta }: { delta: number }) => delta);
    expect(deltas).to.deep.equal([...entries.map(({ delta }) => delta).reverse(), 0]);
    expect(second.headers.link).to.equal(undefined);
    const foreign = await company.get(next.replace(id, other));
    expect([foreign.status, foreign.body.code]).to.deep.equal([400, 'invalid_cursor']);
    const wide = await company.get(`/inventory/${id}/movements?limit=201`);
    expect(wide.body).to.have.length(62);
  });

  it('have ids that are unique, stable, and count nothing', async () => {
    const company = await makeCompany(stack());
    const [id = ''] = await receive(company, { name: 'Pipe', delta: 100 });
    const path = `/inventory/${id}/movements`;
    const idsOf = async (query: string) => {
      const found: string[] = [];
      let next = `${path}?${query}`;
      while (next !== '') {
        const { body, headers } = await company.get(next);
        found.push(...body.map((movement: { id: string }) => movement.id));
        next = /\/api\/external([^>]+)>; rel="next"$/u.exec(String(headers.link))?.[1] ?? '';
      }
      return found;
    };
    // One adjustment that moves the item forth and back, so that balances repeat.
    const entries = [1, -1, 1, -1, 1].map(delta => ({ name: 'Pipe', delta }));
    await receive(company, ...entries);
    await receive(company, ...entries);
    const before = await idsOf('limit=200');
    const items = [{ name: 'Pipe', qty: 1, price: 1 }];
    await company.post('/invoices', invoiceRequest({ items }));
    const ids = await idsOf('limit=200');
    expect(ids).to.have.length(12);
    expect(new Set(ids).size).to.equal(12);
    for (const each of ids)
      expect(each).to.match(/^[\da-f]{8}-[\da-f]{4}-8[\da-f]{3}-8[\da-f]{3}-[\da-f]{12}$/u);
    expect(ids.slice(1)).to.deep.equal(before);
    for (const limit of [1, 2, 3, 7]) expect(await idsOf(`limit=${limit}`)).to.deep.equal(ids);
    expect(await idsOf('limit=2&kind=received')).to.deep.equal(before);
    expect(await idsOf('kind=sale')).to.deep.equal(ids.slice(0, 1));
  });

  it("are filtered by kind, and by days in the company's time zone", async () => {
    const company = await makeCompany(stack(), { timeZone: 'Pacific/Kiritimati' });
    const [id = ''] = await receive(company, { name: 'Pipe', delta: 9 });
    const items = [{ name: 'Pipe', delta: -1 }];
    await company.post('/inventory/adjustments', { reason: 'lost', items });
    await company.post(
      '/invoices',
      invoiceRequest({ items: [{ name: 'Pipe', qty: 1, price: 1 }] }),
    );
    const kinds = async (query: string) => {
      const { status, body } = await company.get(`/inventory/${id}/movements?${query}`);
      expect(status, JSON.stringify(body)).to.equal(200);
      return body.map(({ kind }: { kind: string }) => kind);
    };
    expect(await kinds('kind=sale')).to.deep.equal(['sale']);
    expect(await kinds('kind=lost')).to.deep.equal(['lost']);
    expect(await kinds('kind=theft')).to.deep.equal([]);
    const dayOf = (time: number) =>
      new Intl.DateTimeFormat('en-CA', { timeZone: 'Pacific/Kiritimati' }).format(time);
    const [today, tomorrow, yesterday] = [0, 1, -1].map(days => dayOf(Date.now() + days * 864e5));
    expect(await kinds(`from=${today}&to=${today}`)).to.have.length(3);
    expect(await kinds(`from=${tomorrow}`)).to.deep.equal([]);
    expect(await kinds(`to=${yesterday}`)).to.deep.equal([]);
    for (const query of ['kind=gift', 'from=2026-02-30', 'to=today', 'limit=0', 'low=1'])
      expect((await company.get(`/inventory/${id}/movements?${query}`)).status).to.equal(400);
  });
});

describeMode('postgres', 'the search of the stock list', stack => {
  it('finds a part of the name or SKU, folded as names are', async () => {
    const company = await makeCompany(stack());
    await receive(
      company,
      { name: 'Straße 50%', sku: 'ÄB-1', delta: 1 },
      { name: 'Ball  Valve', sku: 'V_2', delta: 0 },
    );
    const found = async (q: string, more = '') => {
      const { body } = await company.get(`/inventory?q=${encodeURIComponent(q)}${more}`);
      return body.map(({ name }: { name: string }) => name);
    };
    const [street, valve] = ['Straße 50%', 'Ball  Valve'];
    for (const q of ['STRASSE', '50%', 'äb', 'ａ', ' ße 5 '])
      expect(await found(q), q)
        .to.include(street)
        .and.have.lengthOf(q === 'ａ' ? 2 : 1);
    for (const q of ['l v', 'L  VALVE', 'v_']) expect(await found(q), q).to.deep.equal([valve]);
    expect(await found('valve ball')).to.deep.equal([valve]);
    expect(await found('valve bell')).to.deep.equal([]);
    expect(await found('a', '&low=1')).to.deep.equal([valve]);
    expect((await company.get('/inventory?q=')).status).to.equal(400);
  });
});
