// POST /inventory/adjustments: receiving, counting and correcting stock.
import { expect } from 'chai';
import { v7 as uuidv7 } from 'uuid';
import type { Json } from '../support/client.js';
import {
  changeCompany,
  fieldErrors,
  makeCompany,
  receive,
  type TestCompany,
} from '../support/factories.js';
import { describeMode, inBothModes, type Stack } from '../support/suite.js';

const adjust = (company: TestCompany, reason: string, ...items: object[]) =>
  company.post('/inventory/adjustments', { reason, items });

async function onHand(company: TestCompany): Promise<Record<string, number>> {
  const { body } = await company.get('/inventory');
  return Object.fromEntries(body.map((item: Json) => [item.name, item.onHand]));
}

/** Each item's stock equals the sum of its movements. */
async function expectSumsOfMovements(stack: Stack, company: TestCompany): Promise<void> {
  const rows = await stack.sql(
    `SELECT i.id
     FROM items i
     LEFT JOIN movements m ON m.company_id = i.company_id AND m.item_id = i.id
     WHERE i.company_id = $1
     GROUP BY i.company_id, i.id
     HAVING i.on_hand <> COALESCE(sum(m.delta), 0)`,
    [company.companyId],
  );
  expect(rows).to.deep.equal([]);
}

inBothModes('adjusting stock', stack => {
  it('answers 201 with the adjustment and its movements, and no Location', async () => {
    const company = await makeCompany(stack());
    const { status, headers, body } = await company.post('/inventory/adjustments', {
      reason: 'received',
      reference: ' GRN-1 ',
      note: 'two boxes\nopened',
      items: [
        { name: 'Pipe', delta: 10.5 },
        { name: ' PIPE ', delta: -0.5 },
      ],
    });
    expect(status).to.equal(201);
    expect(headers.location).to.equal(undefined);
    const [{ itemId }] = body.movements;
    expect(body).to.deep.equal({
      id: body.id,
      reason: 'received',
      reference: 'GRN-1',
      note: 'two boxes\nopened',
      createdAt: body.createdAt,
      movements: [
        { itemId, name: 'Pipe', delta: 10.5, onHandBefore: 0, onHandAfter: 10.5 },
        { itemId, name: 'Pipe', delta: -0.5, onHandBefore: 10.5, onHandAfter: 10 },
      ],
    });
    expect(body.createdAt).to.match(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/u);
    await expectSumsOfMovements(stack(), company);
  });

  it('creates a new item once, even if many requests name it at the same time', async () => {
    const company = await makeCompany(stack());
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, at) =>
        adjust(company, 'received', { name: at % 2 ? 'Pipe' : 'PIPE', delta: 1 }),
      ),
    );
    expect(answers.map(({ status }) => status)).to.deep.equal(Array(20).fill(201));
    expect(new Set(answers.map(({ body }) => body.movements[0].itemId)).size).to.equal(1);
    expect(Object.values(await onHand(company))).to.deep.equal([20]);
    await expectSumsOfMovements(stack(), company);
  });

  it('applies concurrent corrections one after another and never goes below zero', async () => {
    const company = await makeCompany(stack());
    await receive(company, { name: 'A', delta: 10 }, { name: 'B', delta: 10 });
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, at) =>
        adjust(
          company,
          'damaged',
          ...(at % 2 ? ['A', 'B'] : ['B', 'A']).map(name => ({ name, delta: -1 })),
        ),
      ),
    );
    expect(answers.filter(({ status }) => status === 201)).to.have.length(10);
    expect(answers.filter(({ body }) => body.code === 'insufficient_stock')).to.have.length(30);
    expect(await onHand(company)).to.deep.equal({ A: 0, B: 0 });
    await expectSumsOfMovements(stack(), company);
  });
});

describeMode('postgres', 'the effect of an adjustment', stack => {
  it('adds with delta and sets with count', async () => {
    const company = await makeCompany(stack());
    await receive(company, { name: 'Pipe', delta: 10 });
    await adjust(company, 'returned', { name: 'pipe', delta: 2.5 });
    const { body } = await adjust(company, 'count', { name: 'Pipe', count: 7 });
    expect(
      body.movements.map(({ delta, onHandBefore, onHandAfter }: Json) => [
        delta,
        onHandBefore,
        onHandAfter,
      ]),
    ).to.deep.equal([[-5.5, 12.5, 7]]);
    expect(await onHand(company)).to.deep.equal({ Pipe: 7 });
    await expectSumsOfMovements(stack(), company);
  });

  it('creates unknown items with their details when they are received or counted', async () => {
    const company = await makeCompany(stack());
    const details = { reorderPoint: 3, unitCost: 1.5, unitPrice: 2.5, unit: 'm' };
    expect((await adjust(company, 'received', { name: 'Plain', delta: 1 })).status).to.equal(201);
    expect(
      (await adjust(company, 'count', { name: 'Full', sku: 'F-1', count: 4, ...details })).status,
    ).to.equal(201);
    const { body } = await company.get('/inventory');
    expect(body.map(({ id: _id, updatedAt: _at, ...item }: Json) => item)).to.deep.equal([
      {
        sku: 'F-1',
        name: 'Full',
        unit: 'm',
        onHand: 4,
        reorderPoint: 3,
        low: false,
        unitCost: 1.5,
        unitPrice: 2.5,
        archived: false,
      },
      {
        sku: null,
        name: 'Plain',
        unit: null,
        onHand: 1,
        reorderPoint: 0,
        low: false,
        unitCost: null,
        unitPrice: null,
        archived: false,
      },
    ]);
  });

  it('refuses unknown items for other reasons, reports all of them and creates none', async () => {
    const company = await makeCompany(stack());
    await receive(company, { name: 'Pipe', sku: 'P-1', delta: 1 });
    for (const reason of [
      'returned',
      'correction',
      'damaged',
      'lost',
      'theft',
      'transfer',
      'other',
    ]) {
      expect(
        fieldErrors(await adjust(company, reason, { name: 'New', delta: 1 })),
        reason,
      ).to.deep.equal(['/items/0/name unknown_item']);
    }
    const refused = await adjust(
      company,
      'received',
      { name: 'Pipe', delta: 1 },
      { sku: 'NOPE', delta: 1 },
      { itemId: uuidv7(), delta: 1 },
      { name: 'Pipe', sku: 'NEW', delta: 1 },
    );
    expect(fieldErrors(refused)).to.deep.equal([
      '/items/1/sku unknown_item',
      '/items/2/itemId unknown_item',
      '/items/3/sku unknown_item',
    ]);
    expect(await onHand(company)).to.deep.equal({ Pipe: 1 });
  });

  it('reports unknown items together with the other errors of a body', async () => {
    const company = await makeCompany(stack());
    const [itemId] = await receive(company, { name: 'Pipe', sku: 'P-1', delta: 1 });
    const entries = [
      { itemId: uuidv7(), delta: '1' },
      { itemId, delta: 1 },
      { itemId: 'P-1', delta: 1 },
      { sku: 'NOPE', delta: 1 },
      { sku: 'p-1', name: 5, delta: 1 },
      { name: 'pipe', sku: 'NEW', delta: 1 },
      { name: 'New', delta: 1 },
      null,
      {},
    ];
    const expected = [
      '/items/0/delta wrong_type',
      '/items/2/itemId invalid_value',
      '/items/4/name wrong_type',
      '/items/7 wrong_type',
      '/items/8 required',
      '/items/8 required',
      '/items/0/itemId unknown_item',
      '/items/3/sku unknown_item',
      '/items/5/sku unknown_item',
    ];
    const post = (reason: string) =>
      company.post('/inventory/adjustments', { reason, items: entries });
    expect(fieldErrors(await post('received'))).to.deep.equal(expected);
    expect(fieldErrors(await post('other'))).to.deep.equal([
      ...expected,
      '/items/6/name unknown_item',
    ]);
    expect(fieldErrors(await post('gift'))).to.deep.equal(['/reason invalid_value', ...expected]);
    expect(await onHand(company)).to.deep.equal({ Pipe: 1 });
  });

  it('counts unknown items among the errors that are omitted', async () => {
    const company = await makeCompany(stack());
    const { body } = await adjust(
      company,
      'received',
      ...Array.from({ length: 120 }, () => ({ itemId: uuidv7(), delta: -1.00001 })),
    );
    expect(body.detail).to.equal('The body has 240 invalid fields.');
    expect([body.errors.length, body.errorsOmitted]).to.deep.equal([100, 140]);
  });

  it('finds an item by sku, ignoring the name, and by itemId in upper or lower case', async () => {
    const company = await makeCompany(stack());
    const [pipe] = await receive(company, { name: 'Pipe', sku: 'P-1', delta: 1 });
    const { body } = await adjust(
      company,
      'received',
      { sku: 'P-1', delta: 1 },
      { sku: 'P-1', name: 'Another name', delta: 1 },
      { itemId: pipe?.toUpperCase(), delta: 1 },
    );
    expect(
      body.movements.map(({ itemId, name, onHandAfter }: Json) => [itemId, name, onHandAfter]),
    ).to.deep.equal([
      [pipe, 'Pipe', 2],
      [pipe, 'Pipe', 3],
      [pipe, 'Pipe', 4],
    ]);
    expect(await onHand(company)).to.deep.equal({ Pipe: 4 });
  });

  it("never finds another company's items", async () => {
    const [one, other] = [await makeCompany(stack()), await makeCompany(stack())];
    const [itemId] = await receive(one, { name: 'Pipe', sku: 'P-1', delta: 1 });
    const refused = await adjust(
      other,
      'other',
      { itemId, delta: 1 },
      { sku: 'P-1', delta: 1 },
      { name: 'Pipe', delta: 1 },
    );
    expect(fieldErrors(refused)).to.deep.equal([
      '/items/0/itemId unknown_item',
      '/items/1/sku unknown_item',
      '/items/2/name unknown_item',
    ]);
    expect(await onHand(one)).to.deep.equal({ Pipe: 1 });
  });

  it('applies several entries for one item in order, even if the first creates it', async () => {
    const company = await makeCompany(stack());
    const { body } = await adjust(
      company,
      'received',
      { name: 'Pipe', sku: 'P-1', delta: 5 },
      { name: 'pipe', delta: -2, expectedOnHand: 5 },
      { sku: 'P-1', count: 10, expectedOnHand: 3, unit: 'm' },
      { name: 'PIPE', delta: 1, unit: 'pc' },
    );
    expect(
      body.movements.map(({ delta, onHandAfter }: Json) => [delta, onHandAfter]),
    ).to.deep.equal([
      [5, 5],
      [-2, 3],
      [7, 10],
      [1, 11],
    ]);
    const [item] = (await company.get('/inventory')).body;
    expect([item.onHand, item.unit]).to.deep.equal([11, 'pc']);
    await expectSumsOfMovements(stack(), company);
  });

  it('refuses with 409 stock_conflict if expectedOnHand differs, and writes nothing', async () => {
    const company = await makeCompany(stack());
    const [itemId] = await receive(
      company,
      { name: 'Pipe', delta: 5 },
      { name: 'Valve', delta: 5 },
    );
    const { status, body } = await adjust(
      company,
      'count',
      { name: 'Valve', count: 1, expectedOnHand: 5 },
      { name: 'Pipe', count: 1, expectedOnHand: 4.9999 },
    );
    expect([status, body.code]).to.deep.equal([409, 'stock_conflict']);
    expect(
      body.errors.map(({ pointer, itemId: id, onHand: held }: Json) => [pointer, id, held]),
    ).to.deep.equal([['/items/1/expectedOnHand', itemId, 5]]);
    expect(await onHand(company)).to.deep.equal({ Pipe: 5, Valve: 5 });
    expect(
      (await adjust(company, 'count', { name: 'New', count: 1, expectedOnHand: 0 })).status,
    ).to.equal(201);
  });

  it('gives no itemId in a stock_conflict of an item that the request would create', async () => {
    const company = await makeCompany(stack());
    const { status, body } = await adjust(
      company,
      'received',
      { name: 'New', delta: 5, expectedOnHand: 3 },
      { name: 'new', delta: 1, expectedOnHand: 4 },
    );
    expect([status, body.code]).to.deep.equal([409, 'stock_conflict']);
    expect(body.errors.map(({ itemId, onHand: held }: Json) => [itemId, held])).to.deep.equal([
      [null, 0],
      [null, 5],
    ]);
    expect(await onHand(company)).to.deep.equal({});
  });

  it('refuses to go below zero with 409, line by line, and writes nothing', async () => {
    const company = await makeCompany(stack());
    const [pipe] = await receive(company, { name: 'Pipe', delta: 4 });
    const { status, body } = await adjust(
      company,
      'received',
      { name: 'Pipe', delta: -3 },
      { name: 'Pipe', delta: -2.5 },
      { name: 'New', delta: -1 },
      { name: 'Pipe', delta: -1 },
    );
    expect([status, body.code]).to.deep.equal([409, 'insufficient_stock']);
    expect(body.errors.map(({ detail: _detail, ...error }: Json) => error)).to.deep.equal([
      {
        pointer: '/items/1/delta',
        code: 'insufficient_stock',
        itemId: pipe,
        requested: 2.5,
        available: 1,
      },
      {
        pointer: '/items/2/delta',
        code: 'insufficient_stock',
        itemId: null,
        requested: 1,
        available: 0,
      },
      {
        pointer: '/items/3/delta',
        code: 'insufficient_stock',
        itemId: pipe,
        requested: 1,
        available: 0,
      },
    ]);
    expect(await onHand(company)).to.deep.equal({ Pipe: 4 });
  });

  it('lets a company that allows negative stock remove and count below zero', async () => {
    const company = await makeCompany(stack(), { allowNegativeStock: true });
    expect((await adjust(company, 'received', { name: 'Pipe', delta: -1.5 })).status).to.equal(201);
    expect((await adjust(company, 'count', { name: 'Valve', count: -2 })).status).to.equal(201);
    expect(await onHand(company)).to.deep.equal({ Pipe: -1.5, Valve: -2 });
    await changeCompany(stack(), company, { allowNegativeStock: false });
    expect(
      (await adjust(company, 'other', { name: 'Pipe', delta: 1 })).status,
      'towards zero',
    ).to.equal(201);
    expect(
      (await adjust(company, 'other', { name: 'Pipe', delta: -0.1 })).status,
      'away from it',
    ).to.equal(409);
    const repeated = await adjust(
      company,
      'other',
      { name: 'Pipe', delta: -0.1 },
      { name: 'Pipe', delta: -0.2 },
    );
    expect(repeated.body.errors.map(({ available }: Json) => available)).to.deep.equal([
      -0.5, -0.5,
    ]);
  });

  it('changes only the details that are given', async () => {
    const company = await makeCompany(stack());
    await receive(company, {
      name: 'Pipe',
      delta: 5,
      reorderPoint: 1,
      unitCost: 2,
      unitPrice: 3,
      unit: 'm',
    });
    await adjust(company, 'other', { name: 'Pipe', delta: 0, unitPrice: 0, unitCost: null });
    const [item] = (await company.get('/inventory')).body;
    expect(item).to.include({ onHand: 5, reorderPoint: 1, unitCost: 2, unitPrice: 0, unit: 'm' });
    await adjust(company, 'other', {
      name: 'Pipe',
      delta: -1,
      reorderPoint: 4,
      unit: 'pc',
      unitCost: 0.0001,
    });
    const [changed] = (await company.get('/inventory')).body;
    expect(changed).to.include({
      onHand: 4,
      reorderPoint: 4,
      low: true,
      unitCost: 0.0001,
      unitPrice: 0,
      unit: 'pc',
    });
    expect(Date.parse(changed.updatedAt)).to.be.at.least(Date.parse(item.updatedAt));
  });

  it('refuses more stock than an item can hold', async () => {
    const company = await makeCompany(stack());
    await receive(
      company,
      ...Array.from({ length: 99 }, () => ({ name: 'Pipe', delta: 1_000_000_000 })),
    );
    expect(
      (await adjust(company, 'received', { name: 'Pipe', delta: 999_999_999.9999 })).status,
    ).to.equal(201);
    expect(
      fieldErrors(await adjust(company, 'received', { name: 'Pipe', delta: 0.0001 })),
    ).to.deep.equal(['/items/0/delta too_large']);
    expect(await onHand(company)).to.deep.equal({ Pipe: 99_999_999_999.9999 });
  });

  it('needs inventory:write', async () => {
    const company = await makeCompany(stack(), { scopes: ['inventory:read', 'invoices:write'] });
    const { status, body } = await adjust(company, 'received', { name: 'Pipe', delta: 1 });
    expect([status, body.requiredScope]).to.deep.equal([403, 'inventory:write']);
  });
});

describeMode('postgres', 'the fields of an adjustment', stack => {
  let company: TestCompany;
  before(async () => {
    company = await makeCompany(stack());
  });
  const post = (overrides: object) =>
    company.post('/inventory/adjustments', {
      reason: 'received',
      items: [{ name: 'Pipe', delta: 1 }],
      ...overrides,
    });

  const refused: [string, object, string][] = [
    ['no reason', { reason: undefined }, '/reason required'],
    ['reason null', { reason: null }, '/reason wrong_type'],
    ['reason a number', { reason: 1 }, '/reason wrong_type'],
    ['reason empty', { reason: '' }, '/reason empty'],
    ['another reason', { reason: 'Received' }, '/reason invalid_value'],
    ['reference of 101 characters', { reference: 'r'.repeat(101) }, '/reference too_long'],
    ['note of 1,001 characters', { note: 'n'.repeat(1001) }, '/note too_long'],
    ['note with a control character', { note: 'a\u0001' }, '/note invalid_value'],
    ['an unknown field', { total: 1 }, '/total unknown_field'],
    ['items empty', { items: [] }, '/items empty'],
    ['251 items', { items: Array(251).fill({ name: 'Pipe', delta: 1 }) }, '/items too_many_items'],
  ];
  const refusedEntries: [string, object, string][] = [
    ['without name, sku and itemId', { delta: 1 }, '/items/0 required'],
    [
      'with name and itemId',
      { name: 'Pipe', itemId: uuidv7(), delta: 1 },
      '/items/0 invalid_value',
    ],
    ['without delta and count', { name: 'Pipe' }, '/items/0 required'],
    ['with delta and count', { name: 'Pipe', delta: 1, count: 1 }, '/items/0 invalid_value'],
    ['with delta null only', { name: 'Pipe', delta: null }, '/items/0 required'],
    ['with delta as text', { name: 'Pipe', delta: '1' }, '/items/0/delta wrong_type'],
    [
      'with delta of 5 decimals',
      { name: 'Pipe', delta: -1.00001 },
      '/items/0/delta too_many_decimals',
    ],
    [
      'with delta over a billion',
      { name: 'Pipe', delta: 1_000_000_000.0001 },
      '/items/0/delta too_large',
    ],
    [
      'with delta under a billion below zero',
      { name: 'Pipe', delta: -1_000_000_001 },
      '/items/0/delta too_small',
    ],
    ['with count below zero', { name: 'Pipe', count: -0.0001 }, '/items/0/count too_small'],
    [
      'with count far below zero',
      { name: 'Pipe', count: -2_000_000_000 },
      '/items/0/count too_small',
    ],
    [
      'with reorderPoint below zero',
      { name: 'Pipe', delta: 1, reorderPoint: -1 },
      '/items/0/reorderPoint too_small',
    ],
    [
      'with unitCost below zero',
      { name: 'Pipe', delta: 1, unitCost: -0.01 },
      '/items/0/unitCost too_small',
    ],
    [
      'with unitPrice of 5 decimals',
      { name: 'Pipe', delta: 1, unitPrice: 0.00001 },
      '/items/0/unitPrice too_many_decimals',
    ],
    [
      'with unit of 31 characters',
      { name: 'Pipe', delta: 1, unit: 'u'.repeat(31) },
      '/items/0/unit too_long',
    ],
    ['with sku of 65 characters', { sku: 's'.repeat(65), delta: 1 }, '/items/0/sku too_long'],
    ['with name empty', { name: '', delta: 1 }, '/items/0/name empty'],
    ['with itemId no UUID', { itemId: 'P-1', delta: 1 }, '/items/0/itemId invalid_value'],
    ['with an unknown field', { name: 'Pipe', delta: 1, qty: 1 }, '/items/0/qty unknown_field'],
  ];
  for (const [what, overrides, expected] of refused) {
    it(`refuses ${what}: ${expected}`, async () => {
      expect(fieldErrors(await post(overrides))).to.deep.equal([expected]);
    });
  }
  for (const [what, entry, expected] of refusedEntries) {
    it(`refuses an entry ${what}: ${expected}`, async () => {
      expect(fieldErrors(await post({ items: [entry] }))).to.deep.equal([expected]);
    });
  }

  it('reports all errors of a body at once, including a negative count', async () => {
    const items = [{ name: 'Pipe', count: -1 }, { name: '', delta: 'x' }, null];
    expect(fieldErrors(await post({ reason: 'gift', items }))).to.have.members([
      '/reason invalid_value',
      '/items/1/name empty',
      '/items/1/delta wrong_type',
      '/items/2 wrong_type',
      '/items/0/count too_small',
    ]);
  });

  it('accepts the longest texts, 250 entries, and null for an absent field', async () => {
    const items = Array.from({ length: 250 }, (_, at) => ({
      name: `Item ${at}`,
      count: 1,
      delta: null,
      itemId: null,
    }));
    const longest = { reference: 'r'.repeat(100), note: '😀'.repeat(1000) };
    const { status, body } = await post({
      ...longest,
      items: [{ ...items[0], unit: 'u'.repeat(30) }, ...items.slice(1)],
    });
    expect([status, body.movements?.length]).to.deep.equal([201, 250]);
    expect(body).to.include(longest);
    const absent = await post({ reference: null, note: null });
    expect([absent.status, absent.body.reference, absent.body.note]).to.deep.equal([
      201,
      null,
      null,
    ]);
  });
});
