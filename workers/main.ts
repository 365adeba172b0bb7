// The worker process: settles the submissions of the queues, and the queued rows that are due.
// Wiring only.
import { type Config, configOrExit } from '../config/index.js';
import { runImportsForever } from '../src/inventory/imports/work.js';
import { Settlement } from '../src/jobs/settle/settlement.js';
import { kindsByQueue, type Submission } from '../src/jobs/write-kind.js';
import { publishMetrics } from '../src/platform/db/published-metrics.js';
import { openReadyDatabase } from '../src/platform/db/ready.js';
import { armFailPoint } from '../src/platform/process/fail-point.js';
import { type OnStop, runProcess } from '../src/platform/process/lifecycle.js';
import type { Log } from '../src/platform/process/log.js';
import { startMetrics } from '../src/platform/process/metrics.js';
import { openQueues } from '../src/platform/queue/open.js';
import { openReplySender } from '../src/platform/queue/replies.js';
import type { JobHandler } from '../src/platform/queue/worker.js';
import { WRITE_KINDS } from '../src/write-kinds.js';

/** In Postgres mode: one connection per queue listens, the others fetch and finish jobs. */
const QUEUE_POOL_MAX = 8;

async function start(config: Config, log: Log, onStop: OnStop): Promise<void> {
  startMetrics('worker');
  armFailPoint(config.failPoint);
  const databaseUrl = await openReadyDatabase(config, 'worker', log, onStop);
  publishMetrics('worker', log, onStop);
  const { batchMax, redisUrl, queueShards: shards, workerConcurrency } = config;
  const queues = await openQueues(
    { databaseUrl, redisUrl, shards, poolMax: QUEUE_POOL_MAX },
    log,
    onStop,
  );
  const reply = openReplySender(queues);
  const handlers = Array.from(kindsByQueue(WRITE_KINDS), ([queue, kinds]) => {
    const settlement = new Settlement(kinds, { batchMax, reply, log });
    settlement.recoverForever(onStop);
    const handle: JobHandler = ({ data }) =>
      settlement.take((data as { submissions: Submission[] }).submissions);
    return [queue, handle] as const;
  });
  await queues.shardWorkers(Object.fromEntries(handlers), workerConcurrency);
  runImportsForever(log, onStop);
  log.info({ queue: queues.mode }, 'working');
  process.send?.({ ready: true });
}

const config = configOrExit();
await runProcess('worker', config, (log, onStop) => start(config, log, onStop));
