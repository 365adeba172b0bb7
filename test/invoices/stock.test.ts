// Invoice lines and stock: how a line finds its item, and what it deducts.
import { expect } from 'chai';
import {
  changeCompany,
  fieldErrors,
  invoiceRequest,
  makeCompany,
  receive,
  type TestCompany,
} from '../support/factories.js';
import { describeMode, inBothModes } from '../support/suite.js';

const line = (name: string, qty = 1, more: object = {}) => ({ name, qty, price: 1, ...more });
const invoice = (company: TestCompany, ...items: object[]) =>
  company.post('/invoices', invoiceRequest({ items }));

async function onHand(company: TestCompany): Promise<Record<string, number>> {
  const { body } = await company.get('/inventory');
  return Object.fromEntries(
    body.map((item: { name: string; onHand: number }) => [item.name, item.onHand]),
  );
}

describeMode('postgres', 'matching lines with stock', stack => {
  it('matches names ignoring case, width, spacing and the composition of accents', async () => {
    const company = await makeCompany(stack());
    const [cafe, street] = await receive(
      company,
      { name: 'Café  Filter', delta: 10 },
      { name: 'Straße', delta: 10 },
    );
    const { body } = await invoice(
      company,
      line('  CAFE\u0301 filter '),
      line('ｃａｆé\u00a0filter'),
      line('STRASSE'),
      line('Strase'),
    );
    expect(body.items.map((item: { itemId: string }) => item.itemId)).to.deep.equal([
      cafe,
      cafe,
      street,
      null,
    ]);
    expect(await onHand(company)).to.deep.equal({ 'Café  Filter': 8, Straße: 9 });
  });

  it('matches by the SKU alone if a line has one, in any spelling', async () => {
    const company = await makeCompany(stack());
    const [pipe, valve] = await receive(
      company,
      { name: 'Pipe', sku: 'P-1', delta: 5 },
      { name: 'Valve', delta: 5 },
    );
    const { body } = await invoice(company, line('Valve', 2, { sku: ' ｐ-1' }), line('Valve'));
    expect(
      body.items.map(({ name, sku, itemId }: Record<string, unknown>) => [name, sku, itemId]),
    ).to.deep.equal([
      ['Valve', 'P-1', pipe],
      ['Valve', null, valve],
    ]);
    const unknown = line('Pipe', 1, { sku: 'P 1' });
    expect(fieldErrors(await invoice(company, line('Pipe'), unknown))).to.deep.equal([
      '/items/1/sku unknown_item',
    ]);
    expect(await onHand(company)).to.deep.equal({ Pipe: 3, Valve: 4 });
  });

  it("never sees another company's items", async () => {
    const [one, other] = [await makeCompany(stack()), await makeCompany(stack())];
    await receive(other, { name: 'Pipe', sku: 'P-1', delta: 5 });
    expect((await invoice(one, line('Pipe'))).body.items[0].itemId).to.equal(null);
    expect(fieldErrors(await invoice(one, line('Pipe', 1, { sku: 'P-1' })))).to.deep.equal([
      '/items/0/sku unknown_item',
    ]);
    expect(await onHand(other)).to.deep.equal({ Pipe: 5 });
  });

  it('writes one movement per item, with the stock after it', async () => {
    const company = await makeCompany(stack());
    const [pipe] = await receive(company, { name: 'Pipe', delta: 10 });
    const { body } = await invoice(company, line('Pipe', 1.5), line('PIPE', 2), line('Delivery'));
    const movements = await stack().sql(
      `SELECT item_id, delta::float, on_hand_after::float, kind, invoice_id
       FROM movements
       WHERE company_id = $1
       ORDER BY id
       OFFSET 1`,
      [company.companyId],
    );
    expect(movements).to.deep.equal([
      { item_id: pipe, delta: -3.5, on_hand_after: 6.5, kind: 'sale', invoice_id: body.id },
    ]);
  });

  it('reduces stock to exactly zero, and not a ten-thousandth further', async () => {
    const company = await makeCompany(stack());
    const [itemId] = await receive(company, { name: 'Cable', delta: 0.3 });
    const refused = await invoice(company, line('Cable', 0.1), line('Cable', 0.2001));
    expect(refused.status).to.equal(409);
    expect(
      refused.body.errors.map((error: Record<string, unknown>) => [
        error.itemId,
        error.requested,
        error.available,
      ]),
    ).to.deep.equal([
      [itemId, 0.1, 0.3],
      [itemId, 0.2001, 0.3],
    ]);
    expect((await invoice(company, line('Cable', 0.1), line('Cable', 0.2))).status).to.equal(201);
    expect(await onHand(company)).to.deep.equal({ Cable: 0 });
  });

  it('reports unknown skus before insufficient stock', async () => {
    const company = await makeCompany(stack());
    await receive(company, { name: 'Cable', delta: 1 });
    const refused = await invoice(
      company,
      line('Cable', 5),
      line('x', 1, { sku: 'A' }),
      line('y', 1, { sku: 'B' }),
    );
    expect(fieldErrors(refused)).to.deep.equal([
      '/items/1/sku unknown_item',
      '/items/2/sku unknown_item',
    ]);
  });

  it('applies a change of the negative stock setting immediately', async () => {
    const company = await makeCompany(stack());
    await receive(company, { name: 'Cable', delta: 1 });
    expect((await invoice(company, line('Cable', 2))).status).to.equal(409);
    await changeCompany(stack(), company, { allowNegativeStock: true });
    expect((await invoice(company, line('Cable', 2))).status).to.equal(201);
    await changeCompany(stack(), company, { allowNegativeStock: false });
    expect((await invoice(company, line('Cable', 0.0001))).status).to.equal(409);
    expect(await onHand(company)).to.deep.equal({ Cable: -1 });
  });
});

inBothModes('stock under concurrent invoices', stack => {
  it('sells the same item to many customers at once, and never more than is on hand', async () => {
    const company = await makeCompany(stack());
    await receive(company, { name: 'Pipe', delta: 25 }, { name: 'Valve', delta: 25 });
    const answers = await Promise.all(
      Array.from({ length: 80 }, (_, at) =>
        at % 2
          ? invoice(company, line('Pipe', 1), line('Valve', 1))
          : invoice(company, line('Valve', 1), line('Pipe', 1)),
      ),
    );
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter(status => status === 201)).to.have.length(25);
    expect(statuses.filter(status => status === 409)).to.have.length(55);
    expect(await onHand(company)).to.deep.equal({ Pipe: 0, Valve: 0 });
    const [row] = await stack().sql<{ sum: string; lowest: string }>(
      `SELECT sum(delta)::float AS sum, min(on_hand_after)::float AS lowest
       FROM movements
       WHERE company_id = $1`,
      [company.companyId],
    );
    expect(row).to.deep.equal({ sum: 0, lowest: 0 });
  });

  it('separates companies in one batch: numbers, stock and refusals', async () => {
    const companies = await Promise.all(Array.from({ length: 6 }, () => makeCompany(stack())));
    await Promise.all(
      companies.map((company, at) => receive(company, { name: 'Pipe', sku: 'P', delta: at })),
    );
    const answers = await Promise.all(
      companies.map(company =>
        Promise.all(
          Array.from({ length: 6 }, (_, at) =>
            invoice(company, line('Pipe', 1, at % 2 ? { sku: 'P' } : {})),
          ),
        ),
      ),
    );
    for (const [at, ofCompany] of answers.entries()) {
      const created = ofCompany
        .filter(({ status }) => status === 201)
        .map(({ body }) => body.number);
      expect(created.sort()).to.deep.equal(
        Array.from({ length: at }, (_, n) => `INV-00000${n + 1}`),
      );
      expect(ofCompany.filter(({ status }) => status === 409)).to.have.length(6 - at);
    }
  });
});
