// The JSON Schemas of answers with invoices.
import { TAX_CATEGORIES } from '../../companies/tax-category.js';
import { MAX_BATCH } from '../../invoices/schema.js';
import {
  choice,
  currency,
  date,
  described,
  list,
  money,
  number,
  object,
  orNull,
  partial,
  quantity,
  ref,
  rendered,
  text,
  time,
  uuid,
} from '../../platform/values/json-shape.js';
import { either, schemasOf } from '../schema-parts.js';

const percent = described(orNull(number), 'In percent; null if it was given as an amount.');
const taxRate = described(number, 'In percent, at most 4 decimals.');
const taxCategory = described(
  choice(TAX_CATEGORIES),
  'As in EN 16931: `S`, `Z`, `E`, `AE`, `K`, `G` or `O`.',
);

const Invoice = object({
  id: uuid,
  number: described(text, 'Gap-free per company, in order of creation.'),
  status: described(
    choice(['open', 'paid', 'void']),
    '`open`: issued; `paid`: nothing is due any more; `void`: withdrawn, which is final. More ' +
      'values may follow.',
  ),
  customerName: text,
  date,
  currency,
  items: list(ref('InvoiceLine')),
  total: described(money, 'What the customer owes: `subtotal` plus `taxTotal`.'),
  reference: described(orNull(text), 'Your own number, as given.'),
  createdAt: time,
  dueDate: orNull(date),
  orderReference: described(orNull(text), "The buyer's order number."),
  deliveryDate: orNull(date),
  note: orNull(text),
  discount: described(orNull(ref('DocumentDiscount')), 'Reduces the sum of the lines.'),
  subtotal: described(money, 'The sum of the line amounts less the discount; net.'),
  taxTotal: described(money, 'The sum of the taxes.'),
  taxes: described(
    list(ref('TaxGroup'), 20),
    'One per tax category and rate, in the order of their first lines. Empty without taxes.',
  ),
  amountPaid: money,
  amountCredited: money,
  amountDue: described(money, '`total` less `amountPaid` and `amountCredited`.'),
  settledOn: described(
    orNull(date),
    'The date of the payment or credit note that brought `amountDue` to 0.',
  ),
  ...partial({
    customerId: described(
      uuid,
      'As sent. Present only if the request had it. If that record is merged later, the id ' +
        'stands for the record that remains.',
    ),
  }),
});

const InvoiceLine = object({
  name: text,
  sku: described(orNull(text), 'The SKU of the matched stock item.'),
  qty: quantity,
  price: described(number, 'Net price of one unit, at most 4 decimals.'),
  amount: described(
    money,
    'qty × price, rounded half up to the minor unit of the currency, less the discount; net.',
  ),
  itemId: described(
    orNull(uuid),
    'The stock item whose stock the line reduces; null for a line that matches none.',
  ),
  ...partial({
    discount: ref('LineDiscount'),
    taxRate: described(taxRate, 'In percent, at most 4 decimals. On every line or on none.'),
    taxCategory,
  }),
});

const LineDiscount = object({ percent, amount: money }, 'Present only on a line with a discount.');

const DocumentDiscount = object({ percent, amount: money, reason: orNull(text) });

const TaxGroup = object({
  category: taxCategory,
  rate: taxRate,
  base: described(money, "The lines' amounts less their share of the invoice's discount."),
  amount: described(money, 'base × rate, rounded half up once.'),
  reason: described(orNull(text), 'Why no tax is due.'),
});

const InvoiceBatchResults = object({
  results: described(
    list(either('CreatedResult', 'RefusedResult', 'AcceptedResult'), MAX_BATCH),
    'In the order of the request.',
  ),
});

const CreatedResult = object({
  status: rendered({ type: 'integer', const: 201 }),
  invoice: ref('Invoice'),
});

const RefusedResult = object({
  status: described(
    rendered({ type: 'integer', minimum: 403, maximum: 503 }),
    '403, 409 or 422. 500 or 503 if the same single request would have returned it.',
  ),
  problem: ref('Problem'),
});

const AcceptedResult = object({
  status: rendered({ type: 'integer', const: 202 }),
  job: ref('Job'),
});

export const invoiceSchemas = schemasOf({
  Invoice,
  InvoiceLine,
  LineDiscount,
  DocumentDiscount,
  TaxGroup,
  InvoiceBatchResults,
  CreatedResult,
  RefusedResult,
  AcceptedResult,
});
