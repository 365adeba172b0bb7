// Deletes deliveries whose events have expired, with their attempts.
import { EVENT_RETENTION_DAYS } from '../../events/retention.js';
import { deleteOldRows } from '../../platform/db/retention.js';
import type { Log } from '../../platform/process/log.js';

const OLD_DELIVERIES = {
  table: 'webhook_deliveries',
  key: 'company_id, endpoint_id, sequence',
  time: 'event_at',
  days: EVENT_RETENTION_DAYS,
  chunk: 1_000,
};

export function deleteOldDeliveries(log: Log): Promise<void> {
  return deleteOldRows(OLD_DELIVERIES, log);
}
