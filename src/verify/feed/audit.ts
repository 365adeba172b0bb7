// The audit of new events: that they join, that each new invoice and entry has one, and that the
// last ones show what is stored.

import { EVENTS_PER_ROW } from '../../feed/append.js';
import type { Transaction } from '../../platform/db/connection.js';
import {
  arraysOf,
  type Columns,
  type RowChange,
  unnest,
  updateRows,
} from '../../platform/db/rows.js';
import { lookUpOne } from '../../platform/db/sql.js';
import {
  COMPANY_KEY,
  inRange,
  isFilled,
  lockProgress,
  RANGE,
  type RowRange,
  stepRanges,
} from '../../rollups/progress.js';
import { offendersOf } from '../new-rows.js';
import { type Finding, findViolations, type StepResult } from '../step.js';
import {
  created,
  ENTRIES_ONCE,
  entered,
  INVOICES_ONCE,
  JOINED,
  lastEventChecks,
  levels,
  type Stubs,
  stubs,
} from './offenders.js';

/** New events of all companies per step. At least one row of the feed fits. */
const EVENTS_MAX = 5_000n;
/** New events of a company whose stock levels are compared. Each item in them costs a look-up. */
const STOCK_EVENTS_MAX = 10;

/** The last event that is audited, and the last invoice and entry that audited events announce. */
interface Reached {
  readonly companyId: string;
  readonly done: string;
  readonly invoice: string;
  readonly entry: string;
}

interface Progress extends Reached {
  /** The company's last event. */
  readonly last: string;
}

const PROGRESS = `
  p.event_sequence AS done, c.next_event_sequence - 1 AS last,
  p.announced_number AS invoice, p.announced_entry AS entry`;

type NewEvents = RowRange & Pick<Reached, 'invoice' | 'entry'>;

const NEW_EVENTS: Columns<NewEvents> = {
  ...RANGE,
  invoice: ['bigint', ({ invoice }) => invoice],
  entry: ['bigint', ({ entry }) => entry],
};

/**
 * Audits a bounded number of new events of the companies that no other process audits, and advances
 * their progress.
 */
export async function checkFeed(
  companyIds: readonly string[],
  tx: Transaction,
): Promise<StepResult> {
  const progress = await lockProgress<Progress>('audits', PROGRESS, companyIds, 'SKIP LOCKED', tx);
  const ranges = stepRanges(progress, EVENTS_MAX);
  const filled = progress.flatMap(({ invoice, entry }, index) => {
    const range = ranges[index];
    return range && isFilled(range) ? [{ ...range, invoice, entry }] : [];
  });
  if (filled.length === 0) return { found: [], left: [] };
  const bind = arraysOf(NEW_EVENTS, filled);
  const { rows, found } = await findViolations<Finding & Reached>(CHECK_EVENTS, bind, tx);
  const reached = rows.filter(({ violation }) => violation === null);
  await updateRows('audits', ADVANCE, reached, tx);
  const done = new Map(reached.map(row => [row.companyId, BigInt(row.done)]));
  const left = progress.filter(
    each => (done.get(each.companyId) ?? BigInt(each.done)) < BigInt(each.last),
  );
  return { found, left: left.map(({ companyId }) => companyId) };
}

const ADVANCE: RowChange<Reached> = {
  key: COMPANY_KEY,
  set: {
    event_sequence: ['bigint', ({ done }) => done],
    announced_number: ['bigint', ({ invoice }) => invoice],
    announced_entry: ['bigint', ({ entry }) => entry],
  },
};

/** The stubs of the new events. */
const newStubs: Stubs = pattern => `(SELECT * FROM events WHERE type LIKE '${pattern}')`;

/** The newest of them by company. No later event has their items. */
const newestStubs: Stubs = pattern => `(
    SELECT *
    FROM (
      SELECT e.*, row_number() OVER (PARTITION BY company_id ORDER BY sequence DESC) AS age
      FROM ${newStubs(pattern)} e
    ) e
    WHERE age <= ${STOCK_EVENTS_MAX}
  )`;

/** SQL: the range r is not at the end of the feed, and lacks the row for which it has room. */
const LACKS_ROW = `c.company_id IS NULL AND e.sequence IS NULL
    AND r.up_to - r.above >= ${EVENTS_PER_ROW}`;

/** Rows that do not follow the one before, and ranges that lack their row or their end. */
const GAPS = `
  SELECT company_id AS "companyId", last_sequence::text AS sequence,
    before::text AS "sequenceBefore"
  FROM (
    SELECT f.*, COALESCE(lag(f.last_sequence) OVER feed_rows, r.above) AS before
    FROM feed f
    JOIN ranges r ON r.company_id = f.company_id
    WINDOW feed_rows AS (PARTITION BY f.company_id ORDER BY f.last_sequence)
  ) f
  WHERE first_sequence <> before + 1
    OR jsonb_array_length(stubs) <> last_sequence - first_sequence + 1
  UNION ALL
  SELECT r.company_id, r.up_to::text, COALESCE(e.sequence, r.above)::text
  FROM ranges r
  LEFT JOIN ends e ON e.company_id = r.company_id
  LEFT JOIN current c ON c.company_id = r.company_id
  WHERE ${LACKS_ROW}
    OR c.company_id IS NOT NULL AND COALESCE(e.sequence, r.above) <> r.up_to`;

/** By company: how many events announce rows, and which positions these have. */
const runs = (table: string, position: string, events: string) => `
    SELECT e.company_id, sum(e.count) AS events, count(t.${position}) AS count,
      min(t.${position}) AS first, max(t.${position}) AS last
    FROM (${events}
    ) e
    LEFT JOIN ${table} t ON t.company_id = e.company_id AND t.id = e.id
    GROUP BY 1`;

/** The companies whose new events announce rows twice or not at all, or rows that do not exist. */
const interrupted = (table: string, noun: string) => `
  SELECT r.company_id AS "companyId", r.${noun}::text AS "announcedBefore",
    run.first::text AS first, run.last::text AS last, run.events, c.${table}::text AS counter
  FROM ranges r
  LEFT JOIN ${noun}_runs run ON run.company_id = r.company_id
  LEFT JOIN current c ON c.company_id = r.company_id
  WHERE run.events <> run.count
    OR run.last - run.first + 1 <> run.count
    OR r.${noun} > 0 AND run.first <> r.${noun} + 1
    OR COALESCE(run.last, NULLIF(r.${noun}, 0)) <> c.${table}`;

/** The last announced row. It is the counter's if rows are missing, which are reported once. */
const announced = (table: string, noun: string) => `CASE
    WHEN run_of_${noun}.last IS NULL AND r.${noun} = 0 THEN 0
    ELSE COALESCE(c.${table}, run_of_${noun}.last, r.${noun})
  END AS ${noun}`;

const IS_SUBJECT = 'company_id = wanted.company_id AND id = wanted.id';

/**
 * Checks new events. $1…$5: per company the sequences above and up to which they are new, and the
 * last invoice and entry that were announced before. The last events of records are compared if
 * there are no later ones in the snapshot of the statement: these companies are `current`.
 */
const CHECK_EVENTS = `
  WITH ranges AS MATERIALIZED (
    SELECT * FROM ${unnest(NEW_EVENTS, 'r')}
  ), feed AS MATERIALIZED (
    SELECT f.company_id, f.first_sequence, f.last_sequence, f.stubs::jsonb AS stubs
    FROM ranges r, ${inRange('feed', 'f', 'last_sequence')}
  ), events AS MATERIALIZED (
    SELECT * FROM ${stubs('%')} s
  ), current AS MATERIALIZED (
    SELECT r.company_id, c.next_invoice_number - 1 AS invoices, c.next_entry_sequence - 1 AS entries
    FROM ranges r, ${lookUpOne('companies', 'c', 'id = r.company_id')}
    WHERE c.next_event_sequence = r.up_to + 1
  ), ends AS (
    SELECT company_id, max(last_sequence) AS sequence FROM feed GROUP BY company_id
  ), invoices AS MATERIALIZED (
    SELECT i.company_id, i.id, i.number, i.status, i.paid, i.credited, i.total, i.settled_on
    FROM (SELECT DISTINCT company_id, subject::uuid AS id FROM ${newStubs('invoice.%')} e) wanted,
      ${lookUpOne('invoices', 'i', IS_SUBJECT)}
  ), entries AS MATERIALIZED (
    SELECT e.company_id, e.id, e.sequence
    FROM (${entered(newStubs)}
      ) wanted,
      ${lookUpOne('entries', 'e', IS_SUBJECT)}
  ), items AS MATERIALIZED (
    SELECT i.company_id, i.id, i.on_hand
    FROM (
        SELECT DISTINCT e.company_id, item.id
        FROM ${newestStubs('stock.changed')} e, ${levels('e.data')}
      ) wanted,
      ${lookUpOne('items', 'i', IS_SUBJECT)}
  ), customer_versions AS MATERIALIZED (
    SELECT v.*
    FROM (
        SELECT DISTINCT company_id, subject::uuid AS id FROM ${newStubs('customer.%')} e
      ) wanted,
      LATERAL (
        SELECT *
        FROM customer_versions
        WHERE company_id = wanted.company_id AND customer_id = wanted.id
        ORDER BY version DESC
        LIMIT 1
      ) v
  ), invoice_runs AS MATERIALIZED (${runs('invoices', 'number', created(newStubs))}
  ), entry_runs AS MATERIALIZED (${runs('entries', 'sequence', entered(newStubs))}
  ), offenders AS (${offendersOf([
    { name: JOINED, sql: GAPS },
    { name: INVOICES_ONCE, sql: interrupted('invoices', 'invoice') },
    { name: ENTRIES_ONCE, sql: interrupted('entries', 'entry') },
    ...lastEventChecks(newStubs, newestStubs).map(({ name, sql }) => ({
      name,
      sql: `SELECT o.* FROM (${sql}) o JOIN current c ON c.company_id = o."companyId"`,
    })),
  ])}
  )
  SELECT violation, offender, NULL AS "companyId", NULL AS done, NULL AS invoice, NULL AS entry
  FROM offenders
  UNION ALL
  SELECT NULL, NULL, r.company_id,
    CASE
      WHEN c.company_id IS NOT NULL OR ${LACKS_ROW} THEN r.up_to
      ELSE COALESCE(e.sequence, r.above)
    END,
    ${announced('invoices', 'invoice')},
    ${announced('entries', 'entry')}
  FROM ranges r
  LEFT JOIN current c ON c.company_id = r.company_id
  LEFT JOIN ends e ON e.company_id = r.company_id
  LEFT JOIN invoice_runs run_of_invoice ON run_of_invoice.company_id = r.company_id
  LEFT JOIN entry_runs run_of_entry ON run_of_entry.company_id = r.company_id`;
