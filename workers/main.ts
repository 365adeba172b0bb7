// The worker process: takes submissions from the queues, settles them in micro-batches, and polls for what the queue
// lost. Wiring only.
import { type Config, configOrExit } from '../config/index.js';
import { workImportsForever } from '../src/inventory/imports/work.js';
import { stockWrites } from '../src/inventory/jobs.js';
import { invoiceWrites } from '../src/invoices/jobs.js';
import { recoverForever } from '../src/jobs/recovery.js';
import { createSettlement } from '../src/jobs/settlement.js';
import type { Submission, WriteKind } from '../src/jobs/submission.js';
import { openReadyDatabase } from '../src/platform/boot.js';
import { armFailPoint } from '../src/platform/fail-point.js';
import { type OnStop, runProcess } from '../src/platform/lifecycle.js';
import type { Log } from '../src/platform/log.js';
import { publishMetrics, startMetrics } from '../src/platform/metrics.js';
import { openQueueing } from '../src/platform/queue.js';
import { openReplySender } from '../src/platform/replies.js';
import { createRefreshRequests, SCHEDULED_QUEUE } from '../src/summary/jobs.js';

/** Two listening connections, and some to fetch and finish with, where the queues live in Postgres. */
const QUEUE_POOL_MAX = 8;

async function start(config: Config, log: Log, onStop: OnStop): Promise<void> {
  startMetrics('worker');
  armFailPoint(config.failPoint);
  const directUrl = await openReadyDatabase(config, 'worker', log, onStop);
  publishMetrics('worker', log, onStop);
  const queueing = await openQueueing(
    { databaseUrl: directUrl, redisUrl: config.redisUrl, shards: config.queueShards, poolMax: QUEUE_POOL_MAX },
    log,
    onStop,
  );
  const reply = openReplySender(queueing);
  const onSettled = createRefreshRequests(await queueing.producer(SCHEDULED_QUEUE), log, onStop);
  for (const kind of [invoiceWrites, stockWrites] as unknown as WriteKind[]) {
    const settlement = createSettlement(kind, { batchMax: config.batchMax, reply, onSettled, log });
    recoverForever(settlement, log, onStop);
    await queueing.shardWorkers(kind.queue, config.workerConcurrency, ({ data }) =>
      settlement.take((data as { submissions: Submission[] }).submissions),
    );
  }
  workImportsForever({ onSettled, log }, onStop);
  log.info({ queue: queueing.mode }, 'working');
  process.send?.({ ready: true });
}

const config = configOrExit();
await runProcess('worker', config.logLevel, (log, onStop) => start(config, log, onStop));
