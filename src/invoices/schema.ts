// What POST /invoices and GET /invoices take.
import Joi from 'joi';
import {
  calendarDate,
  cursor,
  decimal,
  MAX_ITEMS,
  optional,
  pageSize,
  positiveDecimal,
  text,
} from '../platform/http/validate.js';

export interface InvoiceLineRequest {
  readonly name: string;
  readonly qty: number;
  readonly price: number;
  readonly sku?: string;
}

export interface InvoiceRequest {
  readonly customerName: string;
  readonly date: string;
  readonly items: readonly InvoiceLineRequest[];
  readonly reference?: string;
}

export const MAX_QTY = 1_000_000;
export const MAX_PRICE = 999_999_999.9999;

export const invoiceRequest = Joi.object({
  customerName: text(255)
    .required()
    .description('Who is invoiced. Trimmed, and normalised to Unicode NFC.'),
  date: calendarDate().required().description('The invoice date.'),
  items: Joi.array()
    .items(
      Joi.object({
        name: text(255)
          .required()
          .description(
            'What is sold. Without `sku` it also names the stock item to take from, whatever its case and spacing; where no stock item has this name the line moves no stock (a service, say).',
          ),
        qty: positiveDecimal(MAX_QTY).required().description('How much is sold, above zero.'),
        price: decimal(0, MAX_PRICE).required().description('Net price of one unit.'),
        sku: optional(text(64)).description(
          'The stock item to take from, in place of the name. It must exist.',
        ),
      }),
    )
    .min(1)
    .max(MAX_ITEMS)
    .required()
    .description('The lines, in the order they are to stand.'),
  reference: optional(text(100)).description(
    'Your own number for this invoice. The list can be filtered by it.',
  ),
}).required();

export interface InvoiceQuery {
  readonly limit: number;
  readonly cursor?: string;
  readonly from?: string;
  readonly to?: string;
  readonly customerName?: string;
  readonly reference?: string;
  readonly number?: string;
}

/** Invoices on a page at most. */
export const MAX_PAGE = 200;

export const invoiceQuery = Joi.object({
  limit: pageSize(50, MAX_PAGE).description('Invoices on a page.'),
  cursor: cursor().description('Where the page starts: from the `Link` header of the page before.'),
  from: calendarDate().description('Invoices dated on or after this day.'),
  to: calendarDate().description('Invoices dated on or before this day.'),
  customerName: text(255).description("The customer's whole name, whatever its case and spacing."),
  reference: text(100).description('The reference given at creation, exactly.'),
  number: text(40).description('The invoice number, exactly.'),
});
