// SQL whose rows violate an invariant of the feed of events. Expired events are not missed: each
// check begins with the oldest event that is retained.

const FEED_ROWS = `
  SELECT f.company_id AS "companyId", f.last_sequence::text AS sequence,
    f.before::text AS "sequenceBefore", (c.next_event_sequence - 1)::text AS newest
  FROM (
    SELECT company_id, first_sequence, last_sequence, stubs,
      lag(last_sequence) OVER feed_rows AS before,
      lead(last_sequence) OVER feed_rows IS NULL AS is_last
    FROM feed
    WINDOW feed_rows AS (PARTITION BY company_id ORDER BY last_sequence)
  ) f
  LEFT JOIN companies c ON c.id = f.company_id
  WHERE c.id IS NULL
    OR f.first_sequence <> f.before + 1
    OR f.is_last AND f.last_sequence <> c.next_event_sequence - 1
    OR json_array_length(f.stubs::json) <> f.last_sequence - f.first_sequence + 1`;

/** SQL for the stubs of events whose type matches, with their sequences. */
export type Stubs = (pattern: string) => string;

export const stubs: Stubs = pattern => `(
    SELECT f.company_id, f.first_sequence + s.position - 1 AS sequence,
      s.stub ->> 0 AS type, s.stub ->> 1 AS subject, s.stub -> 3 AS data
    FROM feed f, jsonb_array_elements(f.stubs::jsonb) WITH ORDINALITY AS s (stub, position)
    WHERE s.stub ->> 0 LIKE '${pattern}'
  )`;

/** The invoices that events announce, and how often. */
export const created = (stubs: Stubs) => `
  SELECT company_id, subject::uuid AS id, count(*) AS count
  FROM ${stubs('invoice.created')} e
  GROUP BY 1, 2`;

/**
 * The entries that events announce, and how often. A refund also changes its payment or credit
 * note, in an event without an entry.
 */
export const entered = (stubs: Stubs) => `
  SELECT company_id, COALESCE(data ->> 'entry', subject)::uuid AS id, count(*) AS count
  FROM (
    SELECT * FROM ${stubs('payment.%')} p
    UNION ALL
    SELECT * FROM ${stubs('credit_note.%')} n
    UNION ALL
    SELECT * FROM ${stubs('refund.%')} r
  ) e
  WHERE data -> 'usage' IS NULL
  GROUP BY 1, 2`;

/** The rows from the first one with an event on that have none or several, or do not exist. */
const onePerRow = (table: string, position: string, events: string, noun: string) => `
  WITH events AS MATERIALIZED (${events}
  ), begun AS (
    SELECT e.company_id, min(row.${position}) AS first
    FROM events e
    JOIN ${table} row ON row.company_id = e.company_id AND row.id = e.id
    GROUP BY 1
  )
  SELECT COALESCE(e.company_id, row.company_id) AS "companyId",
    COALESCE(e.id, row.id) AS "${noun}", COALESCE(e.count, 0)::int AS events
  FROM (
    SELECT t.company_id, t.id
    FROM ${table} t
    JOIN begun b ON b.company_id = t.company_id AND t.${position} >= b.first
  ) row
  FULL JOIN events e ON e.company_id = row.company_id AND e.id = row.id
  WHERE e.count IS DISTINCT FROM 1 OR row.id IS NULL`;

const INVOICE_EVENTS = onePerRow('invoices', 'number', created(stubs), 'invoiceId');
const ENTRY_EVENTS = onePerRow('entries', 'sequence', entered(stubs), 'entryId');

const lastSettlements = (stubs: Stubs) => `
  SELECT e.company_id AS "companyId", e.id AS "invoiceId", e.sequence::text AS sequence
  FROM (
    SELECT DISTINCT ON (company_id, subject) company_id, subject::uuid AS id, sequence, data
    FROM ${stubs('invoice.%')} s
    ORDER BY company_id, subject, sequence DESC
  ) e
  JOIN invoices i ON i.company_id = e.company_id AND i.id = e.id
  WHERE (
      COALESCE(e.data ->> 0, 'open'), COALESCE(e.data ->> 1, '0')::numeric,
      COALESCE(e.data ->> 2, '0')::numeric,
      COALESCE(e.data ->> 3, i.total::text)::numeric, e.data ->> 4
    ) IS DISTINCT FROM (
      i.status, i.paid, i.credited, i.total - i.paid - i.credited, i.settled_on::text
    )`;

/**
 * SQL for the items of an event `stock.changed` and their levels: its data list them in turn. One
 * pass reads all: an undone import changes thousands of items, and each look-up would read them.
 */
export const levels = (data: string) => `LATERAL (
    SELECT max(value) FILTER (WHERE place % 2 = 1)::uuid AS id,
      max(value) FILTER (WHERE place % 2 = 0)::numeric AS level
    FROM jsonb_array_elements_text(${data}) WITH ORDINALITY AS pair (value, place)
    GROUP BY (place - 1) / 2
  ) item`;

const lastLevels = (stubs: Stubs) => `
  SELECT e.company_id AS "companyId", e.id AS "itemId", e.sequence::text AS sequence,
    e.level, i.on_hand AS "onHand"
  FROM (
    SELECT DISTINCT ON (s.company_id, id) s.company_id, s.sequence, id, level
    FROM ${stubs('stock.changed')} s, ${levels('s.data')}
    ORDER BY s.company_id, id, s.sequence DESC
  ) e
  LEFT JOIN items i ON i.company_id = e.company_id AND i.id = e.id
  WHERE i.on_hand IS DISTINCT FROM e.level`;

const lastRecords = (stubs: Stubs) => `
  SELECT e.company_id AS "companyId", e.id AS "customerId", e.sequence::text AS sequence
  FROM (
    SELECT DISTINCT ON (company_id, subject) company_id, subject::uuid AS id, sequence, type, data
    FROM ${stubs('customer.%')} s
    ORDER BY company_id, subject, sequence DESC
  ) e
  LEFT JOIN (
    SELECT DISTINCT ON (company_id, customer_id) company_id, customer_id, version, body
    FROM customer_versions
    ORDER BY company_id, customer_id, version DESC
  ) last ON last.company_id = e.company_id AND last.customer_id = e.id
  WHERE CASE WHEN e.type = 'customer.deleted'
    THEN last.version IS NULL OR last.body IS NOT NULL
    ELSE last.version IS DISTINCT FROM (e.data ->> 0)::int OR last.body IS NULL
  END`;

/** The invoice exists, and is in the feed once if it is. */
const OVERDUE_EVENTS = `
  SELECT o.company_id AS "companyId", o.invoice_id AS "invoiceId", count(e.sequence)::int AS events
  FROM overdue_invoices o
  LEFT JOIN invoices i ON i.company_id = o.company_id AND i.id = o.invoice_id
  LEFT JOIN ${stubs('invoice.overdue')} e
    ON e.company_id = o.company_id AND e.subject = o.invoice_id::text
  GROUP BY o.company_id, o.invoice_id, i.id
  HAVING i.id IS NULL OR count(e.sequence) > 1
  UNION ALL
  SELECT e.company_id, e.subject::uuid, 1
  FROM ${stubs('invoice.overdue')} e
  WHERE NOT EXISTS (
    SELECT
    FROM overdue_invoices o
    WHERE o.company_id = e.company_id AND o.invoice_id = e.subject::uuid
  )`;

export const JOINED = 'the rows of a feed join without a gap up to the counter';
export const INVOICES_ONCE = 'each invoice since the feed began has its event once';
export const ENTRIES_ONCE = 'each entry since the feed began has its event once';

/** The checks of the last events of records, and of items, against what is stored. */
export const lastEventChecks = (stubs: Stubs, stockStubs = stubs) => [
  { name: "an invoice's last event has its settlement", sql: lastSettlements(stubs) },
  { name: "an item's last level in the feed is its stock on hand", sql: lastLevels(stockStubs) },
  { name: "a customer's last event has the last version", sql: lastRecords(stubs) },
];

export const FEED_CHECKS = [
  { name: JOINED, sql: FEED_ROWS },
  { name: INVOICES_ONCE, sql: INVOICE_EVENTS },
  { name: ENTRIES_ONCE, sql: ENTRY_EVENTS },
  ...lastEventChecks(stubs),
  { name: 'each overdue invoice is announced once', sql: OVERDUE_EVENTS },
];
