// How long events are retained.
import { deleteExpiredRows } from '../feed/retention.js';
import type { Log } from '../platform/process/log.js';

export const EVENT_RETENTION_DAYS = 30;

export async function deleteOldEvents(log: Log): Promise<void> {
  const rows = await deleteExpiredRows(EVENT_RETENTION_DAYS);
  if (rows > 0) log.info({ rows }, 'deleted old rows of the feeds of events');
}
