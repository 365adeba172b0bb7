// Creating invoices through the queue and the worker process.
import { expect } from 'chai';
import { invoiceRequest, makeCompany, receive } from '../support/factories.js';
import { inBothModes } from '../support/suite.js';

inBothModes('creating an invoice', stack => {
  it('answers 201 with the created invoice, its location and the first number', async () => {
    const company = await makeCompany(stack());
    const { status, headers, body } = await company.post('/invoices', {
      customerName: '  Bright & Sons ',
      date: '2026-11-20',
      items: [{ name: 'Consulting', qty: 1.5, price: 99.99 }],
    });
    expect(status).to.equal(201);
    expect(headers.location).to.equal(`/api/external/invoices/${body.id}`);
    expect(body).to.deep.equal({
      id: body.id,
      number: 'INV-000001',
      status: 'open',
      customerName: 'Bright & Sons',
      date: '2026-11-20',
      currency: 'USD',
      items: [
        { name: 'Consulting', sku: null, qty: 1.5, price: 99.99, amount: 149.99, itemId: null },
      ],
      total: 149.99,
      reference: null,
      createdAt: body.createdAt,
      dueDate: null,
      orderReference: null,
      deliveryDate: null,
      note: null,
      discount: null,
      subtotal: 149.99,
      taxTotal: 0,
      taxes: [],
      amountPaid: 0,
      amountCredited: 0,
      amountDue: 149.99,
      settledOn: null,
    });
    expect(Object.keys(body).join()).to.equal(
      'id,number,status,customerName,date,currency,items,total,reference,createdAt,dueDate,' +
        'orderReference,deliveryDate,note,discount,subtotal,taxTotal,taxes,amountPaid,' +
        'amountCredited,amountDue,settledOn',
    );
    expect(body.createdAt).to.match(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/u);
  });

  it('returns the same object from create, get and list', async () => {
    const company = await makeCompany(stack());
    const created = await company.post('/invoices', invoiceRequest());
    const found = await company.get(`/invoices/${created.body.id}`);
    const listed = await company.get('/invoices');
    expect(found.text).to.equal(created.text);
    expect(listed.text).to.equal(`[${created.text}]`);
  });

  it('deducts matched lines from stock, ignoring case and spaces, and no others', async () => {
    const company = await makeCompany(stack());
    const [itemId] = await receive(company, { name: 'Copper  Pipe', delta: 10, sku: 'CP-1' });
    const { body } = await company.post(
      '/invoices',
      invoiceRequest({
        items: [
          { name: ' copper pipe', qty: 2.5, price: 4 },
          { name: 'Anything', sku: 'CP-1', qty: 1, price: 4 },
          { name: 'Delivery', qty: 1, price: 9 },
        ],
      }),
    );
    expect(body.items.map((line: { itemId: string }) => line.itemId)).to.deep.equal([
      itemId,
      itemId,
      null,
    ]);
    const inventory = await company.get('/inventory');
    expect(inventory.body.map((item: { onHand: number }) => item.onHand)).to.deep.equal([6.5]);
  });

  it('refuses lines that exceed stock with 409 and an error each, and writes nothing', async () => {
    const company = await makeCompany(stack());
    const [itemId] = await receive(company, { name: 'Valve', delta: 3 });
    const refused = await company.post(
      '/invoices',
      invoiceRequest({
        items: [
          { name: 'Valve', qty: 2, price: 1 },
          { name: 'Delivery', qty: 1, price: 9 },
          { name: 'VALVE', qty: 2, price: 1 },
        ],
      }),
    );
    expect(refused.status).to.equal(409);
    expect(refused.headers['content-type']).to.match(/^application\/problem\+json/u);
    expect(refused.body.code).to.equal('insufficient_stock');
    expect(
      refused.body.errors.map(({ detail: _detail, ...rest }: { detail: string }) => rest),
    ).to.deep.equal([
      { pointer: '/items/0/qty', code: 'insufficient_stock', itemId, requested: 2, available: 3 },
      { pointer: '/items/2/qty', code: 'insufficient_stock', itemId, requested: 2, available: 3 },
    ]);
    expect((await company.get('/invoices')).body).to.deep.equal([]);
    expect((await company.get('/inventory')).body[0].onHand).to.equal(3);
  });

  it('numbers concurrent invoices without a gap, and a refusal takes no number', async () => {
    const company = await makeCompany(stack());
    await receive(company, { name: 'Pipe', delta: 30 });
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, at) =>
        company.post(
          '/invoices',
          invoiceRequest({
            items: [{ name: at % 2 ? 'Pipe' : 'Delivery', qty: at % 2 ? 2 : 1, price: 1 }],
          }),
        ),
      ),
    );
    const numbers = answers
      .filter(({ status }) => status === 201)
      .map(({ body }) => body.number)
      .sort();
    expect(answers.filter(({ status }) => status === 409)).to.have.length(15);
    expect(numbers).to.deep.equal(
      Array.from({ length: 45 }, (_, at) => `INV-${String(at + 1).padStart(6, '0')}`),
    );
    expect((await company.get('/inventory')).body[0].onHand).to.equal(0);
  });

  it('lets a company that allows negative stock go below zero', async () => {
    const company = await makeCompany(stack(), { allowNegativeStock: true });
    await receive(company, { name: 'Valve', delta: 1 });
    expect(
      (
        await company.post(
          '/invoices',
          invoiceRequest({ items: [{ name: 'Valve', qty: 3, price: 1 }] }),
        )
      ).status,
    ).to.equal(201);
    expect((await company.get('/inventory')).body[0]).to.include({ onHand: -2, low: true });
  });

  it('refuses an unknown sku with the field code unknown_item', async () => {
    const company = await makeCompany(stack());
    const { status, body } = await company.post(
      '/invoices',
      invoiceRequest({ items: [{ name: 'Valve', sku: 'NOPE', qty: 1, price: 1 }] }),
    );
    expect(status).to.equal(422);
    expect(body.code).to.equal('validation_failed');
    expect(body.errors[0]).to.include({ pointer: '/items/0/sku', code: 'unknown_item' });
  });
});
