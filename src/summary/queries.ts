// Reads the precomputed summary, and finds companies whose summary is stale.
import { StaleCompanies } from '../companies/stale-companies.js';
import { Batcher } from '../platform/async/batch.js';
import { query, queryOne } from '../platform/db/connection.js';
import { lookUpOne } from '../platform/db/sql.js';
import { refreshSummary } from './refresh.js';

/** A company with the settings that a valid summary must have been computed with. */
interface SummaryRef {
  readonly companyId: string;
  readonly currency: string;
  readonly timeZone: string;
}

/**
 * Today's summary as JSON text: the scheduler's, or a newly computed one if there is none for today
 * and these settings.
 */
export async function readSummary(
  companyId: string,
  currency: string,
  timeZone: string,
): Promise<string | null> {
  return (await lookups.submit({ companyId, currency, timeZone })) ?? refreshSummary(companyId);
}

/**
 * Lookups that arrive while others are in flight share a query: a round trip costs more than a row.
 * The CASE keeps an unknown time zone from failing the whole batch: AT TIME ZONE only gets stored
 * zones.
 */
const lookups = new Batcher<SummaryRef, string | null>(
  async refs => {
    const keyOf = ({ companyId, currency, timeZone }: SummaryRef) =>
      `${companyId} ${currency} ${timeZone}`;
    // Concurrent lookups are often for the same company.
    const distinct = [...new Map(refs.map(ref => [keyOf(ref), ref])).values()];
    const rows = await query<{ position: string; body: string }>(
      `SELECT wanted.position, s.body
       FROM unnest($1::uuid[], $2::text[], $3::text[])
         WITH ORDINALITY AS wanted (company_id, currency, time_zone, position),
         ${lookUpOne('summaries', 's', 'company_id = wanted.company_id')}
       WHERE CASE
         WHEN s.currency = wanted.currency AND s.time_zone = wanted.time_zone
         THEN s.day = (now() AT TIME ZONE s.time_zone)::date
       END`,
      [
        distinct.map(({ companyId }) => companyId),
        distinct.map(({ currency }) => currency),
        distinct.map(({ timeZone }) => timeZone),
      ],
    );
    const bodies = new Map(
      rows.map(({ position, body }) => [keyOf(distinct[Number(position) - 1] as SummaryRef), body]),
    );
    return refs.map(ref => bodies.get(keyOf(ref)) ?? null);
  },
  { maxSize: 100, maxInFlight: 3 },
);

/**
 * The companies with invoices, entries or stock changes that their summary does not show. Exact:
 * the counters are committed together with what they count.
 */
export const staleSummaries = new StaleCompanies(
  `SELECT c.id AS "companyId"
   FROM companies c
   LEFT JOIN summaries s ON s.company_id = c.id
   WHERE (
       c.next_invoice_number - 1, c.next_entry_sequence - 1, c.next_entry_sequence - 1,
       c.stock_version
     ) IS DISTINCT FROM (
       COALESCE(s.watermark, 0), COALESCE(s.entry_sequence, 0), COALESCE(s.credit_sequence, 0),
       COALESCE(s.stock_version, 0)
     )`,
);

/**
 * The age in seconds of the oldest invoice or entry that its company's summary does not show; 0 if
 * none.
 */
export async function summaryAgeSeconds(): Promise<number> {
  const row = await queryOne<{ seconds: string }>(
    `WITH progress AS (
       SELECT c.id AS company_id, c.next_invoice_number, c.next_entry_sequence,
         COALESCE(s.watermark, 0) + 1 AS number,
         COALESCE(s.entry_sequence, 0) + 1 AS sequence
       FROM companies c
       LEFT JOIN summaries s ON s.company_id = c.id
       WHERE (c.next_invoice_number - 1, c.next_entry_sequence - 1)
         IS DISTINCT FROM (COALESCE(s.watermark, 0), COALESCE(s.entry_sequence, 0))
     ), oldest AS (
       SELECT i.created_at
       FROM progress p
       JOIN invoices i ON i.company_id = p.company_id AND i.number = p.number
       WHERE p.number < p.next_invoice_number
       UNION ALL
       SELECT e.created_at
       FROM progress p
       JOIN entries e ON e.company_id = p.company_id AND e.sequence = p.sequence
       WHERE p.sequence < p.next_entry_sequence
     )
     SELECT COALESCE(EXTRACT(EPOCH FROM now() - min(created_at)), 0) AS seconds
     FROM oldest`,
    [],
  );
  return Math.max(0, Number(row?.seconds ?? 0));
}
