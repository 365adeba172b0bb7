// The process's own metrics (prom-client). Those of processes without an HTTP port reach /metrics
// through Postgres: see db/published-metrics.ts.
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

/** A scrape waits this long for a value from a store. */
export const METRICS_TIMEOUT_MS = 2_000;
/** The lag of the event loop is measured this often: each time wakes an idle process. */
const LAG_PRECISION_MS = 50;
const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

const registry = new Registry();
const registers = [registry];

export const httpRequests = new Histogram({
  name: 'tradepost_http_request_duration_seconds',
  help: 'Number and duration of requests by method, route and status.',
  labelNames: ['method', 'route', 'status'],
  buckets: SECONDS,
  registers,
});

export const refusals = new Counter({
  name: 'tradepost_refusals_total',
  help: 'Requests answered with a problem, by its code.',
  labelNames: ['code'],
  registers,
});

export const replicaReads = new Counter({
  name: 'tradepost_replica_reads_total',
  help: 'Reads sent to the replica: answered, or read from the primary (behind, unavailable).',
  labelNames: ['outcome'],
  registers,
});

export const auditViolations = new Counter({
  name: 'tradepost_audit_violations_total',
  help: 'Violations that the audit found in new rows, by invariant.',
  labelNames: ['violation'],
  registers,
});

const batchSizes = new Histogram({
  name: 'tradepost_batch_size',
  help: 'Writes settled in one transaction.',
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

/** Records a committed batch of writes and the time that each took. */
export function countBatch(type: string, writes: readonly { acceptedAt: string | Date }[]): void {
  batchSizes.observe({ type }, writes.length);
  const now = Date.now();
  for (const { acceptedAt } of writes) {
    jobLatency.observe({ type }, Math.max(0, now - new Date(acceptedAt).getTime()) / 1000);
  }
}

let isStarted = false;

/** Starts the metrics that every process has: event-loop lag, memory and CPU time. */
export function startMetrics(type: string): void {
  if (isStarted) return;
  isStarted = true;
  registry.setDefaultLabels({
    process: type === 'web' ? 'web' : `${type}-${hostname()}-${process.pid}`,
  });
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: LAG_PRECISION_MS });
}

export interface GaugeValue {
  readonly labels?: Record<string, string>;
  readonly value: number;
}

/**
 * Adds a gauge that is read at each scrape, and left out of it without a value in time. A repeated
 * start replaces it.
 */
export function addGauge(
  name: string,
  help: string,
  labelNames: readonly string[],
  read: () => Promise<readonly GaugeValue[]>,
): void {
  registry.removeSingleMetric(name);
  new Gauge({
    name,
    help,
    labelNames,
    registers,
    async collect() {
      this.reset();
      for (const { labels = {}, value } of (await orNullAfter(METRICS_TIMEOUT_MS, read)) ?? [])
        this.set(labels, value);
    },
  });
}

/** Adds a counter of this process. A repeated start keeps it. */
export function addCounter(
  name: string,
  help: string,
  labelNames: readonly string[],
): Counter<string> {
  const existing = registry.getSingleMetric(name) as Counter<string> | undefined;
  return existing ?? new Counter({ name, help, labelNames, registers });
}

export function ownMetrics(): Promise<object[]> {
  return registry.getMetricsAsJSON();
}

/** Metrics of several processes as one Prometheus text. */
export async function mergeMetrics(
  metrics: readonly object[],
): Promise<{ text: string; type: string }> {
  const merged = AggregatorRegistry.aggregate([...metrics]);
  return { text: await merged.metrics(), type: merged.contentType };
}
