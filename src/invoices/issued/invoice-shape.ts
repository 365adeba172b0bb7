// The JSON of an issued invoice as it is read back: its types and its schema. `renderInvoice`
// writes it from templates, since posting writes thousands per second.
import { TAX_CATEGORIES } from '../../companies/tax-category.js';
import {
  choice,
  currency,
  date,
  described,
  list,
  money,
  named,
  namedSchemas,
  number,
  object,
  orNull,
  type ParsedJson,
  partial,
  quantity,
  text,
  time,
  uuid,
} from '../../platform/values/json-shape.js';
import { STATUSES } from '../schema.js';

const percent = described(orNull(number), 'In percent; null if it was given as an amount.');
const taxRate = described(number, 'In percent, at most 4 decimals.');
const taxCategory = described(
  choice(TAX_CATEGORIES),
  'As in EN 16931: `S`, `Z`, `E`, `AE`, `K`, `G` or `O`.',
);

const TAX_GROUP = named(
  'TaxGroup',
  object({
    category: taxCategory,
    rate: taxRate,
    base: described(money, "The lines' amounts less their share of the invoice's discount."),
    amount: described(money, 'base × rate, rounded half up once.'),
    reason: described(orNull(text), 'Why no tax is due.'),
  }),
);

const LINE_DISCOUNT = named(
  'LineDiscount',
  object({ percent, amount: money }, 'Present only on a line with a discount.'),
);

const DOCUMENT_DISCOUNT = named(
  'DocumentDiscount',
  object({ percent, amount: money, reason: orNull(text) }),
);

export const INVOICE_LINE = named(
  'InvoiceLine',
  object({
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
      discount: LINE_DISCOUNT,
      taxRate: described(taxRate, 'In percent, at most 4 decimals. On every line or on none.'),
      taxCategory,
    }),
  }),
);

export const INVOICE = named(
  'Invoice',
  object({
    id: uuid,
    number: described(text, 'Gap-free per company, in order of creation.'),
    status: described(
      choice(STATUSES),
      '`open`: issued; `paid`: nothing is due any more; `void`: withdrawn, which is final. More ' +
        'values may follow.',
    ),
    customerName: text,
    date,
    currency,
    items: list(INVOICE_LINE),
    total: described(money, 'What the customer owes: `subtotal` plus `taxTotal`.'),
    reference: described(orNull(text), 'Your own number, as given.'),
    createdAt: time,
    dueDate: orNull(date),
    orderReference: described(orNull(text), "The buyer's order number."),
    deliveryDate: orNull(date),
    note: orNull(text),
    discount: described(orNull(DOCUMENT_DISCOUNT), 'Reduces the sum of the lines.'),
    subtotal: described(money, 'The sum of the line amounts less the discount; net.'),
    taxTotal: described(money, 'The sum of the taxes.'),
    taxes: described(
      list(TAX_GROUP, 20),
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
  }),
);

/** As JSON.parse returns it. Its numbers are exact: each is the double nearest to its text. */
export type InvoiceJson = ParsedJson<typeof INVOICE>;

/** For the OpenAPI document. */
export const issuedSchemas = namedSchemas(
  INVOICE,
  INVOICE_LINE,
  LINE_DISCOUNT,
  DOCUMENT_DISCOUNT,
  TAX_GROUP,
);
