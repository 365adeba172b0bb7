// Starts the scheduler process, which registers the schedules, runs the `scheduled` queue's jobs,
// sweeps the summaries, the tax totals, the receivables and what becomes overdue, and audits new
// rows. Wiring only. Any number of schedulers may run at once.
import type { Config } from '../config/index.js';
import { loadKeptKeys } from '../src/companies/kept-keys.js';
import { renewSearchKeysForever } from '../src/customers/search-keys.js';
import { announceOverdueForever } from '../src/events/overdue.js';
import { SharedInvoices } from '../src/invoices/issued/shared-invoices.js';
import { analyzeTablesForever } from '../src/platform/db/analyze-tables.js';
import type { OnStop } from '../src/platform/process/lifecycle.js';
import type { Log } from '../src/platform/process/log.js';
import { openQueues } from '../src/platform/queue/open.js';
import { sweepReceivablesForever } from '../src/receivables/dues/refresh.js';
import { registerSchedules, runScheduled, SCHEDULED_QUEUE } from '../src/scheduled/schedules.js';
import { sweepForever } from '../src/summary/freshness.js';
import { sweepTaxesForever } from '../src/summary/tax/refresh.js';
import { auditForever } from '../src/verify/audit.js';

const QUEUE_POOL_MAX = 4;

/** Starts it on the opened database. `databaseUrl` is for work that needs a session of its own. */
export async function startScheduler(
  config: Config,
  databaseUrl: string,
  log: Log,
  onStop: OnStop,
): Promise<void> {
  await loadKeptKeys();
  const queues = await openQueues(
    { databaseUrl, redisUrl: config.redisUrl, poolMax: QUEUE_POOL_MAX },
    log,
    onStop,
  );
  await queues.worker(SCHEDULED_QUEUE, 1, job => runScheduled(job, log));
  const invoices = new SharedInvoices();
  sweepForever(invoices.consumer(), log, onStop);
  sweepTaxesForever(invoices.consumer(), log, onStop);
  sweepReceivablesForever(log, onStop);
  announceOverdueForever(log, onStop);
  auditForever(invoices.consumer(), log, onStop);
  renewSearchKeysForever(log, onStop);
  analyzeTablesForever(log, onStop);
  registerSchedules(await queues.producer(SCHEDULED_QUEUE), log, onStop);
  log.info({ queue: queues.mode }, 'scheduling');
}
