// Query parameters of the lists of payments, refunds and credit notes.
import Joi from 'joi';
import { onOff } from '../platform/http/input/query.js';
import { uuid } from '../platform/http/input/uuid.js';
import { calendarDate, cursor, pageSize, text } from '../platform/http/input/validate.js';

/** The largest page of entries. */
export const MAX_ENTRIES = 200;

export interface EntryQuery {
  readonly limit: number;
  readonly cursor?: string;
  readonly from?: string;
  readonly to?: string;
  readonly customerName?: string;
  readonly customerId?: string;
  readonly invoiceId?: string;
  readonly externalId?: string;
  readonly unallocated?: boolean;
}

const common = (name: string, ofInvoice: string) => ({
  limit: pageSize(50, MAX_ENTRIES).description(`${name} per page.`),
  cursor: cursor(),
  from: calendarDate().description(`${name} dated on or after this day.`),
  to: calendarDate().description(`${name} dated on or before this day.`),
  customerName: text(255).description("The customer's full name, ignoring case and spacing."),
  customerId: uuid().description(
    `Id of a customer's record: ${name.toLowerCase()} with any of its names. Empty without such ` +
      'a record.',
  ),
  invoiceId: uuid().description(ofInvoice),
});

export const paymentQuery = Joi.object({
  ...common('Payments', 'Payments of this invoice, reversed ones too.'),
  externalId: text(100).description('Exact external id.'),
  unallocated: onOff().description('`1` or `true` lists only payments with unallocated money.'),
});

export const refundQuery = Joi.object(
  common('Refunds', 'Refunds of payments and credit notes of this invoice.'),
);

export const creditNoteQuery = Joi.object({
  ...common('Credit notes', 'Credit notes of this invoice.'),
  unallocated: onOff().description('`1` or `true` lists only credit notes with unallocated money.'),
});
