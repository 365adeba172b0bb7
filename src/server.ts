// The web process: opens what the application needs, listens, and lets go in order.
import { type Config, configOrExit } from '../config/index.js';
import { defineApiKey } from './api-keys/model.js';
import { buildApp, WRITE_KINDS } from './app.js';
import { defineCompany } from './companies/model.js';
import { oldestQueuedSeconds } from './jobs/queries.js';
import { createSubmitter, type Submitter } from './jobs/submit/submitter.js';
import { db } from './platform/db/connection.js';
import { openReadyDatabase } from './platform/db/ready.js';
import { openReplica } from './platform/db/replica.js';
import { healthRoutes } from './platform/http/health.js';
import { createHttpServer, type HttpServer } from './platform/http/server.js';
import { armFailPoint } from './platform/process/fail-point.js';
import { type OnStop, runProcess, StartError } from './platform/process/lifecycle.js';
import type { Log } from './platform/process/log.js';
import { addGauge, startMetrics } from './platform/process/metrics.js';
import { loadSecret } from './platform/process/secret.js';
import {
  openQueueing,
  type Producer,
  type Queueing,
  type QueueShards,
} from './platform/queue/open.js';
import { openReplyListener } from './platform/queue/replies.js';
import { SCHEDULED_QUEUE } from './summary/freshness.js';
import { summaryAgeSeconds } from './summary/queries.js';
import { defineUser } from './users/model.js';

const DEFAULT_HOST = '0.0.0.0';
/** Connections for adding to the two queues, where they live in Postgres. */
const QUEUE_POOL_MAX = 4;

async function start(config: Config, log: Log, onStop: OnStop): Promise<void> {
  startMetrics('web');
  armFailPoint(config.failPoint);
  const directUrl = await openReadyDatabase(config, 'web', log, onStop);
  const { databaseReplicaUrl: url, databasePoolMax: poolMax } = config;
  if (url !== undefined) openReplica({ url, poolMax, name: 'tradepost-web' }, log, onStop);
  defineCompany(db());
  defineApiKey(db());
  defineUser(db());
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
  const submitter = await openSubmitter(config, directUrl, queueing, log, onStop);
  let stopping = false;
  const health = healthRoutes({
    queueing,
    oldestQueuedSeconds,
    isStopping: () => stopping,
  });
  const secret = await loadSecret(config.sessionSecret, config.dataDir);
  const { redis, breaker } = queueing;
  const shared = redis && { redis, breaker };
  const queues = {
    invoices: await queueing.shardProducers('invoices'),
    stock: await queueing.shardProducers('stock'),
    [SCHEDULED_QUEUE]: [await queueing.producer(SCHEDULED_QUEUE)],
  };
  const app = buildApp({ config, secret, shared, submitter, queues, health, log, onStop });
  addGauges(queues);
  const server = createHttpServer(app.callback());
  onStop('http', () => server.close());
  onStop('readiness', () => {
    stopping = true;
    submitter.finishSoon();
  });
  const port = await listen(server, config);
  log.info({ host: config.host ?? DEFAULT_HOST, port, queue: queueing.mode }, 'listening');
  process.send?.({ ready: true, port });
}

async function openSubmitter(
  config: Config,
  directUrl: string,
  queueing: Queueing,
  log: Log,
  onStop: OnStop,
): Promise<Submitter> {
  let replyTo = '';
  const submitter = createSubmitter({
    producers: {
      invoices: await queueing.shardProducers('invoices'),
      stock: await queueing.shardProducers('stock'),
    },
    kinds: WRITE_KINDS,
    replyTo: () => replyTo,
    log,
    onStop,
  });
  replyTo = openReplyListener(
    { databaseUrl: directUrl, redisUrl: config.redisUrl },
    replies => submitter.onReplies(replies),
    log,
    onStop,
  );
  return submitter;
}

/** What the stores know of the whole product's work; every web process tells the same. */
function addGauges(queues: QueueShards): void {
  addGauge('tradepost_queue_jobs', 'Jobs of the queue by state.', ['queue', 'state'], async () => {
    const depths = await Promise.all(
      Object.entries(queues).map(async ([queue, shards]) => ({
        queue,
        states: await totalDepth(shards),
      })),
    );
    return depths.flatMap(({ queue, states }) =>
      Object.entries(states).map(([state, value]) => ({ labels: { queue, state }, value })),
    );
  });
  addGauge(
    'tradepost_oldest_queued_job_seconds',
    'How long the oldest queued job has waited.',
    [],
    async () => [{ value: await oldestQueuedSeconds() }],
  );
  addGauge(
    'tradepost_summary_age_seconds',
    'How long the oldest invoice that its summary does not show yet has waited; 0 where all are shown.',
    [],
    async () => [{ value: await summaryAgeSeconds() }],
  );
}

/** Jobs by state over all shards of a queue. */
async function totalDepth(producers: readonly Producer[]): Promise<Record<string, number>> {
  const total: Record<string, number> = {};
  for (const depth of await Promise.all(producers.map(producer => producer.depth()))) {
    for (const [state, count] of Object.entries(depth)) total[state] = (total[state] ?? 0) + count;
  }
  return total;
}

async function listen(server: HttpServer, { port, host }: Config): Promise<number> {
  try {
    return await server.listen(port, host ?? DEFAULT_HOST);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    throw new StartError(
      `Port ${port} is in use. Stop what listens there, or set PORT (0 picks a free one).`,
    );
  }
}

const config = configOrExit();
await runProcess('web', config.logLevel, (log, onStop) => start(config, log, onStop));
