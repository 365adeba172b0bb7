// SQL that renders invoices as posting does, to fill a database with millions of them.
import { numberText } from '../../src/invoices/queries.js';
import { jsonObject, timeJson } from '../../src/platform/db/sql.js';

/** Reads the invoices row as i; `items` is SQL for the JSON of its lines. */
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
    ${timeJson('i.created_at')} AS "createdAt"`)}::text`;
}

/** Reads the line's values as l. */
export const lineJson = `${jsonObject(`
  l.name, l.sku,
  trim_scale(l.qty) AS qty,
  trim_scale(l.price) AS price,
  trim_scale(l.amount) AS amount,
  l."itemId"`)}::text`;
