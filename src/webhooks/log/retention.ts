// Deletes deliveries whose events have expired.
import { query } from '../../platform/db/connection.js';
import type { Log } from '../../platform/process/log.js';

const DELIVERY_DAYS = 30;
/** Deliveries per statement, so that none holds its locks for long. */
const CHUNK = 1_000;

/** Deletes old deliveries with their attempts. Safe in several processes at once. */
export async function deleteOldDeliveries(log: Log): Promise<void> {
  let total = 0;
  for (let deleted = CHUNK; deleted === CHUNK; total += deleted) {
    const rows = await query(
      `DELETE FROM webhook_deliveries
       WHERE (company_id, endpoint_id, sequence) IN (
         SELECT company_id, endpoint_id, sequence
         FROM webhook_deliveries
         WHERE event_at < now() - $1 * interval '1 day'
         ORDER BY event_at
         LIMIT $2
       )
       RETURNING sequence`,
      [DELIVERY_DAYS, CHUNK],
    );
    deleted = rows.length;
  }
  if (total > 0) log.info({ deliveries: total }, 'deleted deliveries of webhooks');
}
