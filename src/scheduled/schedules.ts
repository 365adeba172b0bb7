// The scheduled work of all slices: when it runs. Each slice implements its own.
import { deleteExpiredSecrets } from '../api-keys/service.js';
import { deleteOldEvents } from '../events/retention.js';
import { IMPORT_KINDS } from '../import-kinds.js';
import { deleteOldImports } from '../imports/preview.js';
import { deleteOldJobs, deleteOldResponses } from '../jobs/retention.js';
import { deleteEndedMetrics } from '../platform/db/published-metrics.js';
import { deleteEndedWindows } from '../platform/http/count-stores.js';
import { describeError } from '../platform/postgres-errors.js';
import type { OnStop } from '../platform/process/lifecycle.js';
import type { Log } from '../platform/process/log.js';
import { OutageLog } from '../platform/process/outage-log.js';
import { type Producer, QUEUE_UNAVAILABLE } from '../platform/queue/open.js';
import { deleteEndedInvitations } from '../users/invitations.js';
import { deleteEndedResets } from '../users/password-resets.js';
import { deleteEndedSessions } from '../users/sessions.js';
import { deleteOldDeliveries } from '../webhooks/log/retention.js';

/** The queue of the scheduler processes. */
export const SCHEDULED_QUEUE = 'scheduled';
/** Queue stores already have the schedule under this name. It covers every slice's retention. */
const RETENTION_JOB = 'delete-old-jobs';
const RETENTION_EVERY_MS = 3_600_000;
const REGISTER_EVERY_MS = 300_000;

/**
 * Registers the schedules, and again every 5 minutes, so that a queue store that lost its data gets
 * them back. Safe in every scheduler process.
 */
export function registerSchedules(producer: Producer, log: Log, onStop: OnStop): void {
  const outage = new OutageLog(log, {
    failing: 'could not register the schedules; retrying',
    working: 'registered the schedules again',
  });
  const register = async (): Promise<void> => {
    try {
      await producer.repeat(RETENTION_JOB, RETENTION_EVERY_MS);
      outage.succeeded();
    } catch (error) {
      const { message } = describeError(error);
      if (message === QUEUE_UNAVAILABLE) return;
      outage.failed({ reason: message });
    }
  };
  void register();
  const timer = setInterval(() => void register(), REGISTER_EVERY_MS);
  onStop('schedules', () => clearInterval(timer));
}

/** Runs one scheduled job. A job may run twice, or in two processes at once. */
export async function runScheduled(job: { name: string }, log: Log): Promise<void> {
  switch (job.name) {
    case RETENTION_JOB:
      return deleteOld(log);
    default:
      throw new Error(`there is no scheduled job ${job.name}`);
  }
}

/** The retention of each slice, by what it deletes. */
const RETENTION: Readonly<Record<string, (log: Log) => Promise<void>>> = {
  jobs: deleteOldJobs,
  'stored responses': deleteOldResponses,
  ...Object.fromEntries(
    IMPORT_KINDS.map(kind => [kind.table, (log: Log) => deleteOldImports(kind, log)]),
  ),
  'secrets of API keys': deleteExpiredSecrets,
  events: deleteOldEvents,
  sessions: deleteEndedSessions,
  invitations: deleteEndedInvitations,
  'password resets': deleteEndedResets,
  'deliveries of webhooks': deleteOldDeliveries,
  'request counts': deleteEndedWindows,
  'metrics of ended processes': deleteEndedMetrics,
};

/** Runs every retention, also after one that failed, and rejects if any of them did. */
async function deleteOld(log: Log): Promise<void> {
  const failed: string[] = [];
  for (const [name, run] of Object.entries(RETENTION)) {
    try {
      await run(log);
    } catch (error) {
      failed.push(name);
      log.error({ err: describeError(error) }, `could not delete old ${name}`);
    }
  }
  if (failed.length > 0) throw new Error(`could not delete old ${failed.join(', ')}`);
}
