// Every rule of tax, discounts and terms refuses what breaks it, with its code and pointer, and
// nothing is written.
import { expect } from 'chai';
import {
  changeCompany,
  fieldErrors,
  invoiceRequest,
  makeCompany,
  type TestCompany,
} from '../support/factories.js';
import { describeMode } from '../support/suite.js';

const line = (overrides: Record<string, unknown> = {}) => ({
  name: 'Consulting',
  qty: 2,
  price: 50,
  ...overrides,
});
const lines = (...each: Record<string, unknown>[]) => ({ items: each.map(line) });

type Refusal = readonly [what: string, request: Record<string, unknown>, ...errors: string[]];

const FIELDS: readonly Refusal[] = [
  ['a dueDate before the date', { dueDate: '2026-11-19' }, '/dueDate invalid_date'],
  ['a wrong dueDate', { dueDate: '2026-02-30' }, '/dueDate invalid_date'],
  ['a dueDate after 2100', { dueDate: '2101-01-01' }, '/dueDate invalid_date'],
  ['a dueDate as a number', { dueDate: 20261201 }, '/dueDate wrong_type'],
  ['an empty orderReference', { orderReference: ' ' }, '/orderReference empty'],
  ['a long orderReference', { orderReference: 'x'.repeat(101) }, '/orderReference too_long'],
  ['a line feed in it', { orderReference: 'a\nb' }, '/orderReference invalid_value'],
  ['a wrong deliveryDate', { deliveryDate: '2026-13-01' }, '/deliveryDate invalid_date'],
  ['an empty note', { note: '\n' }, '/note empty'],
  ['a note of 1,001 characters', { note: '😀'.repeat(1001) }, '/note too_long'],
  ['a note with a tab', { note: 'a\tb' }, '/note invalid_value'],
  ['a note with a carriage return alone', { note: 'a\rb' }, '/note invalid_value'],
  ['a note as a number', { note: 5 }, '/note wrong_type'],
  ['a taxReason of 256 characters', { taxReason: 'x'.repeat(256) }, '/taxReason too_long'],
  ['an empty taxReason', { taxReason: '' }, '/taxReason empty'],
];

const DISCOUNTS: readonly Refusal[] = [
  ['that is a number', { discount: 5 }, '/discount wrong_type'],
  ['with neither member', { discount: {} }, '/discount required'],
  ['with neither, both null', { discount: { percent: null, amount: null } }, '/discount required'],
  ['with both', { discount: { percent: 1, amount: 1 } }, '/discount invalid_value'],
  ['of 0 %', { discount: { percent: 0 } }, '/discount/percent too_small'],
  ['over 100 %', { discount: { percent: 100.0001 } }, '/discount/percent too_large'],
  ['of 5 decimals', { discount: { percent: 0.00001 } }, '/discount/percent too_many_decimals'],
  ['of text', { discount: { percent: '5' } }, '/discount/percent wrong_type'],
  ['of nothing', { discount: { amount: 0 } }, '/discount/amount too_small'],
  ['below 0', { discount: { amount: -1 } }, '/discount/amount too_small'],
  ['of a tenth of a cent', { discount: { amount: 0.001 } }, '/discount/amount too_many_decimals'],
  [
    'of 5 decimals of money',
    { discount: { amount: 0.00001 } },
    '/discount/amount too_many_decimals',
  ],
  ['above the sum', { discount: { amount: 100.01 } }, '/discount/amount too_large'],
  ['of a trillion', { discount: { amount: 1e12 } }, '/discount/amount too_large'],
  ['with an empty reason', { discount: { percent: 1, reason: '' } }, '/discount/reason empty'],
  ['with an unknown field', { discount: { percent: 1, rate: 1 } }, '/discount/rate unknown_field'],
];

const TAXES: readonly Refusal[] = [
  ['a rate below 0', lines({ taxRate: -1 }), '/items/0/taxRate too_small'],
  ['a rate above 100', lines({ taxRate: 100.01 }), '/items/0/taxRate too_large'],
  ['a rate of 5 decimals', lines({ taxRate: 7.00001 }), '/items/0/taxRate too_many_decimals'],
  ['a rate as text', lines({ taxRate: '7' }), '/items/0/taxRate wrong_type'],
  [
    'lines without a rate beside one',
    lines({}, { taxRate: 7 }, { taxRate: null }),
    ...['/items/0/taxRate required', '/items/2/taxRate required'],
  ],
  ['a category without a rate', lines({ taxCategory: 'G' }), '/items/0/taxRate required'],
  [
    'an unknown category',
    lines({ taxRate: 7, taxCategory: 'X' }),
    '/items/0/taxCategory invalid_value',
  ],
  [
    'a category as a number',
    lines({ taxRate: 7, taxCategory: 1 }),
    '/items/0/taxCategory wrong_type',
  ],
  ['S at 0', lines({ taxRate: 0, taxCategory: 'S' }), '/items/0/taxCategory invalid_value'],
  ...['Z', 'AE', 'K', 'G', 'O'].map(
    taxCategory =>
      [
        `${taxCategory} above 0`,
        lines({ taxRate: 0.0001, taxCategory }),
        '/items/0/taxCategory invalid_value',
      ] as const,
  ),
  [
    'E above 0',
    { ...lines({ taxRate: 7, taxCategory: 'E' }), taxReason: 'Exempt' },
    '/items/0/taxCategory invalid_value',
  ],
  [
    'O beside another category',
    lines({ taxRate: 0 }, { taxRate: 0, taxCategory: 'O' }, { taxRate: 0, taxCategory: 'O' }),
    ...['/items/1/taxCategory invalid_value', '/items/2/taxCategory invalid_value'],
  ],
  ['E without a taxReason', lines({ taxRate: 0, taxCategory: 'E' }), '/taxReason required'],
  [
    'E with a taxReason of null',
    { ...lines({ taxRate: 0, taxCategory: 'E' }), taxReason: null },
    '/taxReason required',
  ],
  [
    '21 taxes',
    lines(...Array.from({ length: 21 }, (_, at) => ({ taxRate: at + 1 }))),
    '/items too_many_items',
  ],
  [
    'the same rate of 21 categories and rates',
    lines(...Array.from({ length: 20 }, (_, at) => ({ taxRate: at })), {
      taxRate: 0,
      taxCategory: 'G',
    }),
    '/items too_many_items',
  ],
];

const AMOUNTS: readonly Refusal[] = [
  [
    'a discount above its line',
    lines({}, { discount: { amount: 100.01 } }),
    '/items/1/discount/amount too_large',
  ],
  [
    'a discount above a free line',
    lines({ price: 0, discount: { amount: 0.01 } }),
    '/items/0/discount/amount too_large',
  ],
  [
    'a total that exceeds the maximum by its tax',
    lines({ qty: 50, price: 999_999_999.9999, taxRate: 99 }, { qty: 1, price: 5e8, taxRate: 0 }),
    '/items too_large',
  ],
  [
    'a sum of lines above the maximum, however small the total',
    { ...lines({ qty: 101, price: 999_999_999 }), discount: { percent: 99 } },
    '/items too_large',
  ],
  [
    'a line above the maximum before its discount',
    lines({ qty: 101, price: 999_999_999, discount: { percent: 99 } }),
    '/items too_large',
  ],
];

describeMode('postgres', 'the rules of tax, discounts and terms', stack => {
  let company: TestCompany;
  before(async () => {
    company = await makeCompany(stack());
  });
  after(async () => {
    expect((await company.get('/invoices')).body).to.deep.equal([]);
  });

  const post = (request: Record<string, unknown>) =>
    company.post('/invoices', invoiceRequest({ items: [line()], ...request }));

  for (const [what, request, ...errors] of [...FIELDS, ...TAXES, ...AMOUNTS]) {
    it(`refuse ${what}: ${errors.join(', ')}`, async () => {
      expect(fieldErrors(await post(request))).to.deep.equal(errors);
    });
  }

  for (const [what, { discount }, error = ''] of DISCOUNTS) {
    it(`refuse a discount ${what}: ${error}`, async () => {
      expect(fieldErrors(await post({ discount }))).to.deep.equal([error]);
      if (error.includes('/reason')) return;
      expect(fieldErrors(await post({ items: [line({ discount })] }))).to.deep.equal([
        `/items/0${error}`,
      ]);
    });
  }

  it('refuse a reason on the discount of a line', async () => {
    expect(fieldErrors(await post(lines({ discount: { percent: 1, reason: 'x' } })))).to.deep.equal(
      ['/items/0/discount/reason unknown_field'],
    );
  });

  it('refuse decimals that the currency does not have', async () => {
    const decimals = async (currency: string, amount: number) => {
      const other = await makeCompany(stack(), { currency });
      const request = invoiceRequest({ items: [line({ discount: { amount } })] });
      const { status, body } = await other.post('/invoices', request);
      return status === 201 ? status : `${body.errors[0].code}: ${body.errors[0].detail}`;
    };
    expect(await decimals('JPY', 1)).to.equal(201);
    expect(await decimals('JPY', 1.5)).to.equal('too_many_decimals: Must be a whole number.');
    expect(await decimals('USD', 1.25)).to.equal(201);
    expect(await decimals('USD', 1.255)).to.equal(
      'too_many_decimals: Must have at most 2 decimals.',
    );
    expect(await decimals('KWD', 1.255)).to.equal(201);
    expect(await decimals('KWD', 1.2555)).to.equal(
      'too_many_decimals: Must have at most 3 decimals.',
    );
  });

  it('are all checked in one answer', async () => {
    const request = {
      dueDate: '2026-11-19',
      note: '',
      discount: { percent: 0 },
      items: [
        line({ taxRate: 7, discount: { amount: 100.001 } }),
        line({ qty: 0, discount: { percent: 1, amount: 1 } }),
        line({ taxRate: 0, taxCategory: 'E' }),
        line({ taxRate: 0, taxCategory: 'S', discount: { amount: 101 } }),
      ],
    };
    expect(fieldErrors(await post(request))).to.have.members([
      '/dueDate invalid_date',
      '/note empty',
      '/discount/percent too_small',
      '/items/0/discount/amount too_many_decimals',
      '/items/1/qty too_small',
      '/items/1/discount invalid_value',
      '/items/1/taxRate required',
      '/items/3/taxCategory invalid_value',
      '/items/3/discount/amount too_large',
      '/taxReason required',
    ]);
  });

  it('say what a discount may be at most', async () => {
    const sentence = async (request: Record<string, unknown>) =>
      (await post(request)).body.errors[0].detail;
    expect(await sentence({ discount: { amount: 100.01 } })).to.equal(
      'Must be at most 100, which it reduces.',
    );
    expect(await sentence(lines({ price: 0.125, discount: { amount: 1 } }))).to.equal(
      'Must be at most 0.25, which it reduces.',
    );
  });

  it('say why a rate is required, and which rate fits a category', async () => {
    const sentence = async (...items: Record<string, unknown>[]) =>
      (await post(lines(...items))).body.errors[0].detail;
    expect(await sentence({}, { taxRate: 19 }, {})).to.equal(
      'Required because line 2 has a taxRate.',
    );
    expect(await sentence({ taxCategory: 'G' })).to.equal(
      'Required because a line has a taxCategory.',
    );
    expect(await sentence({ taxRate: 19, taxCategory: 'G' })).to.equal(
      'Lines of this category have no tax: taxRate must be 0.',
    );
    expect(await sentence({ taxRate: 0, taxCategory: 'S' })).to.equal('S needs a taxRate above 0.');
  });

  it('apply to the default rate of the company too', async () => {
    const other = await makeCompany(stack());
    await changeCompany(stack(), other, { defaultTaxRate: 19 });
    const errors = async (request: Record<string, unknown>) =>
      fieldErrors(await other.post('/invoices', invoiceRequest(request)));
    expect(await errors(lines({ taxCategory: 'G' }))).to.deep.equal([
      '/items/0/taxCategory invalid_value',
    ]);
    expect(await errors(lines({ qty: 90, price: 999_999_999 }))).to.deep.equal([
      '/items too_large',
    ]);
    expect(await errors(lines({ taxRate: 7 }, {}))).to.deep.equal(['/items/1/taxRate required']);
  });
});
