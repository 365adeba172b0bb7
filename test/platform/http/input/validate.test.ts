// The sentences of field errors: each names the rule that the field breaks.
import { expect } from 'chai';
import fc from 'fast-check';
import Joi from 'joi';
import { requestBodies } from '../../../../src/api-docs/operations.js';
import { adjustmentRequest } from '../../../../src/inventory/schema.js';
import { invoiceRequest } from '../../../../src/invoices/schema.js';
import { creditNoteRequest } from '../../../../src/ledger/schema.js';
import type { Problem } from '../../../../src/platform/errors.js';
import { pointerTo } from '../../../../src/platform/field-errors.js';
import { BodyErrors, compileBodyCheck } from '../../../../src/platform/http/input/body-check.js';
import { closestField } from '../../../../src/platform/http/input/closest-field.js';
import { shapeOf } from '../../../../src/platform/http/input/schema-shape.js';
import {
  brokenRule,
  decimal,
  isCalendarDate,
  validateBody,
} from '../../../../src/platform/http/input/validate.js';
import { decimalPlaces } from '../../../../src/platform/values/money.js';

/** The result of the compiled check, with all errors. */
function checked(schema: Joi.Schema, body: unknown) {
  const errors = new BodyErrors(Number.POSITIVE_INFINITY);
  const clean = shapeOf(schema).check?.(body, errors);
  return { clean, errors: errors.listed };
}

/** Joi's errors, as pointers and field codes. */
function errorsOf(error: Joi.ValidationError | undefined): string[] {
  const details = error?.details ?? [];
  const types = new Map(details.map(({ path, type }) => [pointerTo(path), type]));
  return details
    .filter(({ path, type }) => type !== 'any.only' || types.get(pointerTo(path)) === type)
    .map(detail => `${pointerTo(detail.path)} ${brokenRule(detail).code}`);
}

function sentencesOf(body: unknown): string[] {
  try {
    validateBody(adjustmentRequest, body);
  } catch (error) {
    const { errors = [] } = (error as Problem).details;
    return errors.map(({ pointer, detail }) => `${pointer} ${detail}`);
  }
  return [];
}

describe('the errors of an adjustment', () => {
  it('list the allowed values', () => {
    expect(sentencesOf({ reason: 'stolen', items: [{ sku: 'A', delta: 1 }] })).to.deep.equal([
      '/reason Must be one of received, returned, count, correction, damaged, lost, theft, ' +
        'transfer, other.',
    ]);
  });

  it('list the properties that an object has, at most 20 of them', () => {
    const items = [{ name: 'A', delta: 1, quantity: 1, Delta: 1 }];
    expect(sentencesOf({ reason: 'count', items, supplier: 'S' })).to.have.members([
      '/items/0/quantity Unknown property. Known properties: name, sku, itemId, delta, count, ' +
        'expectedOnHand, reorderPoint, unitCost, unitPrice, unit.',
      '/items/0/Delta Unknown property. Did you mean delta?',
      '/supplier Unknown property. Known properties: reason, reference, note, items.',
    ]);
    const names = Array.from({ length: 21 }, (_, index) => `field${index}`);
    const long = Joi.object(Object.fromEntries(names.map(name => [name, Joi.boolean()])));
    expect(checked(long, { other: 1 }).errors[0]?.detail).to.match(/ field18, field19, …$/u);
    expect(checked(Joi.object({}), { other: 1 }).errors[0]?.detail).to.equal(
      'Unknown property. None is known here.',
    );
  });

  it('explain which fields exclude or require each other', () => {
    const itemId = '01932d5c-1f4e-7cc3-9d0a-3b6a1d2f7e10';
    const items = [
      { sku: 'A', delta: 1, count: 1 },
      { sku: 'A' },
      { delta: 1 },
      { itemId, name: 'Pump', delta: 1 },
      { itemId: 'x', delta: 1 },
    ];
    expect(sentencesOf({ reason: 'count', items })).to.deep.equal([
      '/items/0 Send either delta or count, not both.',
      '/items/1 delta or count is required.',
      '/items/2 name, sku, or itemId is required.',
      '/items/3 Send either itemId or name, not both.',
      '/items/4/itemId Must be a UUID. To name an item by its SKU, send sku.',
    ]);
  });

  it('name the bounds of numbers and arrays', () => {
    const items = [{ sku: 'A', delta: -1_000_000_001, unitCost: -1, reorderPoint: 'many' }];
    expect(sentencesOf({ reason: 'count', items })).to.deep.equal([
      '/items/0/delta Must be at least -1,000,000,000.',
      '/items/0/reorderPoint Must be a number.',
      '/items/0/unitCost Must be at least 0.',
    ]);
    const many = Array(251).fill({ sku: 'A', delta: 1 });
    expect(sentencesOf({ reason: 'count', items: many })).to.deep.equal([
      '/items At most 250 items.',
    ]);
    expect(sentencesOf({ reason: 'count', items: [] })).to.deep.equal([
      '/items Must not be empty.',
    ]);
  });
});

describe('the suggestion for an unknown field', () => {
  it('is a field with nearly the same name, whatever its case', () => {
    const known = ['customerName', 'date', 'items', 'qty'];
    for (const [name, suggestion] of [
      ['custmerName', 'customerName'],
      ['customer_name', 'customerName'],
      ['Date', 'date'],
      ['item', 'items'],
      ['qyt', 'qty'],
      ['name', undefined],
      ['quantity', undefined],
      ['x'.repeat(5_000), undefined],
    ] as const)
      expect(closestField(name, known), name).to.equal(suggestion);
  });
});

/** A request that is too rare for its check to matter. Joi checks its body. */
const isRare = (name: string) => name.startsWith('Webhook');

describe('the check of bodies', () => {
  const odd = fc.jsonValue();
  /** Mostly the first, so that whole bodies are often valid. */
  const mostly = <Value>(usual: fc.Arbitrary<Value>, ...unusual: fc.Arbitrary<unknown>[]) =>
    fc.oneof(
      { arbitrary: usual as fc.Arbitrary<unknown>, weight: 60 },
      ...unusual.map(arbitrary => ({ arbitrary, weight: 1 })),
    );
  const name = mostly(
    fc.constantFrom('Pump', ' Pump ', 'e\u0301', 'Öl', 'A'),
    fc.constantFrom('', ' ', 'a\tb', '\ufffd', '\u202e', 'x'.repeat(256)),
    fc.string({ unit: 'grapheme', maxLength: 30 }),
    odd,
  );
  const amount = mostly(
    fc.integer({ min: 1, max: 900_000_000 }).map(units => units / 10_000),
    fc.integer(),
    fc.double(),
    fc.constantFrom(0.1 + 0.2, 1e-7, 1e21, -0, 999_999_999.9999, 1_000_000.0001),
    odd,
  );
  const percent = mostly(
    fc.integer({ min: 1, max: 1_000_000 }).map(units => units / 10_000),
    fc.constantFrom(0, 100.1),
    odd,
  );
  const discount = mostly(
    fc.oneof(fc.record({ percent }), fc.record({ amount, percent: fc.constant(null) })),
    fc.constant(null),
    fc.record({ percent, amount }),
    odd,
  );
  const taxCategory = mostly(fc.constantFrom('S', 'Z', 'O', null), fc.constant('X'), odd);
  const invoice = fc.record(
    {
      customerName: name,
      date: mostly(fc.constantFrom('2026-02-28', '2024-02-29'), fc.constant('2026-02-29'), odd),
      items: fc.array(
        fc.record(
          {
            name,
            qty: amount,
            price: amount,
            sku: mostly(fc.option(name), odd),
            discount,
            taxRate: percent,
            taxCategory,
          },
          { requiredKeys: ['name', 'qty', 'price'] },
        ),
        { maxLength: 4 },
      ),
      reference: fc.option(name),
      note: fc.option(mostly(fc.constantFrom('a\nb', 'a\r\nb'), name)),
      discount,
      dueDate: mostly(fc.constant('2026-03-01'), fc.constant(null), odd),
    },
    { requiredKeys: ['customerName', 'date', 'items'] },
  );
  const adjustment = fc.record(
    {
      reason: mostly(fc.constantFrom('received', 'count'), odd),
      note: fc.option(mostly(name, fc.constant('two\nlines'))),
      items: fc.array(
        fc.record(
          {
            name: mostly(name, fc.constant(null)),
            sku: fc.option(name),
            itemId: mostly(
              fc.constant(null),
              fc.uuid().map(id => id.toUpperCase()),
              odd,
            ),
            delta: mostly(amount, fc.constant(null)),
            count: mostly(fc.constant(null), amount),
            unitCost: fc.option(amount),
          },
          { requiredKeys: ['delta'] },
        ),
        { maxLength: 4 },
      ),
    },
    { requiredKeys: ['reason', 'items'] },
  );
  const restock = mostly(fc.boolean(), fc.constantFrom('true', 1, null), odd);
  const line = mostly(fc.constantFrom(1, 250), fc.constantFrom(0, 1.5), odd);
  const creditNote = fc.record(
    {
      invoiceId: mostly(fc.uuid(), odd),
      date: mostly(fc.constant('2026-03-01'), odd),
      reason: mostly(fc.constantFrom('return', 'price'), odd),
      items: fc.option(
        fc.array(fc.record({ line, qty: amount, restock }, { requiredKeys: ['line', 'qty'] })),
      ),
      restock,
      reference: fc.option(name),
    },
    { requiredKeys: ['invoiceId', 'date', 'reason'] },
  );
  const extended = (body: fc.Arbitrary<object>) =>
    mostly(
      body,
      fc.tuple(body, odd).map(([fields, extra]) => ({ ...fields, extra })),
      odd,
    );

  for (const [kind, schema, bodies] of [
    ['an invoice', invoiceRequest, invoice],
    ['an adjustment', adjustmentRequest, adjustment],
    ['a credit note', creditNoteRequest, creditNote],
  ] as const) {
    it(`finds the errors of ${kind} that Joi finds, and returns what Joi returns`, () => {
      let accepted = 0;
      fc.assert(
        fc.property(extended(bodies), made => {
          const body: unknown = JSON.parse(JSON.stringify(made));
          const { errors, clean } = checked(schema, body);
          const { error, value } = schema.validate(body, { abortEarly: false, convert: false });
          // Joi overlooks this field.
          const own = errors.filter(({ pointer }) => !pointer.endsWith('/__proto__'));
          expect(
            own.map(({ pointer, code }) => `${pointer} ${code}`),
            JSON.stringify(body),
          ).to.have.members(errorsOf(error));
          if (errors.length > 0) return;
          accepted += 1;
          expect(clean).to.deep.equal(value);
        }),
        { numRuns: 3_000 },
      );
      expect(accepted).to.be.greaterThan(300);
    });
  }

  it('understands the schemas of all requests but those that set up webhooks', () => {
    for (const [name, schema] of Object.entries(requestBodies).filter(([name]) => !isRare(name)))
      expect(compileBodyCheck(schema.describe()), name).not.to.equal(null);
  });

  it('counts every error, but builds only as many as it lists', () => {
    const errors = new BodyErrors(100);
    const items = Array(250).fill({ qty: -1, colour: 'red' });
    const body = { customerName: 'A', date: '2026-11-22', items };
    compileBodyCheck(invoiceRequest.describe())?.(body, errors);
    // Besides, each line lacks a name and a price, which the schema leaves to the item.
    expect([errors.count, errors.listed.length]).to.deep.equal([500, 100]);
  });

  it('accepts the usual bodies, with text to clean and null for an absent field', () => {
    const check = (body: unknown) => checked(invoiceRequest, body).clean;
    const items = [{ name: ' Pumpe für Öl ', qty: 0.5, price: 19.99, sku: null }];
    const body = { customerName: 'Müller', date: '2026-11-22', items };
    const line = { name: 'Pumpe für Öl', qty: 0.5, price: 19.99 };
    expect(check(body)).to.deep.equal({ ...body, items: [line] });
    const taxed = { taxRate: 19, taxCategory: 'S', discount: { percent: 5 } };
    const discounted = { ...body, discount: { amount: 1, percent: null, reason: ' Öl ' } };
    expect(check({ ...discounted, items: [{ ...items[0], ...taxed }] })).to.deep.equal({
      ...body,
      discount: { amount: 1, reason: 'Öl' },
      items: [{ ...line, ...taxed }],
    });
    expect(check({ ...body, colour: 'unknown' })).to.equal(undefined);
  });

  it('accepts exactly the numbers with at most 4 decimals', () => {
    const schema = decimal(-1e11, 1e11);
    const check = compileBodyCheck(schema.describe());
    const near = fc
      .tuple(fc.integer({ min: -1e15, max: 1e15 }), fc.integer({ min: 4, max: 6 }))
      .map(([digits, decimals]) => digits / 10 ** decimals);
    const anyDouble = fc.double({ min: -1e11, max: 1e11, noNaN: true });
    fc.assert(
      fc.property(fc.oneof(near, anyDouble), value => {
        expect(check?.(value, new BodyErrors()) !== undefined).to.equal(decimalPlaces(value) <= 4);
      }),
      { numRuns: 5_000 },
    );
  });

  it('accepts exactly the dates of the calendar', () => {
    const part = (max: number, width: number) =>
      fc.integer({ min: 0, max }).map(value => String(value).padStart(width, '0'));
    fc.assert(
      fc.property(part(2200, 4), part(14, 2), part(33, 2), (year, month, day) => {
        const text = `${year}-${month}-${day}`;
        const date = new Date(`${text}T00:00:00Z`);
        const exists = !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
        expect(isCalendarDate(text)).to.equal(exists && year >= '1900' && year <= '2100');
      }),
      { numRuns: 5_000 },
    );
  });

  it('leaves a schema that it does not understand to Joi', () => {
    for (const schema of [
      Joi.number(),
      Joi.string().min(1),
      Joi.object({ a: Joi.boolean().truthy(1), id: Joi.valid('x') }),
      Joi.object({ id: Joi.string() }),
      Joi.object(),
      Joi.object({ a: Joi.valid(1) }).unknown(),
      Joi.object({ a: Joi.valid(1) }).and('a', 'b'),
      // Only Joi fills in a default.
      Joi.object({ a: Joi.valid(1), id: Joi.valid('x'), b: Joi.valid(2).default(2) }),
    ])
      expect(compileBodyCheck(schema.describe())).to.equal(null);
  });
});
