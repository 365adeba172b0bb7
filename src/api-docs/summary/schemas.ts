// The JSON Schema of the summary.
import { AGES } from '../../invoices/overdue.js';
import {
  count,
  currency,
  date,
  described,
  integer,
  list,
  money,
  month,
  number,
  object,
  orNull,
  quantity,
  text,
  time,
} from '../../platform/values/json-shape.js';

import { schemasOf } from '../schema-parts.js';

const countAndTotal = { count, total: money };

const percent = described(
  orNull(number),
  'One decimal, rounded half up; null where the base is 0.',
);

const Summary = object({
  period: object({
    month,
    from: date,
    to: described(date, 'The last day of the month.'),
    timezone: described(text, 'IANA name.'),
  }),
  currency,
  invoices: object({
    ...countAndTotal,
    average: described(
      orNull(number),
      'Rounded half up to the minor unit of the currency; null without invoices.',
    ),
  }),
  previous: object({
    month,
    ...countAndTotal,
    toSameDay: object(countAndTotal, 'The previous month, up to the same day of the month.'),
  }),
  change: object(
    { countPercent: percent, totalPercent: percent },
    'This month compared with `previous.toSameDay`.',
  ),
  topCustomers: described(
    list(
      object({
        name: text,
        count: described(count, "The customer's invoices of the month, credited or not."),
        total: described(money, 'With tax, less credit notes.'),
      }),
      5,
    ),
    'The customers with the largest net totals, if these are above 0.',
  ),
  topItems: described(
    list(
      object({
        name: text,
        qty: described(quantity, 'Sold less credited. A credit note by amount does not change it.'),
        total: described(money, "Before tax and the invoice's own discount, less credit notes."),
      }),
      5,
    ),
    'The items with the largest net totals, if both net figures are above 0.',
  ),
  inventory: object({
    items: count,
    low: count,
    outOfStock: count,
    value: described(
      number,
      'Σ onHand × unitCost, the sum rounded half up to the minor unit of the currency.',
    ),
  }),
  computedAt: described(
    time,
    'When the figures were computed. They include a change within 5 seconds.',
  ),
  sales: object({ net: money, tax: money }, '`invoices.total`, split.'),
  credited: object(
    { ...countAndTotal, net: money, tax: money },
    "The month's credit notes, by their own dates.",
  ),
  received: object(
    { count: integer, total: money },
    "The month's payments less its reversals, by their own dates. Below 0 if more was reversed.",
  ),
  refunded: object(countAndTotal, "The month's refunds, by their own dates."),
  outstanding: object(countAndTotal, 'The invoices of any month with an amount due.'),
  overdue: object(
    countAndTotal,
    'Those of them with a due date before today, in the time zone of the company.',
  ),
  unallocated: object({ total: money }, 'The unallocated money of payments and credit notes.'),
  receivables: object(
    Object.fromEntries(AGES.map(age => [age, money])),
    '`outstanding.total` by the days after the due date, in the time zone of the company. ' +
      '`current` is not yet due or has no due date.',
  ),
});

export const summarySchemas = schemasOf({ Summary });
