// Reading the precomputed summary, and finding the companies whose summary is behind.
import { query, queryOne } from '../platform/db.js';
import { refreshSummary } from './refresh.js';

/** How far back a sweep looks at least: clocks and commits of workers may lag this much behind a summary's. */
const SWEEP_MARGIN = '5 minutes';

/** The JSON text of today's summary: the scheduler's, or where there is none for today and these settings one made now. */
export async function readSummary(companyId: string, currency: string, timeZone: string): Promise<string | null> {
  const row = await queryOne<{ body: string }>(
    `SELECT body FROM summaries
     WHERE company_id = $1 AND day = (now() AT TIME ZONE $3)::date AND currency = $2 AND time_zone = $3`,
    [companyId, currency, timeZone],
  );
  return row?.body ?? refreshSummary(companyId);
}

/** Companies with writes that their summary may not show: those settled since shortly before any summary was last made. */
export async function findStaleCompanies(): Promise<string[]> {
  const rows = await query<{ companyId: string }>(
    `SELECT DISTINCT j.company_id AS "companyId"
     FROM jobs j LEFT JOIN summaries s ON s.company_id = j.company_id
     WHERE j.status = 'succeeded'
       AND j.finished_at > COALESCE((SELECT max(computed_at) FROM summaries), '-infinity') - interval '${SWEEP_MARGIN}'
       AND (s.computed_at IS NULL OR j.finished_at > s.computed_at - interval '10 seconds')`,
    [],
  );
  return rows.map(({ companyId }) => companyId);
}

/** How long the oldest invoice above its summary's watermark has waited to be shown, in seconds; 0 where none waits. */
export async function summaryAgeSeconds(): Promise<number> {
  const row = await queryOne<{ seconds: string }>(
    `SELECT COALESCE(EXTRACT(EPOCH FROM now() - min(i.created_at)), 0) AS seconds
     FROM companies c LEFT JOIN summaries s ON s.company_id = c.id
     JOIN invoices i ON i.company_id = c.id AND i.number = COALESCE(s.watermark, 0) + 1
     WHERE c.next_invoice_number > COALESCE(s.watermark, 0) + 1`,
    [],
  );
  return Math.max(0, Number(row?.seconds ?? 0));
}
