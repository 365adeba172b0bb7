// Reading the precomputed summary, and finding the companies whose summary is behind.
import { query, queryOne } from '../platform/db.js';
import { refreshSummary } from './refresh.js';

/** The JSON text of today's summary: the scheduler's, or where there is none for today and these settings one made now. */
export async function readSummary(companyId: string, currency: string, timeZone: string): Promise<string | null> {
  const row = await queryOne<{ body: string }>(
    `SELECT body FROM summaries
     WHERE company_id = $1 AND day = (now() AT TIME ZONE $3)::date AND currency = $2 AND time_zone = $3`,
    [companyId, currency, timeZone],
  );
  return row?.body ?? refreshSummary(companyId);
}

export interface DayTotal {
  /** YYYY-MM-DD. */
  readonly date: string;
  readonly count: string;
  /** Decimal text. */
  readonly total: string;
}

/** The totals of the days from `from` to `to` that have invoices, in order; as fresh as the summary. */
export async function listDayTotals(companyId: string, from: string, to: string): Promise<DayTotal[]> {
  return query<DayTotal>(
    `SELECT date::text AS date, count, trim_scale(total)::text AS total FROM daily_totals
     WHERE company_id = $1 AND date BETWEEN $2 AND $3 ORDER BY date`,
    [companyId, from, to],
  );
}

/**
 * Companies with invoices or stock changes that their summary does not show, unless it was made within `restMs`. Exact:
 * both counters are committed with what they count.
 */
export async function findStaleCompanies(restMs: number): Promise<string[]> {
  const rows = await query<{ companyId: string }>(
    `SELECT c.id AS "companyId" FROM companies c LEFT JOIN summaries s ON s.company_id = c.id
     WHERE (c.next_invoice_number - 1, c.stock_version) IS DISTINCT FROM (COALESCE(s.watermark, 0), COALESCE(s.stock_version, 0))
       AND COALESCE(s.computed_at < now() - $1 * interval '1 ms', true)`,
    [restMs],
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
