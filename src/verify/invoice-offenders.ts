// SQL whose rows are the invoices and lines that violate an invariant.
import { MINOR_UNITS } from '../platform/values/money.js';
import { unequalSums } from './sums.js';

/** The sentences of the invariants that `invoiceContents` checks. */
export interface InvoiceContents {
  readonly total: string;
  readonly amount: string;
}

/** SQL for a currency's decimal places. */
export function placesOf(currency: string): string {
  const cases = [...MINOR_UNITS].map(([code, digits]) => `WHEN '${code}' THEN ${digits}`);
  return `CASE trim(${currency}) ${cases.join(' ')} ELSE 2 END`;
}

const sqlText = (text: string) => `'${text.replaceAll("'", "''")}'`;

/**
 * OFFSET 0 makes each comparison run once instead of once per invariant, and the MATERIALIZED terms
 * compute a currency's decimal places once per company instead of once per line.
 */
export const invoiceContents = ({ total, amount }: InvoiceContents) => `
  WITH terms AS MATERIALIZED (
    SELECT id, ${placesOf('currency')} AS places
    FROM companies
  )
  SELECT checked.violation,
    invoice.company_id AS "companyId",
    invoice.id AS "invoiceId",
    invoice.total,
    invoice.sum AS "sumOfLines",
    invoice.wrong AS position
  FROM (
    SELECT i.company_id, i.id, i.total, lines.sum, lines.wrong,
      lines.sum IS DISTINCT FROM i.total AS bad_total
    FROM invoices i
    JOIN terms t ON t.id = i.company_id,
    LATERAL (
      SELECT sum(amount) AS sum,
        min(position) FILTER (WHERE amount <> round(qty * price, t.places)) AS wrong
      FROM invoice_lines
      WHERE company_id = i.company_id AND invoice_id = i.id
    ) lines
    OFFSET 0
  ) invoice,
  LATERAL (
    VALUES
      (${sqlText(total)}, invoice.bad_total),
      (${sqlText(amount)}, invoice.wrong IS NOT NULL)
  ) checked (violation, is_violated)
  WHERE (invoice.bad_total OR invoice.wrong IS NOT NULL)
    AND checked.is_violated`;

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

/** A line without an item needs the folded name that its figures are grouped by. */
export const LINE_KEYS = `
  SELECT company_id AS "companyId", invoice_id AS "invoiceId", position
  FROM invoice_lines
  WHERE item_key IS NULL`;

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

export const INVOICE_CURRENCIES = `
  SELECT i.company_id AS "companyId", i.id AS "invoiceId",
    i.currency, c.currency AS "companyCurrency"
  FROM invoices i
  JOIN companies c ON c.id = i.company_id
  WHERE i.currency <> c.currency`;
