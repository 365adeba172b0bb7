// The body of POST /invoices: every field's rule with its code, pointer and sentence.
import { expect } from 'chai';
import {
  fieldErrors,
  invoiceRequest,
  makeCompany,
  receive,
  type TestCompany,
} from '../support/factories.js';
import { describeMode } from '../support/suite.js';

const line = (overrides: Record<string, unknown> = {}) => ({
  name: 'Delivery',
  qty: 1,
  price: 18.5,
  ...overrides,
});

describeMode('postgres', 'the fields of an invoice', stack => {
  let company: TestCompany;
  before(async () => {
    company = await makeCompany(stack());
  });

  const post = (overrides: Record<string, unknown>) =>
    company.post('/invoices', invoiceRequest(overrides));
  const postLine = (overrides: Record<string, unknown>) => post({ items: [line(overrides)] });

  const refusedFields: [string, Record<string, unknown>, string][] = [
    ['customerName null', { customerName: null }, '/customerName wrong_type'],
    ['customerName a number', { customerName: 5 }, '/customerName wrong_type'],
    ['customerName empty', { customerName: '' }, '/customerName empty'],
    ['customerName only spaces', { customerName: ' \u00a0\t ' }, '/customerName empty'],
    ['customerName of 256 characters', { customerName: 'é'.repeat(256) }, '/customerName too_long'],
    [
      'customerName with a control character',
      { customerName: 'a\u0007b' },
      '/customerName invalid_value',
    ],
    ['customerName with NUL', { customerName: 'a\u0000' }, '/customerName invalid_value'],
    ['customerName with a line break', { customerName: 'a\nb' }, '/customerName invalid_value'],
    [
      'customerName with a lone surrogate',
      { customerName: 'a\ud800' },
      '/customerName invalid_value',
    ],
    ['date null', { date: null }, '/date wrong_type'],
    ['date a number', { date: 20261120 }, '/date wrong_type'],
    ['date empty', { date: '' }, '/date empty'],
    ['date 30 February', { date: '2026-02-30' }, '/date invalid_date'],
    ['date 29 February outside of a leap year', { date: '2025-02-29' }, '/date invalid_date'],
    ['date with a time', { date: '2026-11-20T00:00:00Z' }, '/date invalid_date'],
    ['date without zeros', { date: '2026-1-2' }, '/date invalid_date'],
    ['date in 1899', { date: '1899-12-31' }, '/date invalid_date'],
    ['date in 2101', { date: '2101-01-01' }, '/date invalid_date'],
    ['items null', { items: null }, '/items wrong_type'],
    ['items an object', { items: {} }, '/items wrong_type'],
    ['items empty', { items: [] }, '/items empty'],
    ['251 items', { items: Array(251).fill(line()) }, '/items too_many_items'],
    ['an item null', { items: [line(), null] }, '/items/1 wrong_type'],
    ['reference empty', { reference: '' }, '/reference empty'],
    ['reference a number', { reference: 7 }, '/reference wrong_type'],
    ['reference of 101 characters', { reference: 'r'.repeat(101) }, '/reference too_long'],
    ['an unknown field', { rebate: 5 }, '/rebate unknown_field'],
    ['an unknown field with a slash and a tilde', { 'a/b~c': 5 }, '/a~1b~0c unknown_field'],
    ['__proto__', JSON.parse('{"__proto__":{}}'), '/__proto__ unknown_field'],
  ];
  const refusedLineFields: [string, Record<string, unknown>, string][] = [
    ['name empty', { name: '  ' }, '/items/0/name empty'],
    ['name of 256 characters', { name: 'n'.repeat(256) }, '/items/0/name too_long'],
    ['qty as text', { qty: '1' }, '/items/0/qty wrong_type'],
    ['qty null', { qty: null }, '/items/0/qty wrong_type'],
    ['qty true', { qty: true }, '/items/0/qty wrong_type'],
    ['qty 0', { qty: 0 }, '/items/0/qty too_small'],
    ['qty negative', { qty: -1 }, '/items/0/qty too_small'],
    ['qty 0.00001', { qty: 0.00001 }, '/items/0/qty too_many_decimals'],
    ['qty with 5 decimals', { qty: 1.00001 }, '/items/0/qty too_many_decimals'],
    ['qty over a million', { qty: 1_000_000.0001 }, '/items/0/qty too_large'],
    ['price negative', { price: -0.01 }, '/items/0/price too_small'],
    ['price 1e-7', { price: 1e-7 }, '/items/0/price too_many_decimals'],
    ['price of a billion', { price: 1_000_000_000 }, '/items/0/price too_large'],
    ['sku empty', { sku: '' }, '/items/0/sku empty'],
    ['sku of 65 characters', { sku: 's'.repeat(65) }, '/items/0/sku too_long'],
    ['an unknown field', { tax: 5 }, '/items/0/tax unknown_field'],
  ];

  for (const [what, overrides, expected] of refusedFields) {
    it(`refuses ${what}: ${expected}`, async () => {
      expect(fieldErrors(await post(overrides))).to.deep.equal([expected]);
    });
  }
  for (const [what, overrides, expected] of refusedLineFields) {
    it(`refuses a line's ${what}: ${expected}`, async () => {
      expect(fieldErrors(await postLine(overrides))).to.deep.equal([expected]);
    });
  }

  it('names every missing field at its own pointer', async () => {
    expect(fieldErrors(await company.post('/invoices', { items: [{}] }))).to.have.members([
      '/customerName required',
      '/date required',
      '/items/0/name required',
      '/items/0/qty required',
      '/items/0/price required',
    ]);
  });

  it('lists all errors of a body in one answer, including the total', async () => {
    const items = [line({ qty: 1_000_000, price: 999_999 }), line({ qty: 0, price: '1' })];
    expect(
      fieldErrors(await company.post('/invoices', { customerName: '', items, extra: 1 })),
    ).to.have.members([
      '/customerName empty',
      '/date required',
      '/items/1/qty too_small',
      '/items/1/price wrong_type',
      '/extra unknown_field',
      '/items too_large',
    ]);
  });

  it('names the broken rule in the sentence of every field error', async () => {
    const items = [
      line({ name: 'n'.repeat(256), qty: 0, price: -1, sku: 7 }),
      line({ name: 'a\u0000', qty: 1_000_001, price: 0.00001, quantity: 1, qyt: 1 }),
      5,
    ];
    const sent = { customerName: '', date: '2026-02-30', items, customer_name: 'x' };
    const { body } = await company.post('/invoices', sent);
    const sentences = body.errors.map(
      ({ pointer, detail }: { pointer: string; detail: string }) => `${pointer} ${detail}`,
    );
    expect(sentences).to.have.members([
      '/customerName Must not be empty.',
      '/date Must be a date (YYYY-MM-DD) from 1900-01-01 to 2100-12-31.',
      '/items/0/name Must be at most 255 characters.',
      '/items/0/qty Must be greater than 0.',
      '/items/0/price Must be at least 0.',
      '/items/0/sku Must be a string.',
      '/items/1/name Must not contain control characters or invalid Unicode.',
      '/items/1/qty Must be at most 1,000,000.',
      '/items/1/price Must have at most 4 decimals.',
      '/items/1/quantity Unknown property. Known properties: name, qty, price, sku, discount, ' +
        'taxRate, taxCategory.',
      '/items/1/qyt Unknown property. Did you mean qty?',
      '/items/2 Must be a JSON object.',
      '/customer_name Unknown property. Did you mean customerName?',
    ]);
    const array = await company.post('/invoices', []);
    expect(array.body.errors[0].detail).to.equal('The body must be a JSON object.');
    const empty = await company.post('/invoices', { items: 'x' });
    expect(empty.body.errors[0].detail).to.equal('Required.');
    expect(empty.body.errors.at(-1).detail).to.equal('Must be an array.');
  });

  it('refuses a body that is not an object', async () => {
    for (const body of [[], 'text', 5, null, true]) {
      expect(
        fieldErrors(await company.post('/invoices', body)),
        JSON.stringify(body),
      ).to.deep.equal([' wrong_type']);
    }
  });

  it('quickly answers 422 to a body with 200,000 invalid items', async () => {
    const { status, body } = await company.post(
      '/invoices',
      invoiceRequest({ items: new Array(200_000).fill(0) }),
    );
    expect(status).to.equal(422);
    expect(body.errors[0]).to.include({ pointer: '/items', code: 'too_many_items' });
  });

  it('counts the errors of all items, even of those above the limit', async () => {
    const items = Array(1_000).fill({ name: 'Valve', qty: -1 });
    const { status, body } = await company.post('/invoices', invoiceRequest({ items }));
    expect(status).to.equal(422);
    // One for the number of items, and for each item its qty and its missing price.
    expect(body.detail).to.equal('The body has 2001 invalid fields.');
    expect([body.errors.length, body.errorsOmitted]).to.deep.equal([100, 1_901]);
    await receive(company, { name: 'Valve', sku: 'V-1', delta: 1, unitPrice: 2 });
    expect(
      fieldErrors(await post({ items: Array(300).fill({ sku: 'V-1', qty: 1 }) })),
    ).to.deep.equal(['/items too_many_items']);
  });

  it('treats null in an optional field as absent', async () => {
    const { status, body } = await post({ reference: null, items: [line({ sku: null })] });
    expect(status).to.equal(201);
    expect([body.reference, body.items[0].sku]).to.deep.equal([null, null]);
  });

  it('trims text, normalises it to NFC and counts code points', async () => {
    const { status, body } = await post({
      customerName: '\t e\u0301t\u00e9 \n',
      reference: ' PO-1 ',
    });
    expect(status).to.equal(201);
    expect([body.customerName, body.reference]).to.deep.equal(['\u00e9t\u00e9', 'PO-1']);
    const emoji = await post({ customerName: '😀'.repeat(255), reference: 'r'.repeat(100) });
    expect(emoji.status).to.equal(201);
    expect(emoji.body.customerName).to.equal('😀'.repeat(255));
    expect(fieldErrors(await post({ customerName: '😀'.repeat(256) }))).to.deep.equal([
      '/customerName too_long',
    ]);
    expect((await post({ customerName: ` ${'e\u0301'.repeat(255)} ` })).status).to.equal(201);
  });

  it('accepts the first and last day and leap days, and never shifts a date', async () => {
    for (const date of ['1900-01-01', '2100-12-31', '2024-02-29']) {
      expect((await post({ date })).body.date).to.equal(date);
    }
  });

  it('accepts 250 lines and preserves their order', async () => {
    const items = Array.from({ length: 250 }, (_, at) =>
      line({ name: `Line ${249 - at}`, qty: at + 1 }),
    );
    const { status, body } = await post({ items });
    expect(status).to.equal(201);
    expect(
      body.items.map(({ name, qty }: { name: string; qty: number }) => ({ name, qty })),
    ).to.deep.equal(items.map(({ name, qty }) => ({ name, qty })));
  });

  it('returns every decimal exactly as it was sent', async () => {
    const numbers = [
      [0.0001, 999_999_999.9999],
      [1_000_000, 0.0001],
      [0.1, 0.3],
      [1.005, 1234.5678],
      [33.3333, 0],
    ] as const;
    const { status, text } = await post({
      items: numbers.map(([qty, price]) => line({ qty, price })),
    });
    expect(status).to.equal(201);
    for (const [qty, price] of numbers) expect(text).to.include(`"qty":${qty},"price":${price},`);
  });

  it('refuses a number that a double would change, even as a repeat of that one', async () => {
    const headers = { 'idempotency-key': 'rounded' };
    const raw = JSON.stringify(invoiceRequest({ items: [line({ qty: 1, price: 0.1 })] }));
    expect((await company.post('/invoices', null, { raw, headers })).status).to.equal(201);
    const changed = raw
      .replace('"qty":1', '"qty":1.00000000000000000001')
      .replace('"price":0.1', '"price":0.100000000000000001');
    expect(fieldErrors(await company.post('/invoices', null, { raw: changed }))).to.deep.equal([
      '/items/0/qty too_many_decimals',
      '/items/0/price too_many_decimals',
    ]);
    const repeated = await company.post('/invoices', null, { raw: changed, headers });
    expect([repeated.status, repeated.body.code]).to.deep.equal([422, 'idempotency_key_reused']);
  });

  it('limits the total to 99,999,999,999.99', async () => {
    expect((await postLine({ qty: 100, price: 999_999_999.9999 })).body.total).to.equal(
      99_999_999_999.99,
    );
    expect(fieldErrors(await postLine({ qty: 100.0001, price: 999_999_999.9999 }))).to.deep.equal([
      '/items too_large',
    ]);
    const most = [
      line({ qty: 99, price: 999_999_999 }),
      line({ qty: 1, price: 999_999_999 }),
      line({ price: 99.99 }),
    ];
    expect((await post({ items: most })).body.total).to.equal(99_999_999_999.99);
    expect(fieldErrors(await post({ items: [...most, line({ price: 0.01 })] }))).to.deep.equal([
      '/items too_large',
    ]);
  });
});

describeMode('postgres', "amounts in the currency's minor unit", stack => {
  const amounts = async (currency: string, items: object[]) => {
    const company = await makeCompany(stack(), { currency });
    const { body } = await company.post('/invoices', invoiceRequest({ items }));
    return [
      ...body.items.map(({ amount }: { amount: number }) => amount),
      body.total,
      body.currency,
    ];
  };

  it('rounds half up to whole yen, and sums the rounded lines', async () => {
    const items = [
      line({ price: 0.5 }),
      line({ price: 0.5 }),
      line({ qty: 1.5, price: 333 }),
      line({ price: 0.4999 }),
    ];
    expect(await amounts('JPY', items)).to.deep.equal([1, 1, 500, 0, 502, 'JPY']);
  });

  it('rounds half up to cents', async () => {
    const items = [line({ qty: 3, price: 0.335 }), line({ price: 1.005 }), line({ price: 2.0049 })];
    expect(await amounts('USD', items)).to.deep.equal([1.01, 1.01, 2, 4.02, 'USD']);
  });

  it('rounds half up to thousandths of a dinar', async () => {
    const items = [
      line({ price: 0.0005 }),
      line({ qty: 2, price: 1.2345 }),
      line({ price: 0.0004 }),
    ];
    expect(await amounts('KWD', items)).to.deep.equal([0.001, 2.469, 0, 2.47, 'KWD']);
  });

  it('limits the total in every currency', async () => {
    const company = await makeCompany(stack(), { currency: 'KWD' });
    const most = [...Array(100).fill(line({ price: 999_999_999 })), line({ price: 99.99 })];
    expect((await company.post('/invoices', invoiceRequest({ items: most }))).status).to.equal(201);
    const over = await company.post(
      '/invoices',
      invoiceRequest({ items: [...most, line({ price: 0.001 })] }),
    );
    expect(fieldErrors(over)).to.deep.equal(['/items too_large']);
  });
});
