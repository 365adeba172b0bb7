// Announces overdue invoices: a sweep appends invoice.overdue once per invoice, within a minute. It
// looks only at what is new: due dates that have passed, new invoices, and entries that took money
// back. Invoices that were overdue when the feed began are never announced.
import { lockCompanies } from '../companies/lock.js';
import { StaleCompanies, togetherOrAlone } from '../companies/stale-companies.js';
import { appendEvents } from '../feed/append.js';
import type { SettledMembers } from '../invoices/invoice-json.js';
import { IS_DUE, isPast } from '../invoices/overdue.js';
import { pollForever } from '../platform/async/poll.js';
import { inTransaction, query, queryOne, type Transaction } from '../platform/db/connection.js';
import { lookUpAll, lookUpOne } from '../platform/db/sql.js';
import type { OnStop } from '../platform/process/lifecycle.js';
import type { Log } from '../platform/process/log.js';

/** With LOOK_EVERY_MS of `StaleCompanies`, an invoice is announced within a minute. */
const SWEEP = { everyMs: 10_000, offsetMs: 3_700 };
/** Invoices per transaction, which holds the company's lock. */
const INVOICES_PER_STEP = 500;

const TODAY = '(now() AT TIME ZONE c.time_zone)::date';

const stale = new StaleCompanies(`
  SELECT c.id AS "companyId"
  FROM companies c
  LEFT JOIN overdue_progress p ON p.company_id = c.id
  WHERE c.next_invoice_number - 1 > COALESCE(p.invoice_number, 0)
    OR c.next_entry_sequence - 1 > COALESCE(p.entry_sequence, 0)
    OR ${TODAY} > p.day`);

/** Sweeps until stopped. Safe in every scheduler process. */
export function announceOverdueForever(log: Log, onStop: OnStop): void {
  const sweep = async (signal: AbortSignal): Promise<boolean> => {
    for (const companyId of await stale.find()) {
      if (signal.aborted) return false;
      const announce = async () => {
        await announceOverdue(companyId);
        return false;
      };
      await togetherOrAlone('sweep of overdue invoices', [companyId], announce, log);
    }
    return false;
  };
  pollForever('overdue sweep', SWEEP, sweep, log, onStop);
}

interface Progress {
  /** YYYY-MM-DD. */
  readonly day: string;
  readonly number: string;
  readonly sequence: string;
  readonly firstDay: string;
  readonly firstNumber: string;
  readonly firstSequence: string;
  readonly today: string;
  readonly lastNumber: string;
  readonly lastSequence: string;
}

/** Announces the invoices of a company that have become overdue since the last call. */
export async function announceOverdue(companyId: string): Promise<void> {
  const progress = await readProgress(companyId);
  if (!progress) return;
  for (let isMore = true; isMore; ) {
    const ids = await findCandidates(companyId, progress);
    if (ids.length > 0)
      await inTransaction(tx => announceInvoices(companyId, ids, progress.today, tx));
    isMore = ids.length === INVOICES_PER_STEP;
  }
  const { today, lastNumber, lastSequence } = progress;
  await query(
    `UPDATE overdue_progress
     SET day = GREATEST(day, $2::date),
       invoice_number = GREATEST(invoice_number, $3::bigint),
       entry_sequence = GREATEST(entry_sequence, $4::bigint)
     WHERE company_id = $1`,
    [companyId, today, lastNumber, lastSequence],
  );
}

/** The progress and the present counters. A new company begins with its first invoice. */
async function readProgress(companyId: string): Promise<Progress | null> {
  await query(
    `INSERT INTO overdue_progress
     SELECT c.id, ${TODAY}, 0, 0, '-infinity', 0, 0
     FROM companies c
     WHERE c.id = $1
     ON CONFLICT DO NOTHING`,
    [companyId],
  );
  return queryOne<Progress>(
    `SELECT p.day::text AS day, p.invoice_number AS number, p.entry_sequence AS sequence,
       p.first_day::text AS "firstDay", p.first_invoice_number AS "firstNumber",
       p.first_entry_sequence AS "firstSequence",
       ${TODAY}::text AS today, c.next_invoice_number - 1 AS "lastNumber",
       c.next_entry_sequence - 1 AS "lastSequence"
     FROM companies c
     JOIN overdue_progress p ON p.company_id = c.id
     WHERE c.id = $1`,
    [companyId],
  );
}

/** SQL: the invoice i is overdue and not announced. Reads the company as $1 and today as $2. */
const IS_NEW = `
  ${IS_DUE} AND ${isPast('i.due_date', '$2::date')}
  AND NOT EXISTS (
    SELECT FROM overdue_invoices o WHERE o.company_id = $1 AND o.invoice_id = i.id
  )`;

/** SQL: the invoice i was overdue when the feed began. */
const WAS_OVERDUE = `
  i.number <= $9::bigint AND ${isPast('i.due_date', '$8::date')}
  AND i.total > COALESCE((
    SELECT sum(a.amount)
    FROM allocations a
    WHERE a.company_id = $1 AND a.invoice_id = i.id AND a.sequence <= $10::bigint
  ), 0)`;

async function findCandidates(companyId: string, progress: Progress): Promise<string[]> {
  const rows = await query<{ id: string }>(
    `SELECT i.id
     FROM (
         SELECT due.id
         FROM ${lookUpAll(
           'invoices',
           'due',
           `company_id = $1 AND status = 'open' AND due_date >= $3::date AND due_date < $2::date`,
         )}
         UNION
         SELECT issued.id
         FROM ${lookUpAll(
           'invoices',
           'issued',
           'company_id = $1 AND number > $4::bigint AND number <= $5::bigint',
         )}
         UNION
         SELECT a.invoice_id
         FROM ${lookUpAll(
           'entries',
           'e',
           'company_id = $1 AND sequence > $6::bigint AND sequence <= $7::bigint',
         )},
           ${lookUpAll(
             'allocations',
             'a',
             `company_id = $1 AND source_id = e.source_id AND sequence = e.sequence
               AND amount < 0`,
           )}
       ) wanted,
       ${lookUpOne('invoices', 'i', 'company_id = $1 AND id = wanted.id')}
     WHERE ${IS_NEW} AND NOT (${WAS_OVERDUE})
     LIMIT ${INVOICES_PER_STEP}`,
    [
      ...[companyId, progress.today, progress.day],
      ...[progress.number, progress.lastNumber, progress.sequence, progress.lastSequence],
      ...[progress.firstDay, progress.firstNumber, progress.firstSequence],
    ],
  );
  return rows.map(({ id }) => id);
}

/** Announces those that are still overdue, with their settlement under the company's lock. */
async function announceInvoices(
  companyId: string,
  ids: readonly string[],
  today: string,
  tx: Transaction,
): Promise<void> {
  await lockCompanies([companyId], {}, tx);
  const invoices = await query<{ id: string; settled: SettledMembers }>(
    `SELECT i.id,
       json_build_array(
         i.status, trim_scale(i.paid)::text, trim_scale(i.credited)::text,
         trim_scale(i.total - i.paid - i.credited)::text, i.settled_on
       ) AS settled
     FROM unnest($3::uuid[]) WITH ORDINALITY AS wanted (id, position),
       ${lookUpOne('invoices', 'i', 'company_id = $1 AND id = wanted.id')}
     WHERE ${IS_NEW}
     ORDER BY i.number`,
    [companyId, today, ids],
    tx,
  );
  await query(
    `INSERT INTO overdue_invoices (company_id, invoice_id)
     SELECT $1, unnest($2::uuid[])`,
    [companyId, invoices.map(({ id }) => id)],
    tx,
  );
  const events = invoices.map(({ id, settled }) => ({
    type: 'invoice.overdue',
    subjectId: id,
    actor: null,
    data: settled,
  }));
  await appendEvents(companyId, events, tx);
}
