// A stack in one process: web, worker and scheduler, as the arguments name them. Starting one
// process takes a third of the CPU time of three, and so does an idle one.
import { configOrExit } from '../../config/index.js';
import { closeDatabase, openDatabase } from '../../src/platform/db/connection.js';
import { type OnStop, runProcess } from '../../src/platform/process/lifecycle.js';
import { createLog, type Log } from '../../src/platform/process/log.js';
import { startMetrics } from '../../src/platform/process/metrics.js';
import { startWeb } from '../../src/web.js';
import { startScheduler } from '../../workers/start-scheduler.js';
import { startWorker } from '../../workers/start-worker.js';

/** As many as in a web process and a worker of the default configuration. */
const POOLS = { poolMax: 14, modelsMax: 2, listsMax: 4 };
/** All the work shares one event loop, and a slow host runs several stacks and browsers. */
const LIMITS = { idleInTransactionMs: 15_000 };

/** In the order of their start: web stops first. */
const PARTS = { scheduler: startScheduler, worker: startWorker, web: startWeb };

const config = configOrExit();
const named = process.argv.slice(2);

async function startParts(url: string, onStop: OnStop): Promise<number> {
  let port = 0;
  for (const [type, start] of Object.entries(PARTS)) {
    if (!named.includes(type)) continue;
    const log: Log = createLog(type, config.logLevel);
    port = (await start(config, url, log, onStop)) ?? port;
  }
  return port;
}

await runProcess('stack', config, async (_, onStop) => {
  startMetrics('web');
  const { databaseUrl: url = '' } = config;
  // A worker's plans serve the reads of web as well.
  openDatabase({ url, name: 'tradepost-stack', ...POOLS, lookupPlans: true, limits: LIMITS });
  onStop('database', closeDatabase);
  process.send?.({ ready: true, port: await startParts(url, onStop) });
});
