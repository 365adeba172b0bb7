// Reading the precomputed summary, and finding the companies whose summary is behind.
import { Batcher } from '../platform/async/batch.js';
import { query, queryOne } from '../platform/db/connection.js';
import { lateral } from '../platform/db/sql.js';
import { refreshSummary } from './refresh.js';

/** A summary is in the currency and of the day of these settings. */
interface SummaryRef {
  readonly companyId: string;
  readonly currency: string;
  readonly timeZone: string;
}

/** The JSON text of today's summary: the scheduler's, or where there is none for today and these settings one made now. */
export async function readSummary(
  companyId: string,
  currency: string,
  timeZone: string,
): Promise<string | null> {
  return (await kept.submit({ companyId, currency, timeZone })) ?? refreshSummary(companyId);
}

/**
 * What is looked up while other look-ups are under way rides together: a round trip costs more than a row. Only a zone that
 * a summary was made in is reckoned with: one that Postgres does not know, or no longer, is nobody else's error.
 */
const kept = new Batcher<SummaryRef, string | null>(
  async refs => {
    const keys = refs.map(
      ({ companyId, currency, timeZone }) => `${companyId} ${currency} ${timeZone}`,
    );
    // Those who look at once are often of one company.
    const each = [...new Map(keys.map((key, at) => [key, refs[at] as SummaryRef])).entries()];
    const rows = await query<{ place: string; body: string }>(
      `SELECT w.place, s.body
       FROM unnest($1::uuid[], $2::text[], $3::text[]) WITH ORDINALITY AS w (company_id, currency, time_zone, place),
         ${lateral('summaries', 's', 'company_id')}
       WHERE CASE WHEN s.currency = w.currency AND s.time_zone = w.time_zone THEN s.day = (now() AT TIME ZONE s.time_zone)::date END`,
      [
        each.map(([, ref]) => ref.companyId),
        each.map(([, ref]) => ref.currency),
        each.map(([, ref]) => ref.timeZone),
      ],
    );
    const bodies = new Map(rows.map(({ place, body }) => [each[Number(place) - 1]?.[0], body]));
    return keys.map(key => bodies.get(key) ?? null);
  },
  { maxSize: 100, maxInFlight: 3 },
);

export interface DayTotal {
  /** YYYY-MM-DD. */
  readonly date: string;
  readonly count: string;
  /** Decimal text. */
  readonly total: string;
}

/** The totals of the days from `from` to `to` that have invoices, in order; as fresh as the summary. */
export async function listDayTotals(
  companyId: string,
  from: string,
  to: string,
): Promise<DayTotal[]> {
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
