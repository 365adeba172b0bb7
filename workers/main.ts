// The worker process: takes submissions from the queues, settles them in micro-batches, and polls for what the queue
// lost. Wiring only.
import { type Config, configOrExit } from '../config/index.js';
import { stockWrites } from '../src/inventory/adjust.js';
import { runImportsForever } from '../src/inventory/imports/work.js';
import { invoiceWrites } from '../src/invoices/post.js';
import { recoverForever } from '../src/jobs/settle/recovery.js';
import { createSettlement } from '../src/jobs/settle/settlement.js';
import type { Submission, WriteKind } from '../src/jobs/write-kind.js';
import { openReadyDatabase } from '../src/platform/db/ready.js';
import { armFailPoint } from '../src/platform/process/fail-point.js';
import { type OnStop, runProcess } from '../src/platform/process/lifecycle.js';
import type { Log } from '../src/platform/process/log.js';
import { publishMetrics, startMetrics } from '../src/platform/process/metrics.js';
import { openQueueing } from '../src/platform/queue/open.js';
import { openReplySender } from '../src/platform/queue/replies.js';
import { createRefreshRequests, SCHEDULED_QUEUE } from '../src/summary/freshness.js';

/** Two listening connections, and some to fetch and finish with, where the queues live in Postgres. */
const QUEUE_POOL_MAX = 8;

async function start(config: Config, log: Log, onStop: OnStop): Promise<void> {
  startMetrics('worker');
  armFailPoint(config.failPoint);
  const directUrl = await openReadyDatabase(config, 'worker', log, onStop);
  publishMetrics('worker', log, onStop);
  const queueing = await openQueueing(
    {
      databaseUrl: directUrl,
      redisUrl: config.redisUrl,
      shards: config.queueShards,
      poolMax: QUEUE_POOL_MAX,
    },
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
  runImportsForever({ onSettled, log }, onStop);
  log.info({ queue: queueing.mode }, 'working');
  process.send?.({ ready: true });
}

const config = configOrExit();
await runProcess('worker', config.logLevel, (log, onStop) => start(config, log, onStop));
