// The worker process.
import { configOrExit } from '../config/index.js';
import { publishMetrics } from '../src/platform/db/published-metrics.js';
import { openReadyDatabase } from '../src/platform/db/ready.js';
import { runProcess } from '../src/platform/process/lifecycle.js';
import { startMetrics } from '../src/platform/process/metrics.js';
import { startWorker } from './start-worker.js';

const config = configOrExit();
await runProcess('worker', config, async (log, onStop) => {
  startMetrics('worker');
  const databaseUrl = await openReadyDatabase(config, 'worker', onStop);
  publishMetrics('worker', log, onStop);
  await startWorker(config, databaseUrl, log, onStop);
  process.send?.({ ready: true });
});
