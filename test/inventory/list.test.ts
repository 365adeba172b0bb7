// GET /inventory: order, pages, and the filters low, sku and name.
import { expect } from 'chai';
import { invoiceRequest, makeCompany, receive, type TestCompany } from '../support/factories.js';
import { describeMode } from '../support/suite.js';

async function names(company: TestCompany, query = ''): Promise<string[]> {
  const { status, body } = await company.get(`/inventory${query}`);
  expect(status, JSON.stringify(body)).to.equal(200);
  return body.map(({ name }: { name: string }) => name);
}

describeMode('postgres', 'the list of stock items', stack => {
  it('shows each item with all its fields, absent ones as null', async () => {
    const company = await makeCompany(stack());
    const [plain, full] = await receive(
      company,
      { name: 'Bolt', delta: 0.5 },
      {
        name: 'Nut',
        sku: 'N-1',
        unit: 'box',
        delta: 5,
        reorderPoint: 5,
        unitCost: 0.1234,
        unitPrice: 999_999_999.9999,
      },
    );
    const { body } = await company.get('/inventory');
    const [bolt, nut] = body;
    expect(bolt).to.deep.equal({
      id: plain,
      sku: null,
      name: 'Bolt',
      unit: null,
      onHand: 0.5,
      reorderPoint: 0,
      low: false,
      unitCost: null,
      unitPrice: null,
      updatedAt: bolt.updatedAt,
      archived: false,
    });
    expect(bolt.updatedAt).to.match(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/u);
    const details = {
      unit: 'box',
      onHand: 5,
      reorderPoint: 5,
      low: true,
      unitCost: 0.1234,
      unitPrice: 999_999_999.9999,
    };
    expect(nut).to.deep.equal({
      id: full,
      sku: 'N-1',
      name: 'Nut',
      ...details,
      updatedAt: nut.updatedAt,
      archived: false,
    });
  });

  it('sorts names by code point, in pages of any size', async () => {
    const company = await makeCompany(stack());
    const longest = '😀'.repeat(255);
    const sorted = ['#1', '10', '9', 'Z', '_', 'a', 'b"\\', 'y', 'ä', 'ｘ', longest, '😁'];
    await receive(company, ...[...sorted].reverse().map(name => ({ name, delta: 1 })));
    expect(await names(company)).to.deep.equal(sorted);
    const seen: string[] = [];
    let path: string | null = '/inventory?limit=1';
    while (path !== null) {
      const { status, body, headers } = await company.get(path);
      expect(status).to.equal(200);
      seen.push(...body.map(({ name }: { name: string }) => name));
      path = /\/api\/external([^>]+)>; rel="next"$/u.exec(String(headers.link ?? ''))?.[1] ?? null;
    }
    expect(seen).to.deep.equal(sorted);
  });

  it('accepts a limit of at least 1, with 1000 as its maximum and default', async () => {
    const company = await makeCompany(stack());
    for (let page = 0; page < 5; page += 1) {
      const items = Array.from({ length: 201 }, (_, at) => ({
        name: `Item ${page}-${at}`,
        delta: 1,
      }));
      await receive(company, ...items);
    }
    for (const [query, length] of [
      ['', 1000],
      ['?limit=1001', 1000],
      ['?limit=7', 7],
    ] as const) {
      const { body, headers } = await company.get(`/inventory${query}`);
      expect([body.length, typeof headers.link], query).to.deep.equal([length, 'string']);
    }
    for (const limit of ['0', '-1', '1.5', 'all', '']) {
      const { status, body } = await company.get(`/inventory?limit=${limit}`);
      expect([status, body.code], limit).to.deep.equal([400, 'invalid_parameter']);
    }
  });

  it('accepts low=1 or true, 0, false or empty, and refuses other values', async () => {
    const company = await makeCompany(stack());
    await receive(
      company,
      { name: 'Above', delta: 5.0001, reorderPoint: 5 },
      { name: 'At', delta: 5, reorderPoint: 5 },
      { name: 'Empty', delta: 0 },
      { name: 'Under', delta: 4, reorderPoint: 5 },
    );
    const all = ['Above', 'At', 'Empty', 'Under'];
    for (const low of ['1', 'true'])
      expect(await names(company, `?low=${low}`)).to.deep.equal(all.slice(1));
    for (const query of ['', '?low=0', '?low=false', '?low=', '?low'])
      expect(await names(company, query)).to.deep.equal(all);
    for (const low of ['2', 'TRUE', 'yes', '1,1', 'constructor', '%201']) {
      const { status, body } = await company.get(`/inventory?low=${low}`);
      expect([status, body.code, body.parameter], low).to.deep.equal([
        400,
        'invalid_parameter',
        'low',
      ]);
    }
    expect((await company.get('/inventory?low=1&low=1')).status).to.equal(400);
    expect((await company.get('/inventory?filter=low')).body.code).to.equal('unknown_parameter');
  });

  it('lists an item as low only while its stock is low', async () => {
    const company = await makeCompany(stack());
    await receive(company, { name: 'Pipe', delta: 6, reorderPoint: 5 });
    expect(await names(company, '?low=1')).to.deep.equal([]);
    await company.post(
      '/invoices',
      invoiceRequest({ items: [{ name: 'Pipe', qty: 1, price: 1 }] }),
    );
    expect(await names(company, '?low=1')).to.deep.equal(['Pipe']);
    await receive(company, { name: 'Pipe', delta: 0.0001 });
    expect(await names(company, '?low=1')).to.deep.equal([]);
    await receive(company, { name: 'Pipe', delta: 0, reorderPoint: 6 });
    expect(await names(company, '?low=1')).to.deep.equal(['Pipe']);
  });

  it('filters by SKU and by name as invoice lines match them, and by both with low', async () => {
    const company = await makeCompany(stack());
    await receive(
      company,
      { name: 'Copper Pipe', sku: 'CP', delta: 1, reorderPoint: 2 },
      { name: 'Copper', delta: 5, sku: 'cp2' },
    );
    expect(await names(company, '?sku=CP')).to.deep.equal(['Copper Pipe']);
    expect(await names(company, '?sku=cp')).to.deep.equal(['Copper Pipe']);
    expect(await names(company, '?sku=C')).to.deep.equal([]);
    expect(await names(company, '?name=%20copper%20%20PIPE')).to.deep.equal(['Copper Pipe']);
    expect(await names(company, '?name=copper&low=1')).to.deep.equal([]);
    expect(await names(company, '?name=copper%20pipe&sku=CP&low=1&limit=1')).to.deep.equal([
      'Copper Pipe',
    ]);
    expect((await company.get('/inventory?sku=')).status).to.equal(400);
  });

  it("never shows another company's items, and needs inventory:read", async () => {
    const [one, other] = [
      await makeCompany(stack()),
      await makeCompany(stack(), { scopes: ['inventory:write'] }),
    ];
    await receive(one, { name: 'Pipe', delta: 1 });
    await receive(other, { name: 'Pipe', delta: 2 });
    expect(
      (await one.get('/inventory')).body.map(({ onHand }: { onHand: number }) => onHand),
    ).to.deep.equal([1]);
    const { status, body } = await other.get('/inventory');
    expect([status, body.requiredScope]).to.deep.equal([403, 'inventory:read']);
  });
});
