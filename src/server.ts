// The web process.
import { configOrExit } from '../config/index.js';
import { openReadyDatabase } from './platform/db/ready.js';
import { runProcess } from './platform/process/lifecycle.js';
import { startMetrics } from './platform/process/metrics.js';
import { startWeb } from './web.js';

const config = configOrExit();
await runProcess('web', config, async (log, onStop) => {
  startMetrics('web');
  const databaseUrl = await openReadyDatabase(config, 'web', onStop);
  const port = await startWeb(config, databaseUrl, log, onStop);
  process.send?.({ ready: true, port });
});
