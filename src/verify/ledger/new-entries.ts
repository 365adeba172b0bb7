// The audit's SQL on new entries. It finds the rows that they concern by index look-ups and checks
// those rows.

import { lookUpAll, lookUpOne } from '../../platform/db/sql.js';
import { inRange, RANGES } from '../../rollups/progress.js';
import { NEW_ENTRIES_WITHOUT_JOB } from '../job-offenders.js';
import { offendersOf } from '../new-rows.js';
import { NEW_BALANCES } from '../stock-offenders.js';
import { LEDGER_OFFENDERS, SERIES } from './offenders.js';

/** The new entries and the rows that they concern. Every table is read by index look-ups. */
const NEW_ROWS = `
  WITH ranges AS (
    SELECT * FROM ${RANGES}
  ), new_entries AS MATERIALIZED (
    SELECT e.*
    FROM ranges r, ${inRange('entries', 'e', 'sequence')}
  ), funds AS MATERIALIZED (
    SELECT e.*
    FROM (SELECT DISTINCT company_id, COALESCE(source_id, id) AS id FROM new_entries) wanted,
      ${lookUpOne('entries', 'e', 'company_id = wanted.company_id AND id = wanted.id')}
  ), of_funds AS MATERIALIZED (
    SELECT a.*
    FROM funds s,
      ${lookUpAll('allocations', 'a', 'company_id = s.company_id AND source_id = s.id')}
  ), invoices AS MATERIALIZED (
    SELECT i.*
    FROM (
        SELECT company_id, invoice_id AS id FROM of_funds
        UNION
        SELECT company_id, invoice_id FROM funds WHERE invoice_id IS NOT NULL
      ) wanted,
      ${lookUpOne('invoices', 'i', 'company_id = wanted.company_id AND id = wanted.id')}
  ), of_invoices AS MATERIALIZED (
    SELECT a.*
    FROM invoices i,
      ${lookUpAll('allocations', 'a', 'company_id = i.company_id AND invoice_id = i.id')}
  ), concerned AS MATERIALIZED (
    SELECT e.*
    FROM (
        SELECT company_id, id FROM funds
        UNION
        SELECT company_id, source_id FROM of_invoices
      ) wanted,
      ${lookUpOne('entries', 'e', 'company_id = wanted.company_id AND id = wanted.id')}
    UNION ALL
    SELECT e.*
    FROM funds s,
      ${lookUpAll('entries', 'e', 'company_id = s.company_id AND source_id = s.id')}
  ), notes AS MATERIALIZED (
    SELECT * FROM new_entries WHERE type = 'creditNote'
  ), lines AS MATERIALIZED (
    SELECT n.company_id, n.id AS credit_note_id, (item ->> 'itemId')::uuid AS item_id,
      (item ->> 'qty')::numeric AS qty, (item ->> 'restocked')::boolean AS restocked
    FROM notes n, json_array_elements(n.body::json -> 'items') AS item
  ), movements AS MATERIALIZED (
    SELECT m.*, COALESCE(previous.on_hand_after, 0) AS before
    FROM notes n,
      ${lookUpAll('movements', 'm', 'company_id = n.company_id AND credit_note_id = n.id')}
      LEFT JOIN LATERAL (
        SELECT t.on_hand_after
        FROM movements t
        WHERE t.company_id = m.company_id AND t.item_id = m.item_id AND t.id < m.id
        ORDER BY t.id DESC
        LIMIT 1
      ) previous ON true
  ), jobs AS MATERIALIZED (
    SELECT company_id, id, submission_id, status, result_id
    FROM jobs
    WHERE finished_at >= (SELECT min(created_at) FROM new_entries)
      AND finished_at <= (SELECT max(created_at) + interval '20 seconds' FROM new_entries)
  )`;

const NEW_TABLES = {
  invoices: 'invoices',
  funds: 'funds',
  ofInvoices: 'of_invoices',
  ofFunds: 'of_funds',
  entries: 'concerned',
  lines: 'lines',
  movements: 'movements',
};

/** Finds new credit notes without a predecessor: the note with the previous number must exist. */
const GAPS = `
  SELECT n.company_id AS "companyId", n.id AS "entryId", n.number
  FROM notes n
  LEFT JOIN LATERAL (
    SELECT 1 AS found
    FROM entries t
    WHERE t.company_id = n.company_id AND t.number = n.number - 1
    LIMIT 1
  ) previous ON true
  WHERE n.number > 1 AND previous.found IS NULL`;

/** Checks new entries. $1…$3: per company the sequences above and up to which they are new. */
export const CHECK_ENTRIES = `${NEW_ROWS}, offenders AS (${offendersOf([
  ...Object.entries(LEDGER_OFFENDERS).map(([name, offenders]) => ({
    name,
    sql: offenders(NEW_TABLES),
  })),
  { name: SERIES, sql: GAPS },
  { name: 'each movement carries the balance after it', sql: NEW_BALANCES },
  {
    name: 'an invoice or adjustment comes from a job that succeeded with it',
    sql: NEW_ENTRIES_WITHOUT_JOB,
  },
])}
  )
  SELECT violation, offender FROM offenders`;
