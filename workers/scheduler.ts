// The scheduler process: registers the schedules, runs the `scheduled` queue's jobs and sweeps the
// summaries. Wiring only. Any number of schedulers may run at once.
import { type Config, configOrExit } from '../config/index.js';
import { SharedInvoices } from '../src/invoices/issued/shared-invoices.js';
import { analyzeTablesForever } from '../src/platform/db/analyze-tables.js';
import { publishMetrics } from '../src/platform/db/published-metrics.js';
import { openReadyDatabase } from '../src/platform/db/ready.js';
import { type OnStop, runProcess } from '../src/platform/process/lifecycle.js';
import type { Log } from '../src/platform/process/log.js';
import { startMetrics } from '../src/platform/process/metrics.js';
import { openQueues } from '../src/platform/queue/open.js';
import { registerSchedules, runScheduled, SCHEDULED_QUEUE } from '../src/scheduled/schedules.js';
import { sweepForever } from '../src/summary/freshness.js';
import { auditForever } from '../src/verify/audit.js';

const QUEUE_POOL_MAX = 4;

async function start(config: Config, log: Log, onStop: OnStop): Promise<void> {
  startMetrics('scheduler');
  const databaseUrl = await openReadyDatabase(config, 'scheduler', log, onStop);
  publishMetrics('scheduler', log, onStop);
  const queues = await openQueues(
    { databaseUrl, redisUrl: config.redisUrl, poolMax: QUEUE_POOL_MAX },
    log,
    onStop,
  );
  await queues.worker(SCHEDULED_QUEUE, 1, job => runScheduled(job, log));
  const invoices = new SharedInvoices();
  sweepForever(invoices.read, log, onStop);
  auditForever(invoices.read, log, onStop);
  analyzeTablesForever(log, onStop);
  registerSchedules(await queues.producer(SCHEDULED_QUEUE), log, onStop);
  log.info({ queue: queues.mode }, 'scheduling');
  process.send?.({ ready: true });
}

const config = configOrExit();
await runProcess('scheduler', config, (log, onStop) => start(config, log, onStop));
