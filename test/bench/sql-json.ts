// SQL that renders invoices as posting does, to fill a database with millions of them.
import { numberText } from '../../src/invoices/queries.js';
import { jsonObject, timeJson } from '../../src/platform/db/sql.js';

/** Reads the invoices row as i, without tax; `items` is SQL for the JSON of its lines. */
export function invoiceJson(items: string): string {
  return `${jsonObject(`
    i.id,
    ${numberText} AS number,
    i.status,
    i.customer_name AS "customerName",
    i.date,
    trim(i.currency) AS currency,
    ${items} AS items,
    trim_scale(i.total) AS total,
    i.reference,
    ${timeJson('i.created_at')} AS "createdAt",
    NULL AS "dueDate", NULL AS "orderReference", NULL AS "deliveryDate",
    NULL AS note, NULL AS discount,
    trim_scale(i.total) AS subtotal,
    0 AS "taxTotal",
    '[]'::json AS taxes,
    trim_scale(i.paid) AS "amountPaid",
    trim_scale(i.credited) AS "amountCredited",
    trim_scale(i.total - i.paid - i.credited) AS "amountDue",
    i.settled_on AS "settledOn"`)}::text`;
}

/** Reads the line's values as l. */
export const lineJson = `${jsonObject(`
  l.name, l.sku,
  trim_scale(l.qty) AS qty,
  trim_scale(l.price) AS price,
  trim_scale(l.amount) AS amount,
  l."itemId"`)}::text`;

/** Reads the payment as i, with the number of its only invoice and what it gave to that. */
export const paymentJson = `${jsonObject(`
  i.id,
  trim_scale(i.amount) AS amount,
  i.date,
  i.currency,
  i.customer_name AS "customerName",
  i.method,
  NULL AS reference, NULL AS "externalId", NULL AS note,
  'recorded' AS status,
  json_build_array(${jsonObject(`
    i.invoice_id AS "invoiceId",
    ${numberText} AS "invoiceNumber",
    trim_scale(i.paid) AS amount`)}) AS allocations,
  0 AS refunded,
  trim_scale(i.unallocated) AS unallocated,
  ${timeJson('i.created_at')} AS "createdAt"`)}::text`;
