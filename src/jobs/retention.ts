import { deleteOldRows } from '../platform/db/retention.js';
import type { Log } from '../platform/process/log.js';

/** The contract: a job can be read, and an Idempotency-Key is remembered, for 30 days. */
export const RETENTION_DAYS = 30;

/**
 * Deletes settled jobs past their retention, and with them their Idempotency-Keys. Jobs that an
 * internal error failed were promised to clients: they stay until an operator retries them.
 */
export function deleteOldJobs(log: Log): Promise<void> {
  const keep = "status = 'failed' AND payload IS NOT NULL";
  return deleteOldRows({ table: 'jobs', days: RETENTION_DAYS, keep, chunk: 5_000 }, log);
}

/** Deletes the responses of requests that were not queued, and with them their Idempotency-Keys. */
export function deleteOldResponses(log: Log): Promise<void> {
  return deleteOldRows({ table: 'stored_responses', days: RETENTION_DAYS, chunk: 5_000 }, log);
}
