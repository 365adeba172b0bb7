// An invoice's JSON is written by templates, for speed, and described by a shape. Both have the
// same members, of which `customerId` has another place in the shape.
import { expect } from 'chai';
import fc from 'fast-check';
import { TAX_CATEGORIES } from '../../src/companies/tax-category.js';
import { invoiceNumber, renderInvoice } from '../../src/invoices/invoice-json.js';
import { INVOICE } from '../../src/invoices/issued/invoice-shape.js';
import { STATUSES } from '../../src/invoices/schema.js';
import type { JsonValue } from '../../src/platform/values/json-shape.js';

type Shown = JsonValue<typeof INVOICE>;

const text = fc.string({ unit: 'grapheme', maxLength: 8 });
const figure = fc.nat().map(String);
const uuid = fc.uuid();
const date = fc.constantFrom('2026-02-28', '1999-12-31');
const percent = fc.option(figure);
const category = fc.constantFrom(...TAX_CATEGORIES);

const line = fc.record(
  {
    name: text,
    sku: fc.option(text),
    qty: figure,
    price: figure,
    amount: figure,
    itemId: fc.option(uuid),
    discount: fc.record({ percent, amount: figure }),
    tax: fc.record({ rate: figure, category }),
  },
  { requiredKeys: ['name', 'sku', 'qty', 'price', 'amount', 'itemId'] },
);

const details = fc.record(
  {
    dueDate: fc.option(date),
    orderReference: fc.option(text),
    deliveryDate: fc.option(date),
    note: fc.option(text),
    discount: fc.option(fc.record({ percent, amount: figure, reason: fc.option(text) })),
    subtotal: figure,
    taxTotal: figure,
    taxes: fc.array(
      fc.record({ category, rate: figure, base: figure, amount: figure, reason: fc.option(text) }),
      { maxLength: 3 },
    ),
    customerId: uuid,
  },
  {
    requiredKeys: [
      ...(['dueDate', 'orderReference', 'deliveryDate', 'note', 'discount'] as const),
      ...(['subtotal', 'taxTotal', 'taxes'] as const),
    ],
  },
);

const invoice = fc.record({
  id: uuid,
  numberPrefix: fc.constantFrom('INV-', ''),
  number: fc.bigInt({ min: 1n, max: 10_000_000n }),
  status: fc.constantFrom(...STATUSES),
  customerName: text,
  date,
  currency: fc.constantFrom('EUR', 'JPY'),
  lines: fc.array(line, { minLength: 1, maxLength: 3 }),
  total: figure,
  reference: fc.option(text),
  createdAt: fc.constant('2026-02-28T09:01:02.003Z'),
  details,
  settlement: fc.record({
    paid: figure,
    credited: figure,
    due: figure,
    settledOn: fc.option(date),
  }),
});

type Generated = typeof invoice extends fc.Arbitrary<infer Value> ? Value : never;

function shownOf({ lines, details: own, settlement, ...record }: Generated): Shown {
  const { numberPrefix, number, ...head } = record;
  const { paid, credited, due, settledOn } = settlement;
  return {
    ...head,
    ...own,
    number: invoiceNumber(numberPrefix, number),
    items: lines.map(({ tax, ...others }) => ({
      ...others,
      ...(tax ? { taxRate: tax.rate, taxCategory: tax.category } : {}),
    })),
    amountPaid: paid,
    amountCredited: credited,
    amountDue: due,
    settledOn,
  };
}

describe('The JSON text of an invoice', () => {
  it('has the members of its shape', () => {
    fc.assert(
      fc.property(invoice, generated => {
        const shown = JSON.parse(INVOICE.json(shownOf(generated)));
        expect(JSON.parse(renderInvoice(generated))).to.deep.equal(shown);
      }),
    );
  });
});
