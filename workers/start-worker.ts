// Starts the worker process, which settles the submissions of the queues and the queued rows that
// are due, and sends e-mails and webhooks. Wiring only.
import type { Config } from '../config/index.js';
import { loadKeptKeys } from '../src/companies/kept-keys.js';
import { prepareEmail } from '../src/documents/emails/attachments.js';
import { configureMail, mailSettings } from '../src/emails/mail-settings.js';
import { sendEmailsForever } from '../src/emails/sending/run.js';
import { IMPORT_KINDS } from '../src/import-kinds.js';
import { runImportsForever } from '../src/imports/work.js';
import { Settlement } from '../src/jobs/settle/settlement.js';
import type { Submission } from '../src/jobs/write-kind.js';
import { OngoingWork } from '../src/platform/async/ongoing-work.js';
import { linkProblemsTo } from '../src/platform/problem-document.js';
import { armFailPoint } from '../src/platform/process/fail-point.js';
import type { OnStop } from '../src/platform/process/lifecycle.js';
import type { Log } from '../src/platform/process/log.js';
import { openQueues } from '../src/platform/queue/open.js';
import { openReplySender } from '../src/platform/queue/replies.js';
import type { JobHandler } from '../src/platform/queue/worker.js';
import { deliverWebhooksForever } from '../src/webhooks/delivering/run.js';
import { announceEvents, WAKE_UPS, WAKE_UPS_AT_ONCE } from '../src/webhooks/delivering/wake-ups.js';
import { configureWebhooks } from '../src/webhooks/settings.js';
import { WRITE_QUEUES } from '../src/write-kinds.js';

/** In Postgres mode: one connection per queue listens, the others fetch and finish jobs. */
const QUEUE_POOL_MAX = 9;

/** Starts it on the opened database. `databaseUrl` is for work that needs a session of its own. */
export async function startWorker(
  config: Config,
  databaseUrl: string,
  log: Log,
  onStop: OnStop,
): Promise<void> {
  armFailPoint(config.failPoint);
  await loadKeptKeys();
  if (config.publicUrl !== undefined) linkProblemsTo(config.publicUrl);
  const { batchMax, redisUrl, queueShards: shards, workerConcurrency } = config;
  const queues = await openQueues(
    { databaseUrl, redisUrl, shards, poolMax: QUEUE_POOL_MAX },
    log,
    onStop,
  );
  const reply = openReplySender(queues);
  const writes = new OngoingWork();
  const handlers = WRITE_QUEUES.map(queue => {
    const settlement = new Settlement(queue, { batchMax, reply, log });
    settlement.recoverForever(onStop);
    const handle: JobHandler = ({ data }) =>
      writes.during(settlement.take((data as { submissions: Submission[] }).submissions));
    return [queue.name, handle] as const;
  });
  await queues.shardWorkers(Object.fromEntries(handlers), workerConcurrency);
  configureMail(config);
  sendEmailsForever(
    { prepare: prepareEmail, settings: mailSettings(), hasWrites: () => writes.isOn },
    log,
    onStop,
  );
  await configureWebhooks(config);
  const wakeEndpoints = deliverWebhooksForever(config.webhooks, log, onStop);
  if (wakeEndpoints) await queues.worker(WAKE_UPS, WAKE_UPS_AT_ONCE, wakeEndpoints);
  announceEvents(await queues.producer(WAKE_UPS), log, onStop);
  for (const kind of IMPORT_KINDS) runImportsForever(kind, log, onStop);
  log.info({ queue: queues.mode }, 'working');
}
