// The metrics of processes without an HTTP port. Each stores a copy of its own in process_metrics,
// and every web process shows them beside its own under /metrics.
import { hostname } from 'node:os';
import { orNullAfter } from '../async/timeout.js';
import { describeError } from '../postgres-errors.js';
import type { OnStop } from '../process/lifecycle.js';
import type { Log } from '../process/log.js';
import { METRICS_TIMEOUT_MS, mergeMetrics, ownMetrics } from '../process/metrics.js';
import { query } from './connection.js';

const PUBLISH_EVERY_MS = 10_000;
/** Older metrics belong to a process that has ended. */
const SHOWN_FOR_SECONDS = 30;

/** Publishes this process's metrics until it stops. */
export function publishMetrics(type: string, log: Log, onStop: OnStop): void {
  const name = `${type}-${hostname()}-${process.pid}`;
  const publish = async (): Promise<void> => {
    await query(
      `INSERT INTO process_metrics (name, figures, updated_at)
       VALUES ($1, $2, now())
       ON CONFLICT (name) DO UPDATE SET figures = excluded.figures, updated_at = now()`,
      [name, JSON.stringify(await ownMetrics())],
    );
  };
  const tryPublish = () =>
    void publish().catch(error =>
      log.debug({ err: describeError(error) }, 'metrics not published'),
    );
  tryPublish();
  const timer = setInterval(tryPublish, PUBLISH_EVERY_MS);
  onStop('metrics', async () => {
    clearInterval(timer);
    await query('DELETE FROM process_metrics WHERE name = $1', [name]);
  });
}

/** Deletes the metrics of processes that ended without doing so. */
export async function deleteEndedMetrics(): Promise<void> {
  await query(`DELETE FROM process_metrics WHERE updated_at < now() - interval '1 hour'`, []);
}

/** This process's metrics and the published ones, as Prometheus text. */
export async function renderMetrics(): Promise<{ text: string; type: string }> {
  const [own, published] = await Promise.all([
    ownMetrics(),
    orNullAfter(METRICS_TIMEOUT_MS, publishedMetrics),
  ]);
  return mergeMetrics([own, ...(published ?? [])]);
}

async function publishedMetrics(): Promise<object[]> {
  const rows = await query<{ figures: object }>(
    `SELECT figures
     FROM process_metrics
     WHERE updated_at > now() - $1 * interval '1 second'
     ORDER BY name`,
    [SHOWN_FOR_SECONDS],
  );
  return rows.map(({ figures }) => figures);
}
