// Query parameters of the lists of payments, refunds and credit notes.
import { recordFilters } from '../api/list-filters.js';
import { onOff } from '../platform/http/input/query.js';
import { object, type ValueOf } from '../platform/http/input/typed-schema.js';
import { findsId, uuid } from '../platform/http/input/uuid.js';
import { calendarDate, codeText, cursor, pageSize } from '../platform/http/input/validate.js';

/** The largest page of entries. */
export const MAX_ENTRIES = 200;

const common = (name: string, texts: string, ofInvoice: string) => ({
  limit: pageSize(50, MAX_ENTRIES).description(`${name} per page.`),
  cursor: cursor(),
  from: calendarDate().description(`${name} dated on or after this day.`),
  to: calendarDate().description(`${name} dated on or before this day.`),
  customerName: codeText(255).description("The customer's full name, ignoring case and spacing."),
  customerId: uuid(findsId('customers?number')).description(
    `Id of a customer's record: ${name.toLowerCase()} with any of its names. Empty without such ` +
      'a record.',
  ),
  invoiceId: uuid(findsId('invoices?number')).description(ofInvoice),
  reference: codeText(100).description('Full reference, ignoring case and spacing.'),
  ...recordFilters(
    name,
    `the customer, ${texts}, and the number, phone number, contact and cities of the customer's ` +
      'record',
  ),
});

const MONEY_TEXTS = 'the reference, the external id, the numbers of its invoices';

export const paymentQuery = object({
  ...common('Payments', MONEY_TEXTS, 'Payments of this invoice, reversed ones too.'),
  externalId: codeText(100).description('Exact external id.'),
  unallocated: onOff().description('`1` or `true` lists only payments with unallocated money.'),
});

export const refundQuery = object(
  common(
    'Refunds',
    'the reference, the external id',
    'Refunds of payments and credit notes of this invoice.',
  ),
);

export const creditNoteQuery = object({
  ...common(
    'Credit notes',
    'its number and that of its invoice, the reference, the names and SKUs of the lines',
    'Credit notes of this invoice.',
  ),
  number: codeText(40).description('Full number of the credit note, ignoring case.'),
  unallocated: onOff().description('`1` or `true` lists only credit notes with unallocated money.'),
});

/** The query of any of these lists. */
export type EntryQuery = ValueOf<typeof paymentQuery> &
  Pick<ValueOf<typeof creditNoteQuery>, 'number'>;
