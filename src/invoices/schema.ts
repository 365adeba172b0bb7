// Request schemas of POST /invoices and GET /invoices.
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
} from '../platform/http/input/validate.js';

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
    .description('Name of the customer. Trimmed and normalised to Unicode NFC.'),
  date: calendarDate().required().description('The invoice date.'),
  items: Joi.array()
    .items(
      Joi.object({
        name: text(255)
          .required()
          .description(
            'Product or service. Without `sku`, reduces the stock of the item with this name, ' +
              'ignoring case and spacing. If no item has this name, the line moves no stock.',
          ),
        qty: positiveDecimal(MAX_QTY).required().description('Quantity, greater than zero.'),
        price: decimal(0, MAX_PRICE).required().description('Price of one unit, excluding tax.'),
        sku: optional(text(64)).description(
          'Stock-keeping unit of the item whose stock is reduced, instead of the name. Must ' +
            'exist. The line keeps its `name`, which may differ from that of the item.',
        ),
      }),
    )
    .min(1)
    .max(MAX_ITEMS)
    .required()
    .description('The lines, in the order they appear on the invoice.'),
  reference: optional(text(100)).description(
    'Your own reference for this invoice. The list can be filtered by it.',
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

/** The largest page of invoices. */
export const MAX_PAGE = 200;

export const invoiceQuery = Joi.object({
  limit: pageSize(50, MAX_PAGE).description('Invoices per page.'),
  cursor: cursor().description(
    'Start of the page, taken from the `Link` header of the previous page.',
  ),
  from: calendarDate().description('Invoices dated on or after this day.'),
  to: calendarDate().description('Invoices dated on or before this day.'),
  customerName: text(255).description("The customer's full name, ignoring case and spacing."),
  reference: text(100).description('Exact reference.'),
  number: text(40).description('Exact invoice number.'),
});
