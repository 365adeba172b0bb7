// The scheduled work: summaries (asked for by workers, swept for what was missed) and retention. The sweep runs by this
// process's own clock: what a queue store loses, or a process takes down with it, may not make a summary late.

import { deleteOldImports } from '../inventory/imports/service.js';
import { query } from '../platform/db.js';
import { describeError } from '../platform/db-errors.js';
import type { OnStop } from '../platform/lifecycle.js';
import type { Log } from '../platform/log.js';
import { pollForever } from '../platform/poll.js';
import type { Producer } from '../platform/queue.js';
import { deleteEndedInvitations } from '../users/invitations.js';
import { deleteEndedSessions } from '../users/sessions.js';
import { findStaleCompanies } from './queries.js';
import { refreshSummary } from './refresh.js';

export const SCHEDULED_QUEUE = 'scheduled';
/** With the rest below under the 5 s in which a summary shows a write, whatever was lost. */
const SWEEP_EVERY_MS = 1_000;
/** A summary as young as this is left to the requests of workers, which come once a second. */
const SWEEP_REST_MS = 2_000;
const REGISTER_EVERY_MS = 30_000;
const RETENTION_EVERY_MS = 3_600_000;
/** Settled jobs, and with them Idempotency-Keys, are kept this long. */
const JOB_RETENTION_DAYS = 30;
const DELETE_CHUNK = 5_000;
/** A company's refreshes are at least this far apart, however many writes it sees. */
const DEBOUNCE_MS = 1_000;
const COMPANIES_PER_JOB = 200;

/**
 * Registers what runs by the clock, and again from time to time: a queue store that lost everything gets its schedules
 * back. Safe to call in every scheduler process.
 */
export function keepScheduled(producer: Producer, log: Log, onStop: OnStop): void {
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
  if (job.name === 'refresh-summaries') return refreshAll((job.data as { companyIds: string[] }).companyIds, log);
  if (job.name === 'delete-old-jobs') {
    await deleteOldJobs(log);
    await deleteOldImports();
    await deleteEndedSessions();
    return deleteEndedInvitations();
  }
  throw new Error(`there is no scheduled job ${job.name}`);
}

/** Finds and refreshes the summaries that are behind, again and again until stopped. Safe in every scheduler process. */
export function sweepForever(log: Log, onStop: OnStop): void {
  const sweep = async (): Promise<boolean> => {
    await refreshAll(await findStaleCompanies(SWEEP_REST_MS), log);
    return false;
  };
  pollForever('summary sweep', SWEEP_EVERY_MS, sweep, log, onStop);
}

/** Gathers the companies that changed and asks for their summaries once a second; what could not be asked is asked again. */
export function createRefreshRequests(
  producer: Producer,
  log: Log,
  onStop: OnStop,
): (companyIds: Iterable<string>) => void {
  const changed = new Set<string>();
  const flush = async (): Promise<void> => {
    while (changed.size > 0) {
      const companyIds = [...changed].slice(0, COMPANIES_PER_JOB);
      for (const id of companyIds) changed.delete(id);
      try {
        await producer.add('refresh-summaries', { companyIds });
      } catch (error) {
        for (const id of companyIds) changed.add(id);
        log.debug({ err: describeError(error) }, 'summary refresh not requested yet');
        return;
      }
    }
  };
  const timer = setInterval(() => void flush(), DEBOUNCE_MS);
  timer.unref();
  onStop('summary requests', async () => {
    clearInterval(timer);
    await flush();
  });
  return companyIds => {
    for (const id of companyIds) changed.add(id);
  };
}

/** One company's failure does not keep the others from theirs. */
async function refreshAll(companyIds: readonly string[], log: Log): Promise<void> {
  for (const companyId of companyIds) {
    try {
      await refreshSummary(companyId);
    } catch (error) {
      log.error({ companyId, err: describeError(error) }, 'summary refresh failed; the next sweep tries again');
    }
  }
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
    if (deleted < DELETE_CHUNK && total > 0) log.info({ jobs: total }, 'deleted settled jobs past their retention');
  }
}
