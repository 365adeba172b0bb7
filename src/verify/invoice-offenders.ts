// SQL whose rows are the invoices that violate an invariant between rows. The invariants of a
// single invoice are in invoice-contents.ts.
import { MINOR_UNITS } from '../platform/values/money.js';
import { unequalSums } from './sums.js';

/** SQL for a currency's decimals. */
export function decimalsOf(currency: string): string {
  const cases = [...MINOR_UNITS].map(([code, digits]) => `WHEN '${code}' THEN ${digits}`);
  return `CASE trim(${currency}) ${cases.join(' ')} ELSE 2 END`;
}

export const INVOICE_MOVEMENTS = unequalSums({
  key: { company_id: 'uuid', invoice_id: 'uuid', item_id: 'uuid' },
  figures: ['qty'],
  stored: `
    SELECT company_id, invoice_id, item_id, -delta AS qty
    FROM movements
    WHERE invoice_id IS NOT NULL`,
  recounted: `
    SELECT company_id, invoice_id, item_id, qty
    FROM invoice_lines
    WHERE item_id IS NOT NULL`,
  offender: `
    company_id AS "companyId", invoice_id AS "invoiceId", item_id AS "itemId",
    recounted_qty AS "ofLines", stored_qty AS "ofMovements"`,
});

export const INVOICE_NUMBERS = `
  SELECT c.id AS "companyId",
    c.next_invoice_number - 1 AS counter,
    count(i.number) AS invoices,
    max(i.number) AS "lastNumber"
  FROM companies c
  LEFT JOIN invoices i ON i.company_id = c.id
  GROUP BY c.id
  HAVING count(DISTINCT i.number) <> count(i.number)
    OR count(i.number) <> c.next_invoice_number - 1
    OR COALESCE(max(i.number), 0) <> c.next_invoice_number - 1`;
