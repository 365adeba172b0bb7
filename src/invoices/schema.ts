// What POST /invoices and GET /invoices take.
import Joi from 'joi';
import { calendarDate, decimal, MAX_ITEMS, optional, pageSize, text } from '../platform/http/validate.js';

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

/** The smallest quantity that 4 decimals can say: "greater than zero". */
const MIN_QTY = 0.0001;
const MAX_QTY = 1_000_000;
const MAX_PRICE = 999_999_999.9999;

export const invoiceRequest = Joi.object({
  customerName: text(255).required(),
  date: calendarDate().required(),
  items: Joi.array()
    .items(
      Joi.object({
        name: text(255).required(),
        qty: decimal(MIN_QTY, MAX_QTY).required(),
        price: decimal(0, MAX_PRICE).required(),
        sku: optional(text(64)),
      }),
    )
    .min(1)
    .max(MAX_ITEMS)
    .required(),
  reference: optional(text(100)),
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

export const invoiceQuery = Joi.object({
  limit: pageSize(50, 200),
  cursor: Joi.string()
    .max(1000)
    .meta({ schema: { type: 'string' } }),
  from: calendarDate(),
  to: calendarDate(),
  customerName: text(255),
  reference: text(100),
  number: text(40),
});
