// The web process: opens what the application needs, listens, and lets go in order.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Config, loadConfig } from '../config/index.js';
import { buildApp, WRITE_KINDS } from './app.js';
import { oldestQueuedSeconds } from './jobs/queries.js';
import { createSubmitter, type Submitter } from './jobs/service.js';
import { openReadyDatabase } from './platform/boot.js';
import { healthRoutes } from './platform/http/health.js';
import { type OnStop, orExit, runProcess, StartError } from './platform/lifecycle.js';
import type { Log } from './platform/log.js';
import { openQueueing, type Queueing } from './platform/queue.js';
import { openReplyListener } from './platform/replies.js';
import { loadSecret } from './platform/secret.js';

const DEFAULT_HOST = '0.0.0.0';
/** Connections for adding to the two queues, where they live in Postgres. */
const QUEUE_POOL_MAX = 4;
/** A client gets this long for its headers, and for its whole request. */
const HEADERS_TIMEOUT_MS = 10_000;
const REQUEST_TIMEOUT_MS = 30_000;
/** Above what usual proxies keep idle connections for, so that they close first. */
const KEEP_ALIVE_TIMEOUT_MS = 65_000;

async function start(config: Config, log: Log, onStop: OnStop): Promise<void> {
  const databaseUrl = await openReadyDatabase(config, 'web', log, onStop);
  const queueing = await openQueueing({ databaseUrl, redisUrl: config.redisUrl, poolMax: QUEUE_POOL_MAX }, log, onStop);
  const submitter = await openSubmitter(config, databaseUrl, queueing, log, onStop);
  let stopping = false;
  const health = healthRoutes({
    queueing,
    oldestQueuedSeconds,
    isStopping: () => stopping,
  });
  const secret = await loadSecret(config.sessionSecret, config.dataDir);
  const app = buildApp({ config, secret, redis: queueing.redis, submitter, health, log, onStop });
  const server = createServer(
    {
      headersTimeout: HEADERS_TIMEOUT_MS,
      requestTimeout: REQUEST_TIMEOUT_MS,
      keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
      connectionsCheckingInterval: 1_000,
    },
    app.callback(),
  );
  onStop('http', () => closeServer(server));
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
  databaseUrl: string,
  queueing: Queueing,
  log: Log,
  onStop: OnStop,
): Promise<Submitter> {
  let replyTo = '';
  const submitter = createSubmitter({
    producers: { invoices: await queueing.producer('invoices'), stock: await queueing.producer('stock') },
    kinds: WRITE_KINDS,
    replyTo: () => replyTo,
    log,
    onStop,
  });
  replyTo = openReplyListener(
    { databaseUrl, redisUrl: config.redisUrl },
    replies => submitter.onReplies(replies),
    log,
    onStop,
  );
  return submitter;
}

function listen(server: Server, { port, host }: Config): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const inUse = error.code === 'EADDRINUSE';
      reject(
        inUse
          ? new StartError(`Port ${port} is in use. Stop what listens there, or set PORT (0 picks a free one).`)
          : error,
      );
    });
    server.listen(port, host ?? DEFAULT_HOST, () => resolve((server.address() as AddressInfo).port));
  });
}

/** Takes no new connections and lets the requests in hand finish. */
function closeServer(server: Server): Promise<void> {
  return new Promise(resolve => {
    server.close(() => resolve());
    server.closeIdleConnections();
  });
}

const config = orExit(loadConfig);
await runProcess('web', config.logLevel, (log, onStop) => start(config, log, onStop));
