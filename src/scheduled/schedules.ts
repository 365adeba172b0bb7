// The scheduled work: summaries (asked for by workers, swept for what was missed) and retention. The sweep runs by this
// process's own clock: what a queue store loses, or a process takes down with it, may not make a summary late.

import { deleteOldImports } from '../inventory/imports/service.js';
import { query } from '../platform/db/connection.js';
import { describeError } from '../platform/postgres-errors.js';
import type { OnStop } from '../platform/process/lifecycle.js';
import type { Log } from '../platform/process/log.js';
import type { Producer } from '../platform/queue/open.js';
import { refreshAll } from '../summary/sweep.js';
import { deleteEndedInvitations } from '../users/invitations.js';
import { deleteEndedSessions } from '../users/sessions.js';

const REGISTER_EVERY_MS = 30_000;
const RETENTION_EVERY_MS = 3_600_000;
/** Settled jobs, and with them Idempotency-Keys, are kept this long. */
const JOB_RETENTION_DAYS = 30;
const DELETE_CHUNK = 5_000;
/**
 * Registers what runs by the clock, and again from time to time: a queue store that lost everything gets its schedules
 * back. Safe to call in every scheduler process.
 */
export function registerSchedules(producer: Producer, log: Log, onStop: OnStop): void {
  const register = async (): Promise<void> => {
    try {
      await producer.repeat('delete-old-jobs', RETENTION_EVERY_MS);
    } catch (error) {
      log.warn({ err: describeError(error) }, 'schedules not registered yet');
    }
  };
  void register();
  const timer = setInterval(() => void register(), REGISTER_EVERY_MS);
  onStop('schedules', () => clearInterval(timer));
}

/** Runs one scheduled job; each may run twice or in two processes at once. */
export async function runScheduled(job: { name: string; data: unknown }, log: Log): Promise<void> {
  if (job.name === 'refresh-summaries')
    return refreshAll((job.data as { companyIds: string[] }).companyIds, log);
  if (job.name === 'delete-old-jobs') {
    await deleteOldJobs(log);
    await deleteOldImports();
    await deleteEndedSessions();
    return deleteEndedInvitations();
  }
  throw new Error(`there is no scheduled job ${job.name}`);
}

async function deleteOldJobs(log: Log): Promise<void> {
  for (let deleted = DELETE_CHUNK, total = 0; deleted === DELETE_CHUNK; ) {
    const rows = await query(
      `DELETE FROM jobs WHERE (company_id, id) IN (
         SELECT company_id, id FROM jobs WHERE finished_at < now() - $1 * interval '1 day' ORDER BY finished_at LIMIT $2)
       RETURNING 1`,
      [JOB_RETENTION_DAYS, DELETE_CHUNK],
    );
    deleted = rows.length;
    total += deleted;
    if (deleted < DELETE_CHUNK && total > 0)
      log.info({ jobs: total }, 'deleted settled jobs past their retention');
  }
}
