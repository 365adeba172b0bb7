// SQL whose rows are the rollups and summaries that violate an invariant.
import { numberMemberSql } from '../platform/values/json-text.js';
import { summaryJson } from '../summary/summary-json.js';
import { isAboveZero } from '../summary/tops.js';
import { decimalsOf } from './invoice-offenders.js';
import { unequalSums } from './sums.js';

/** The invoices, entries and allocations that the rollups contain. */
const FOLDED_INVOICES = `invoices i
    JOIN summaries s ON s.company_id = i.company_id AND i.number <= s.watermark`;
const FOLDED_ENTRIES = `entries e
    JOIN summaries s ON s.company_id = e.company_id AND e.sequence <= s.entry_sequence`;
const FOLDED_ALLOCATIONS = `allocations a
    JOIN summaries s ON s.company_id = a.company_id AND a.sequence <= s.entry_sequence`;
/** The credit notes that the rollups contain, with the invoices that they credit. */
const FOLDED_CREDITS = `entries e
    JOIN summaries s ON s.company_id = e.company_id AND e.sequence <= s.credit_sequence
      AND e.type = 'creditNote'`;
const CREDITED_INVOICE = 'invoices i ON i.company_id = e.company_id AND i.id = e.invoice_id';
const monthOf = (row: string) => `date_trunc('month', ${row}.date)::date AS month`;

export const ITEM_ROLLUP = unequalSums({
  key: { company_id: 'uuid', item_key: 'text', month: 'date' },
  figures: ['qty', 'total'],
  stored: 'SELECT company_id, month, item_key, qty, total FROM item_totals',
  recounted: `
    SELECT i.company_id, ${monthOf('i')}, l.item_key, l.qty, l.amount AS total
    FROM ${FOLDED_INVOICES}
    JOIN invoice_lines l ON l.company_id = i.company_id AND l.invoice_id = i.id
    UNION ALL
    SELECT e.company_id, ${monthOf('e')},
      COALESCE(
        credited.item_id::text,
        'name:' || (i.name_keys ->> (credited.line - 1))
      ) COLLATE "C",
      -COALESCE(credited.qty, 0), -credited.amount
    FROM ${FOLDED_CREDITS}
    JOIN ${CREDITED_INVOICE}
    JOIN credit_note_lines credited
      ON credited.company_id = e.company_id AND credited.credit_note_id = e.id`,
  offender: `
    company_id AS "companyId", month::text, item_key AS "itemKey",
    stored_qty AS qty, recounted_qty AS recounted,
    stored_total AS total, recounted_total AS "recountedTotal"`,
});

export const CUSTOMER_ROLLUP = unequalSums({
  key: { company_id: 'uuid', customer_key: 'text', month: 'date' },
  figures: ['count', 'total'],
  stored: 'SELECT company_id, month, customer_key, count, total FROM customer_totals',
  recounted: `
    SELECT i.company_id, ${monthOf('i')}, i.customer_key, 1 AS count, i.total
    FROM ${FOLDED_INVOICES}
    UNION ALL
    SELECT e.company_id, ${monthOf('e')}, e.customer_key, 0, -e.amount
    FROM ${FOLDED_CREDITS}`,
  offender: `
    company_id AS "companyId", month::text, customer_key AS "customerKey",
    stored_count AS count, recounted_count AS recounted,
    stored_total AS total, recounted_total AS "recountedTotal"`,
});

const TAX = `COALESCE(${numberMemberSql('i.body', 'taxTotal')}::numeric, 0)`;

export const DAILY_ROLLUP = unequalSums({
  key: { company_id: 'uuid', date: 'date' },
  figures: ['count', 'total', 'tax'],
  stored: 'SELECT company_id, date, count, total, tax FROM daily_totals',
  recounted: `
    SELECT i.company_id, i.date, 1 AS count, i.total, ${TAX} AS tax
    FROM ${FOLDED_INVOICES}`,
  offender: `
    company_id AS "companyId", date::text,
    stored_count AS count, recounted_count AS recounted,
    stored_total AS total, recounted_total AS "recountedTotal",
    stored_tax AS tax, recounted_tax AS "recountedTax"`,
});

export const ENTRY_ROLLUP = unequalSums({
  key: { company_id: 'uuid', date: 'date', type: 'text' },
  figures: ['count', 'total', 'tax'],
  stored: 'SELECT company_id, date, type, count, total, tax FROM entry_totals',
  recounted: `
    SELECT e.company_id, e.date, e.type, 1 AS count, e.amount AS total,
      COALESCE(e.tax_total, 0) AS tax
    FROM ${FOLDED_ENTRIES}
    WHERE e.type <> 'allocation'
    UNION ALL
    SELECT e.company_id, e.date, 'void', 1, e.amount, e.tax_total
    FROM ${FOLDED_CREDITS}
    JOIN ${CREDITED_INVOICE} AND i.status = 'void'`,
  offender: `
    company_id AS "companyId", date::text, type,
    stored_count AS count, recounted_count AS recounted,
    stored_total AS total, recounted_total AS "recountedTotal",
    stored_tax AS tax, recounted_tax AS "recountedTax"`,
});

const TAX_GROUPS = `LATERAL json_to_recordset(body::json -> 'taxes')
      AS tax (category text, rate numeric, base numeric, amount numeric)`;
/** The taxes of documents with a month, a type and a subtotal; one row for documents without. */
const recountedTaxes = (documents: string) => `
    SELECT company_id, month, type, COALESCE(tax.category, 'none') AS category,
      trim_scale(COALESCE(tax.rate, 0))::text AS rate,
      COALESCE(tax.base, subtotal) AS net, COALESCE(tax.amount, 0) AS tax
    FROM (${documents}) document
    LEFT JOIN ${TAX_GROUPS} ON true`;

export const TAX_ROLLUP = unequalSums({
  key: { company_id: 'uuid', month: 'date', type: 'text', category: 'text', rate: 'text' },
  figures: ['net', 'tax'],
  stored: `
    SELECT company_id, month, type, category, trim_scale(rate)::text AS rate, net, tax
    FROM tax_totals`,
  recounted: `
    ${recountedTaxes(`
      SELECT i.company_id, ${monthOf('i')}, 'invoice' AS type, i.body, i.total - ${TAX} AS subtotal
      FROM invoices i
      JOIN tax_progress p ON p.company_id = i.company_id AND i.number <= p.watermark`)}
    UNION ALL
    ${recountedTaxes(`
      SELECT e.company_id, ${monthOf('e')}, 'creditNote' AS type,
        e.body, e.subtotal
      FROM entries e
      JOIN tax_progress p ON p.company_id = e.company_id AND e.sequence <= p.entry_sequence
      WHERE e.type = 'creditNote'`)}`,
  offender: `
    company_id AS "companyId", month::text, type, category, rate,
    stored_net AS net, recounted_net AS recounted,
    stored_tax AS tax, recounted_tax AS "recountedTax"`,
});

/** The due date as text: 'infinity' has no number of days. */
export const DUE_ROLLUP = unequalSums({
  key: { company_id: 'uuid', due_date: 'text' },
  figures: ['count', 'total'],
  stored: 'SELECT company_id, due_date::text, count, total FROM due_totals',
  recounted: `
    SELECT company_id, COALESCE(due_date::text, 'infinity') AS due_date, 1 AS count, due AS total
    FROM (
      SELECT i.company_id, i.due_date, i.total - COALESCE(given.amount, 0) AS due
      FROM ${FOLDED_INVOICES}
      LEFT JOIN (
        SELECT a.company_id, a.invoice_id, sum(a.amount) AS amount
        FROM ${FOLDED_ALLOCATIONS}
        GROUP BY a.company_id, a.invoice_id
      ) given ON given.company_id = i.company_id AND given.invoice_id = i.id
    ) invoice
    WHERE due > 0`,
  offender: `
    company_id AS "companyId", due_date AS "dueDate",
    stored_count AS count, recounted_count AS recounted,
    stored_total AS total, recounted_total AS "recountedTotal"`,
});

export const UNALLOCATED = unequalSums({
  key: { company_id: 'uuid' },
  figures: ['unallocated'],
  stored: 'SELECT company_id, unallocated FROM summaries',
  recounted: `
    SELECT e.company_id,
      CASE WHEN e.source_id IS NULL THEN e.amount ELSE -e.amount END AS unallocated
    FROM ${FOLDED_ENTRIES}
    WHERE e.type <> 'allocation'
    UNION ALL
    SELECT a.company_id, -a.amount
    FROM ${FOLDED_ALLOCATIONS}`,
  offender: `
    company_id AS "companyId", stored_unallocated AS unallocated,
    recounted_unallocated AS recounted`,
});

/** The keys with the largest totals, and the stored ones; an earlier release stored zeros too. */
const tops = (rollup: string, key: string, count: string, top: string) => `
    SELECT company_id, month, stored.keys AS stored, largest.keys AS largest
    FROM (
      SELECT company_id, month, (array_agg(${key} ORDER BY total DESC, ${key}))[1:5] AS keys
      FROM ${rollup} r
      WHERE ${isAboveZero('r', count)}
      GROUP BY company_id, month
    ) largest
    FULL JOIN (
      SELECT t.company_id, t.month, array_agg(top.key ORDER BY top.place) AS keys
      FROM monthly_tops t
      CROSS JOIN unnest(t.${top}) WITH ORDINALITY AS top (key, place)
      LEFT JOIN ${rollup} r
        ON r.company_id = t.company_id AND r.month = t.month AND r.${key} = top.key
      WHERE r.company_id IS NULL OR ${isAboveZero('r', count)}
      GROUP BY t.company_id, t.month
    ) stored USING (company_id, month)`;

export const MONTHLY_TOPS = `
  SELECT company_id AS "companyId", month::text, list, stored, largest
  FROM (
    SELECT 'customers' AS list, customer.*
    FROM (${tops('customer_totals', 'customer_key', 'count', 'customers')}) customer
    UNION ALL
    SELECT 'items', item.*
    FROM (${tops('item_totals', 'item_key', 'qty', 'items')}) item
  ) top
  WHERE stored IS DISTINCT FROM largest`;

const RECOUNTED_SUMMARY = summaryJson({
  company: 's.company_id',
  currency: 's.currency',
  timeZone: 's.time_zone',
  decimals: decimalsOf('s.currency'),
  instant: 's.computed_at',
  unallocated: 's.unallocated',
});

/**
 * Compares the figures that the stored summary has: one that a later release adds is missing until
 * the summary is refreshed.
 */
export const FRESH_SUMMARIES = `
  SELECT s.company_id AS "companyId", stored.key AS figure,
    stored.value AS says, recounted.value AS recounted
  FROM summaries s
  JOIN companies c ON c.id = s.company_id
    AND s.watermark = c.next_invoice_number - 1
    AND s.entry_sequence = c.next_entry_sequence - 1
    AND s.credit_sequence = c.next_entry_sequence - 1
    AND s.stock_version = c.stock_version,
  LATERAL (SELECT ${RECOUNTED_SUMMARY}::jsonb AS body OFFSET 0) fresh,
  LATERAL jsonb_each(s.body::jsonb) stored
  LEFT JOIN LATERAL jsonb_each(fresh.body) recounted ON recounted.key = stored.key
  WHERE stored.value IS DISTINCT FROM recounted.value
  UNION ALL
  SELECT company_id, 'day', to_jsonb(day), to_jsonb((computed_at AT TIME ZONE time_zone)::date)
  FROM summaries
  WHERE day <> (computed_at AT TIME ZONE time_zone)::date`;
