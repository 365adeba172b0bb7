// SQL whose rows are the watermarks and positions that are ahead of what they count. What reads
// only later rows would then leave rows out.

interface Watermark {
  readonly table: string;
  readonly column: string;
  /** SQL for the last value it can have, of the company c. */
  readonly last: string;
}

const NUMBER = 'c.next_invoice_number - 1';
const SEQUENCE = 'c.next_entry_sequence - 1';
const EVENT = 'c.next_event_sequence - 1';

const WATERMARKS: readonly Watermark[] = [
  { table: 'summaries', column: 'watermark', last: NUMBER },
  { table: 'summaries', column: 'entry_sequence', last: SEQUENCE },
  { table: 'summaries', column: 'credit_sequence', last: SEQUENCE },
  { table: 'summaries', column: 'stock_version', last: 'c.stock_version' },
  { table: 'summaries', column: 'texts_number', last: NUMBER },
  { table: 'summaries', column: 'texts_sequence', last: SEQUENCE },
  { table: 'tax_progress', column: 'watermark', last: NUMBER },
  { table: 'tax_progress', column: 'entry_sequence', last: SEQUENCE },
  { table: 'receivable_progress', column: 'watermark', last: NUMBER },
  { table: 'receivable_progress', column: 'entry_sequence', last: SEQUENCE },
  { table: 'overdue_progress', column: 'invoice_number', last: NUMBER },
  { table: 'overdue_progress', column: 'entry_sequence', last: SEQUENCE },
  { table: 'audits', column: 'number', last: NUMBER },
  { table: 'audits', column: 'entry_sequence', last: SEQUENCE },
  { table: 'audits', column: 'credit_sequence', last: SEQUENCE },
  { table: 'audits', column: 'event_sequence', last: EVENT },
  { table: 'audits', column: 'announced_number', last: NUMBER },
  { table: 'audits', column: 'announced_entry', last: SEQUENCE },
  { table: 'audits', column: 'stock_version', last: 'c.stock_version' },
  { table: 'adjustments', column: 'stock_version', last: 'c.stock_version' },
  // Of the next invoice on.
  { table: 'item_keys', column: 'matches_from', last: 'c.next_invoice_number' },
  { table: 'item_keys', column: 'matches_until', last: 'c.next_invoice_number' },
];

const ahead = ({ table, column, last }: Watermark) => `
  SELECT c.id AS "companyId", '${table}.${column}' AS watermark,
    max(w.${column})::text AS value, (${last})::text AS last
  FROM ${table} w
  JOIN companies c ON c.id = w.company_id
  WHERE w.${column} > ${last}
  GROUP BY c.id`;

/** The last movements that the audit has checked, by the column that names their source. */
const AUDITED = { sale_id: 'invoice_id', adjustment_id: 'adjustment_id' };

const aheadOfMovements = Object.entries(AUDITED).map(
  ([column, source]) => `
  SELECT a.company_id, 'audits.${column}', a.${column}::text, last.id::text
  FROM audits a
  LEFT JOIN (
    SELECT company_id, max(id) AS id
    FROM movements
    WHERE ${source} IS NOT NULL
    GROUP BY company_id
  ) last ON last.company_id = a.company_id
  WHERE a.${column} > COALESCE(last.id, 0)`,
);

/** The next version of a record must be later than all before it. */
const BEHIND_VERSIONS = `
  SELECT c.id, 'companies.customers_changed_at', c.customers_changed_at::text, v.last::text
  FROM companies c
  JOIN (
    SELECT company_id, max(valid_from) AS last
    FROM customer_versions
    GROUP BY company_id
  ) v ON v.company_id = c.id
  WHERE c.customers_changed_at < v.last`;

export const AHEAD = [...WATERMARKS.map(ahead), ...aheadOfMovements, BEHIND_VERSIONS].join(
  '\n  UNION ALL',
);
