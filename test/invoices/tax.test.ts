// Tax, discounts, terms and the texts of an invoice: what is computed and answered.
import { expect } from 'chai';
import type { Json } from '../support/client.js';
import {
  changeCompany,
  invoiceRequest,
  makeCompany,
  receive,
  type TestCompany,
} from '../support/factories.js';
import { describeMode, inBothModes } from '../support/suite.js';

const line = (overrides: Record<string, unknown> = {}) => ({
  name: 'Consulting',
  qty: 1,
  price: 100,
  ...overrides,
});

/** The created invoice. */
async function create(company: TestCompany, request: Record<string, unknown>): Promise<Json> {
  const { status, body } = await company.post('/invoices', invoiceRequest(request));
  expect(status, JSON.stringify(body)).to.equal(201);
  return body;
}

const money = ({ discount, subtotal, taxTotal, taxes, total }: Json) => ({
  discount,
  subtotal,
  taxTotal,
  total,
  taxes: taxes.map((group: Json) => Object.values(group)),
});

inBothModes('an invoice with tax, discounts and terms', stack => {
  it('shows its members in order, and the same from create, get and list', async () => {
    const company = await makeCompany(stack(), { currency: 'EUR' });
    const [itemId] = await receive(company, { name: 'Ball valve', delta: 50, sku: 'BV' });
    const created = await company.post('/invoices', {
      customerName: 'Bright & Sons',
      date: '2026-11-20',
      reference: 'PO-1',
      dueDate: '2026-12-20',
      orderReference: ' 4500017 ',
      deliveryDate: '2026-11-24',
      note: '  Line one\r\nLine two\n ',
      discount: { amount: 10, reason: 'Returning customer' },
      items: [
        { name: 'Ball valve', qty: 40, price: 7.35, discount: { percent: 5 }, taxRate: 19 },
        { name: 'Handbook', qty: 1, price: 18.5, taxRate: 7, taxCategory: 'S' },
      ],
    });
    expect(created.status).to.equal(201);
    const { id, createdAt } = created.body;
    expect(created.text).to.equal(
      `{"id":"${id}","number":"INV-000001","status":"open","customerName":"Bright & Sons",` +
        '"date":"2026-11-20","currency":"EUR","items":[' +
        '{"name":"Ball valve","sku":"BV","qty":40,"price":7.35,"amount":279.3,' +
        `"itemId":"${itemId}","discount":{"percent":5,"amount":14.7},` +
        '"taxRate":19,"taxCategory":"S"},' +
        '{"name":"Handbook","sku":null,"qty":1,"price":18.5,"amount":18.5,"itemId":null,' +
        '"taxRate":7,"taxCategory":"S"}' +
        `],"total":340.33,"reference":"PO-1","createdAt":"${createdAt}",` +
        '"dueDate":"2026-12-20","orderReference":"4500017","deliveryDate":"2026-11-24",' +
        '"note":"Line one\\nLine two",' +
        '"discount":{"percent":null,"amount":10,"reason":"Returning customer"},' +
        '"subtotal":287.8,"taxTotal":52.53,"taxes":[' +
        '{"category":"S","rate":19,"base":269.92,"amount":51.28,"reason":null},' +
        '{"category":"S","rate":7,"base":17.88,"amount":1.25,"reason":null}' +
        '],"amountPaid":0,"amountCredited":0,"amountDue":340.33,"settledOn":null}',
    );
    expect((await company.get(`/invoices/${id}`)).text).to.equal(created.text);
    expect((await company.get('/invoices')).text).to.equal(`[${created.text}]`);
    expect((await company.get('/inventory')).body[0].onHand).to.equal(10);
  });

  it('ends a request of version 1 with its fixed tail', async () => {
    const company = await makeCompany(stack());
    const { text } = await company.post('/invoices', invoiceRequest());
    expect(text.slice(text.indexOf('"dueDate"'))).to.equal(
      '"dueDate":null,"orderReference":null,"deliveryDate":null,"note":null,"discount":null,' +
        '"subtotal":18.5,"taxTotal":0,"taxes":[],"amountPaid":0,"amountCredited":0,' +
        '"amountDue":18.5,"settledOn":null}',
    );
    expect(text).to.include('"amount":18.5,"itemId":null}],"total":18.5,');
  });

  it('fills in the due date and the tax rate from the settings of the company', async () => {
    const company = await makeCompany(stack());
    await changeCompany(stack(), company, { termsDays: 30, defaultTaxRate: 8.1 });
    const filled = await create(company, { date: '2026-12-15', items: [line(), line()] });
    expect(filled.dueDate).to.equal('2027-01-14');
    expect(filled.items[1]).to.include({ taxRate: 8.1, taxCategory: 'S' });
    expect(money(filled)).to.deep.include({ taxTotal: 16.2, total: 216.2 });
    const own = await create(company, {
      dueDate: '2026-11-20',
      items: [line({ taxRate: 0 }), line({ taxRate: 2.5 })],
    });
    expect([own.dueDate, own.taxTotal]).to.deep.equal(['2026-11-20', 2.5]);
    expect(own.items.map((each: Json) => each.taxCategory)).to.deep.equal(['Z', 'S']);
  });
});

describeMode('postgres', 'the money of an invoice', stack => {
  let company: TestCompany;
  before(async () => {
    company = await makeCompany(stack());
  });

  it('has one tax per category and rate, by first line, each with its reason', async () => {
    const items = [
      line({ taxRate: 19 }),
      line({ taxRate: 0, taxCategory: 'E' }),
      line({ taxRate: 0, taxCategory: 'AE' }),
      line({ taxRate: 0, taxCategory: 'K' }),
      line({ taxRate: 0, taxCategory: 'G' }),
      line({ taxRate: 0 }),
      line({ taxRate: 19, taxCategory: 'S' }),
    ];
    const invoice = await create(company, { items, taxReason: ' Art. 132 ' });
    expect(money(invoice).taxes).to.deep.equal([
      ['S', 19, 200, 38, null],
      ['E', 0, 100, 0, 'Art. 132'],
      ['AE', 0, 100, 0, 'Reverse charge'],
      ['K', 0, 100, 0, 'Intra-community supply'],
      ['G', 0, 100, 0, 'Export outside the EU'],
      ['Z', 0, 100, 0, null],
    ]);
    const outside = await create(company, { items: [line({ taxRate: 0, taxCategory: 'O' })] });
    expect(money(outside).taxes).to.deep.equal([['O', 0, 100, 0, 'Not subject to VAT']]);
  });

  it('rounds tax once per group, and rates that are equal as numbers are one group', async () => {
    const items = [0.35, 0.35, 0.35].map(price => line({ price, taxRate: 10 }));
    expect(money(await create(company, { items }))).to.deep.include({
      subtotal: 1.05,
      taxTotal: 0.11,
      total: 1.16,
      taxes: [['S', 10, 1.05, 0.11, null]],
    });
  });

  it('reduces lines by a percentage or an amount, and adds members only there', async () => {
    const items = [
      line({ qty: 3, price: 0.335, discount: { percent: 50 } }),
      line({ discount: { amount: 0.01 } }),
      line({ discount: { percent: 100 } }),
      line({ discount: null, taxRate: null, taxCategory: null }),
    ];
    const { items: lines, total, taxes } = await create(company, { items });
    expect(lines.map(({ amount, discount }: Json) => [amount, discount])).to.deep.equal([
      [0.5, { percent: 50, amount: 0.51 }],
      [99.99, { percent: null, amount: 0.01 }],
      [0, { percent: 100, amount: 100 }],
      [100, undefined],
    ]);
    expect(Object.keys(lines[0])).to.deep.equal([
      'name',
      'sku',
      'qty',
      'price',
      'amount',
      'itemId',
      'discount',
    ]);
    expect([total, taxes]).to.deep.equal([200.49, []]);
  });

  it('divides the discount over the groups by largest remainder', async () => {
    const items = [7, 19, 5].map(taxRate => line({ price: 1, taxRate }));
    const invoice = await create(company, { items, discount: { amount: 1, reason: null } });
    expect(money(invoice)).to.deep.include({
      discount: { percent: null, amount: 1, reason: null },
      subtotal: 2,
      taxes: [
        ['S', 7, 0.66, 0.05, null],
        ['S', 19, 0.67, 0.13, null],
        ['S', 5, 0.67, 0.03, null],
      ],
      taxTotal: 0.21,
      total: 2.21,
    });
    const percent = await create(company, { items, discount: { percent: 33.3333 } });
    expect(money(percent)).to.deep.include({
      discount: { percent: 33.3333, amount: 1, reason: null },
      subtotal: 2,
    });
  });

  it('computes in yen and in dinars', async () => {
    const request = {
      items: [
        line({ qty: 3, price: 333, discount: { percent: 12.5 }, taxRate: 10 }),
        line({ price: 5, taxRate: 8 }),
      ],
      discount: { percent: 10 },
    };
    const japanese = await makeCompany(stack(), { currency: 'JPY' });
    expect(money(await create(japanese, request))).to.deep.include({
      discount: { percent: 10, amount: 88, reason: null },
      subtotal: 791,
      taxTotal: 79,
      total: 870,
    });
    const kuwaiti = await makeCompany(stack(), { currency: 'KWD' });
    const fine = { items: [line({ price: 1.2345, discount: { amount: 0.001 }, taxRate: 5 })] };
    expect(money(await create(kuwaiti, fine))).to.deep.include({
      subtotal: 1.234,
      taxTotal: 0.062,
      total: 1.296,
    });
  });

  it('accepts a discount of everything, and an invoice for 0.00 stays open', async () => {
    const free = await create(company, {
      items: [line({ taxRate: 19 })],
      discount: { percent: 100 },
    });
    expect(free).to.include({ status: 'open', total: 0, amountDue: 0, settledOn: null });
    const amount = await create(company, { items: [line()], discount: { amount: 100 } });
    expect(amount.total).to.equal(0);
  });

  it('is due on its date or later, and any number of days before its delivery', async () => {
    const invoice = await create(company, { dueDate: '2026-11-20', deliveryDate: '1999-01-01' });
    expect([invoice.dueDate, invoice.deliveryDate]).to.deep.equal(['2026-11-20', '1999-01-01']);
  });

  it('accepts 20 taxes and a total of 99,999,999,999.99 with tax', async () => {
    const items = Array.from({ length: 40 }, (_, at) => line({ taxRate: 1 + (at % 20) }));
    expect((await create(company, { items })).taxes).to.have.length(20);
    const most = [
      line({ qty: 50, price: 999_999_999.9999, taxRate: 99 }),
      line({ price: 499_999_999.99, taxRate: 0 }),
    ];
    expect((await create(company, { items: most })).total).to.equal(99_999_999_999.99);
  });

  it('keeps a note of 1,000 characters with line feeds, and escapes it', async () => {
    const note = `"a"\n\\${'é'.repeat(995)}`;
    expect((await create(company, { note })).note).to.equal(note);
  });

  it('is the same write under an Idempotency-Key, whatever the settings are by then', async () => {
    const keyed = { headers: { 'idempotency-key': 'terms-1' } };
    const own = await makeCompany(stack());
    const first = await own.post('/invoices', invoiceRequest(), keyed);
    await changeCompany(stack(), own, { termsDays: 14, defaultTaxRate: 20 });
    const second = await own.post('/invoices', invoiceRequest(), keyed);
    expect([second.status, second.text]).to.deep.equal([201, first.text]);
    expect(second.headers['idempotency-replayed']).to.equal('true');
  });
});
