// Starts the web process: opens what the application needs and listens.
import type { Config } from '../config/index.js';
import { buildApp } from './app.js';
import { loadKeptKeys } from './companies/kept-keys.js';
import { openWriteTurns } from './companies/write-turns.js';
import { configureMail } from './emails/mail-settings.js';
import { openWaitingReaders } from './events/wait.js';
import { countFailedJobs, oldestQueuedSeconds } from './jobs/queries.js';
import { Submitter } from './jobs/submit/submitter.js';
import type { JobOutcome } from './jobs/write-kind.js';
import { openReplica } from './platform/db/replica.js';
import { healthRoutes } from './platform/http/health.js';
import { HttpServer } from './platform/http/server.js';
import { linkProblemsTo } from './platform/problem-document.js';
import { armFailPoint } from './platform/process/fail-point.js';
import { type OnStop, StartError } from './platform/process/lifecycle.js';
import { listenProblem } from './platform/process/listen-problem.js';
import type { Log } from './platform/process/log.js';
import { addGauge } from './platform/process/metrics.js';
import { loadSecret } from './platform/process/secret.js';
import { openQueues, type Producer, type QueueShards, type Queues } from './platform/queue/open.js';
import { openReplyListener } from './platform/queue/replies.js';
import { SCHEDULED_QUEUE } from './scheduled/schedules.js';
import { summaryAgeSeconds } from './summary/queries.js';
import { auditLagSeconds, hasViolations } from './verify/audit-documents.js';
import { readWebhookLag } from './webhooks/delivering/lag.js';
import { announceEvents, WAKE_UPS } from './webhooks/delivering/wake-ups.js';
import { configureWebhooks } from './webhooks/settings.js';
import { WRITE_KINDS, WRITE_QUEUES } from './write-kinds.js';

const DEFAULT_HOST = '0.0.0.0';
/** In Postgres mode: connections for adding jobs. */
const QUEUE_POOL_MAX = 4;

/**
 * Starts it on the opened database. `databaseUrl` is for work that needs a session of its own.
 * Returns the port.
 */
export async function startWeb(
  config: Config,
  databaseUrl: string,
  log: Log,
  onStop: OnStop,
): Promise<number> {
  armFailPoint(config.failPoint);
  await loadKeptKeys();
  openWriteTurns(log);
  configureMail(config);
  await configureWebhooks(config);
  if (config.publicUrl !== undefined) linkProblemsTo(config.publicUrl);
  const { databaseReplicaUrl, databasePoolMax: poolMax, redisUrl, queueShards: shards } = config;
  if (databaseReplicaUrl !== undefined)
    openReplica({ url: databaseReplicaUrl, poolMax, name: 'tradepost-web' }, log, onStop);
  const queues = await openQueues(
    { databaseUrl, redisUrl, shards, poolMax: QUEUE_POOL_MAX },
    log,
    onStop,
  );
  const producers = await openProducers(queues);
  announceEvents(await queues.producer(WAKE_UPS), log, onStop);
  addGauges(producers);
  const submitter = openSubmitter(producers, { databaseUrl, redisUrl }, log, onStop);
  let stopping = false;
  const app = buildApp({
    config,
    secret: await loadSecret(config.sessionSecret, config.dataDir),
    shared: queues.redis && { redis: queues.redis, breaker: queues.breaker },
    submitter,
    producers,
    health: healthRoutes(
      {
        queues,
        databaseUrl: config.databaseUrl ?? databaseUrl,
        oldestQueuedSeconds,
        countFailedJobs,
        hasViolations,
        isStopping: () => stopping,
      },
      onStop,
    ),
    log,
    onStop,
  });
  const server = new HttpServer(app.callback());
  onStop('http', () => server.close());
  openWaitingReaders(log, onStop);
  onStop('readiness', () => {
    stopping = true;
    submitter.finishSoon();
  });
  const port = await listen(server, config);
  log.info({ host: config.host ?? DEFAULT_HOST, port, queue: queues.mode }, 'listening');
  return port;
}

/** The producers of all queues, by the queue's name. */
async function openProducers(queues: Queues): Promise<QueueShards> {
  const shards = WRITE_QUEUES.map(async ({ name }) => [name, await queues.shardProducers(name)]);
  return {
    ...Object.fromEntries(await Promise.all(shards)),
    [SCHEDULED_QUEUE]: [await queues.producer(SCHEDULED_QUEUE)],
  };
}

function openSubmitter(
  producers: QueueShards,
  stores: { databaseUrl: string; redisUrl: string | undefined },
  log: Log,
  onStop: OnStop,
): Submitter {
  let address = '';
  const replyTo = () => address;
  const submitter = new Submitter({ kinds: WRITE_KINDS, producers, replyTo, log, onStop });
  address = openReplyListener<JobOutcome>(
    stores,
    replies => submitter.onReplies(replies),
    log,
    onStop,
  );
  return submitter;
}

/** Figures of the whole installation, read from the stores; all web processes report the same. */
function addGauges(producers: QueueShards): void {
  addGauge(
    'tradepost_queue_jobs',
    'Jobs in the queue, by queue and state.',
    ['queue', 'state'],
    async () => {
      const depths = await Promise.all(
        Object.entries(producers).map(async ([queue, shards]) => ({
          queue,
          states: await totalDepth(shards),
        })),
      );
      return depths.flatMap(({ queue, states }) =>
        Object.entries(states).map(([state, value]) => ({ labels: { queue, state }, value })),
      );
    },
  );
  addGauge('tradepost_oldest_queued_job_seconds', 'Age of the oldest queued job.', [], async () => [
    { value: await oldestQueuedSeconds() },
  ]);
  addGauge(
    'tradepost_failed_jobs',
    'Jobs that failed because of an internal error and need an operator.',
    [],
    async () => [{ value: await countFailedJobs() }],
  );
  addGauge(
    'tradepost_summary_age_seconds',
    'Age of the oldest invoice that its summary does not include yet; 0 if there is none.',
    [],
    async () => [{ value: await summaryAgeSeconds() }],
  );
  addGauge(
    'tradepost_audit_lag_seconds',
    'Age of the oldest row that the audit has not checked; 0 if there is none.',
    [],
    async () => [{ value: await auditLagSeconds() }],
  );
  addGauge(
    'tradepost_webhook_lag_seconds',
    'Age of the oldest event that an active webhook endpoint has not reached, by health.',
    ['health'],
    readWebhookLag,
  );
}

/** The number of jobs by state, over all shards of a queue. */
async function totalDepth(producers: readonly Producer[]): Promise<Record<string, number>> {
  const total: Record<string, number> = {};
  for (const depth of await Promise.all(producers.map(producer => producer.depth()))) {
    for (const [state, count] of Object.entries(depth)) total[state] = (total[state] ?? 0) + count;
  }
  return total;
}

async function listen(server: HttpServer, config: Config): Promise<number> {
  const { port, host = DEFAULT_HOST } = config;
  try {
    return await server.listen(port, host);
  } catch (error) {
    throw new StartError(listenProblem(error, host, port));
  }
}
