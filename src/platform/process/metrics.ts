// A process's metrics (prom-client). Web processes serve /metrics; the others have no HTTP port, so
// they publish theirs in the table process_metrics, and every web process includes them.
import { hostname } from 'node:os';
import {
  AggregatorRegistry,
  Counter,
  collectDefaultMetrics,
  Gauge,
  Histogram,
  Registry,
} from 'prom-client';
import { orNullAfter } from '../async/timeout.js';
import { db, query } from '../db/connection.js';
import { describeError } from '../postgres-errors.js';
import type { OnStop } from './lifecycle.js';
import type { Log } from './log.js';

/** A scrape waits no longer than this for a value from a store. */
const READ_TIMEOUT_MS = 2_000;
const PUBLISH_EVERY_MS = 5_000;
/** Older metrics belong to a process that has exited. */
const SHOWN_FOR_SECONDS = 30;
/** Histogram buckets. */
const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

const registry = new Registry();
const registers = [registry];

export const httpRequests = new Histogram({
  name: 'tradepost_http_request_duration_seconds',
  help: 'HTTP request duration by method, route and status.',
  labelNames: ['method', 'route', 'status'],
  buckets: SECONDS,
  registers,
});

export const refusals = new Counter({
  name: 'tradepost_refusals_total',
  help: 'Error responses by problem code.',
  labelNames: ['code'],
  registers,
});

export const replicaReads = new Counter({
  name: 'tradepost_replica_reads_total',
  help: 'Reads meant for the replica, by outcome: answered by it or by the primary.',
  labelNames: ['outcome'],
  registers,
});

const batchSizes = new Histogram({
  name: 'tradepost_batch_size',
  help: 'Writes settled per transaction.',
  labelNames: ['type'],
  buckets: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000],
  registers,
});

const jobLatency = new Histogram({
  name: 'tradepost_job_duration_seconds',
  help: 'Time from the acceptance of a write to its commit.',
  labelNames: ['type'],
  buckets: [...SECONDS, 60, 300, 3600],
  registers,
});

/** Records a committed batch and the duration of each of its writes. */
export function countBatch(type: string, writes: readonly { acceptedAt: string | Date }[]): void {
  batchSizes.observe({ type }, writes.length);
  const now = Date.now();
  for (const { acceptedAt } of writes) {
    jobLatency.observe({ type }, Math.max(0, now - new Date(acceptedAt).getTime()) / 1000);
  }
}

/** Starts the metrics of every process: event-loop lag, memory, CPU, connections to Postgres. */
export function startMetrics(type: string): void {
  registry.setDefaultLabels({
    process: type === 'web' ? 'web' : `${type}-${hostname()}-${process.pid}`,
  });
  collectDefaultMetrics({ register: registry });
  addGauge(
    'tradepost_database_pool_connections',
    'Connections to Postgres: open, in use, and statements waiting for one.',
    ['state'],
    async () => {
      const { size, using, waiting } = poolOf();
      return Object.entries({ open: size, using, waiting }).map(([state, value]) => ({
        labels: { state },
        value,
      }));
    },
  );
}

export interface GaugeValue {
  readonly labels?: Record<string, string>;
  readonly value: number;
}

/** A gauge that is read at scrape time. If it cannot be read in time, the scrape omits it. */
export function addGauge(
  name: string,
  help: string,
  labelNames: readonly string[],
  read: () => Promise<readonly GaugeValue[]>,
): void {
  new Gauge({
    name,
    help,
    labelNames,
    registers,
    async collect() {
      this.reset();
      for (const { labels = {}, value } of (await orNullAfter(READ_TIMEOUT_MS, read)) ?? [])
        this.set(labels, value);
    },
  });
}

/** This process's metrics and those that other processes published, as Prometheus text. */
export async function renderMetrics(): Promise<{ text: string; type: string }> {
  const [own, others] = await Promise.all([
    registry.getMetricsAsJSON(),
    orNullAfter(READ_TIMEOUT_MS, publishedMetrics),
  ]);
  const merged = AggregatorRegistry.aggregate([own, ...(others ?? [])]);
  return { text: await merged.metrics(), type: merged.contentType };
}

/** Publishes this process's metrics for the web processes until it stops. */
export function publishMetrics(type: string, log: Log, onStop: OnStop): void {
  const name = `${type}-${hostname()}-${process.pid}`;
  const publish = async (): Promise<void> => {
    const figures = JSON.stringify(await registry.getMetricsAsJSON());
    await query(
      `WITH gone AS (DELETE FROM process_metrics WHERE updated_at < now() - interval '1 hour')
       INSERT INTO process_metrics (name, figures, updated_at) VALUES ($1, $2, now())
       ON CONFLICT (name) DO UPDATE SET figures = excluded.figures, updated_at = now()`,
      [name, figures],
    );
  };
  const timer = setInterval(() => {
    publish().catch(error => log.debug({ err: describeError(error) }, 'publishing metrics failed'));
  }, PUBLISH_EVERY_MS);
  onStop('published metrics', async () => {
    clearInterval(timer);
    await query('DELETE FROM process_metrics WHERE name = $1', [name]);
  });
}

async function publishedMetrics(): Promise<object[]> {
  const rows = await query<{ figures: object }>(
    `SELECT figures
     FROM process_metrics
     WHERE updated_at > now() - ${SHOWN_FOR_SECONDS} * interval '1 second'
     ORDER BY name`,
    [],
  );
  return rows.map(({ figures }) => figures);
}

interface Pool {
  readonly size: number;
  readonly using: number;
  readonly waiting: number;
}

function poolOf(): Pool {
  const { pool } = db().connectionManager as unknown as { pool: Pool & { write?: Pool } };
  return pool.write ?? pool;
}
