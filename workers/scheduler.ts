// The scheduler process.
import { configOrExit } from '../config/index.js';
import { publishMetrics } from '../src/platform/db/published-metrics.js';
import { openReadyDatabase } from '../src/platform/db/ready.js';
import { runProcess } from '../src/platform/process/lifecycle.js';
import { startMetrics } from '../src/platform/process/metrics.js';
import { startScheduler } from './start-scheduler.js';

const config = configOrExit();
await runProcess('scheduler', config, async (log, onStop) => {
  startMetrics('scheduler');
  const databaseUrl = await openReadyDatabase(config, 'scheduler', onStop);
  publishMetrics('scheduler', log, onStop);
  await startScheduler(config, databaseUrl, log, onStop);
  process.send?.({ ready: true });
});
