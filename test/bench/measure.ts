// One run of one workload against one server: what its clients saw, and what the machine spent on it.
import pg from 'pg';
import { until } from '../support/processes.js';
import { runLoad } from './load.js';
import type { Program, Stage } from './stage.js';
import { cpuMs, familyCpuMs, forgetPeak, HAS_PROC, memoryMib } from './usage.js';
import type { Workload } from './workloads.js';

export type Server = 'product' | 'baseline' | 'koa';

/** The processes behind a server; redis and Postgres come with each. */
const PROCESSES: Record<Server, { entry: Program; all: readonly Program[] }> = {
  product: { entry: 'web', all: ['web', 'worker', 'scheduler'] },
  baseline: { entry: 'baseline', all: ['baseline'] },
  koa: { entry: 'koa', all: ['koa'] },
};
const SETTLE_TIMEOUT_MS = 120_000;

export interface Run {
  readonly server: Server;
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Processor time of all processes, the clients' left out; null without /proc. */
  readonly cpuMsPerRequest: number | null;
  /** The same by process. */
  readonly cpuShares: Readonly<Record<string, number>>;
  /** Most resident memory of each process while measuring, in MiB. */
  readonly peakMib: Readonly<Record<string, number>>;
  readonly unexpected: number;
  readonly failed: number;
}

export interface Times {
  readonly warmUpMs: number;
  readonly measureMs: number;
}

export async function measure(stage: Stage, server: Server, workload: Workload, times: Times): Promise<Run> {
  const { entry, all } = PROCESSES[server];
  const pids = all.map(name => stage.processes[name].pid);
  let before: Record<string, number> = {};
  let after: Record<string, number> = {};
  let begunAt = 0;
  const plan = { workload: workload.name, world: stage.world, port: stage.processes[entry].port, ...times };
  const result = await runLoad(
    plan,
    () => {
      begunAt = performance.now();
      for (const pid of pids) forgetPeak(pid);
      before = cpu(stage, all);
    },
    () => {
      after = cpu(stage, all);
    },
  );
  let { ms } = result;
  if (workload.amount !== undefined && server === 'product') {
    await allSettled(stage);
    ms = performance.now() - begunAt;
    after = cpu(stage, all);
  }
  const shares = Object.entries(after).map(([name, spent]) => [name, (spent - (before[name] ?? 0)) / result.requests]);
  return {
    server,
    perSecond: (result.requests / ms) * 1000,
    p50Ms: result.p50Ms,
    p99Ms: result.p99Ms,
    cpuMsPerRequest: HAS_PROC ? shares.reduce((sum, [, share]) => sum + Number(share), 0) : null,
    cpuShares: Object.fromEntries(shares),
    peakMib: Object.fromEntries(all.map((name, at) => [name, memoryMib(pids[at] ?? 0)?.peak ?? Number.NaN])),
    unexpected: result.unexpected,
    failed: result.failed,
  };
}

/** Memory of the product's processes at this moment, in MiB. */
export function memoryNow(stage: Stage): Record<string, number> {
  const { all } = PROCESSES.product;
  return Object.fromEntries(all.map(name => [name, memoryMib(stage.processes[name].pid)?.now ?? Number.NaN]));
}

function cpu({ processes, postgresPid, redis }: Stage, names: readonly Program[]): Record<string, number> {
  return {
    ...Object.fromEntries(names.map(name => [name, cpuMs(processes[name].pid) ?? 0])),
    postgres: familyCpuMs(postgresPid) ?? 0,
    ...(redis ? { redis: cpuMs(redis.pid) ?? 0 } : {}),
  };
}

/** Waits until no job is queued: what was promised is done. */
async function allSettled({ databaseUrl }: Stage): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const none = async () => (await client.query("SELECT 1 FROM jobs WHERE status = 'queued' LIMIT 1")).rowCount === 0;
    await until('every job is settled', none, SETTLE_TIMEOUT_MS);
  } finally {
    await client.end();
  }
}
