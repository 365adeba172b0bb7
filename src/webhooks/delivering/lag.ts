// How far active endpoints are behind, for operators.
import { query } from '../../platform/db/connection.js';
import type { GaugeValue } from '../../platform/process/metrics.js';

/** By health: the seconds since the oldest event that an active endpoint has not reached. */
export async function readWebhookLag(): Promise<GaugeValue[]> {
  const rows = await query<{ health: string; seconds: string }>(
    `SELECT health, COALESCE(EXTRACT(EPOCH FROM now() - min(next.created_at)), 0) AS seconds
     FROM unnest(ARRAY['healthy', 'failing']) AS health
     LEFT JOIN webhook_endpoints e USING (health)
     LEFT JOIN LATERAL (
       SELECT f.created_at
       FROM feed f
       WHERE f.company_id = e.company_id AND f.last_sequence > e.position AND e.status = 'active'
       ORDER BY f.last_sequence
       LIMIT 1
     ) next ON true
     GROUP BY health`,
    [],
  );
  return rows.map(({ health, seconds }) => ({
    labels: { health },
    value: Math.max(0, Number(seconds)),
  }));
}
