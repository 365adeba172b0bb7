// One run of one workload against one server: what its clients saw, and what the machine spent on it.
import pg from 'pg';
import { until } from '../support/processes.js';
import { runLoad } from './load.js';
import type { Program, Running, Stage } from './stage.js';
import { cpuMs, familyCpuMs, forgetPeak, HAS_PROC, memoryMib } from './usage.js';
import type { Workload } from './workloads.js';

export type Server = 'product' | 'baseline' | 'koa';

/** What is measured, and by what name it is reported. */
export interface Side {
  readonly name: string;
  readonly stage: Stage;
  readonly server: Server;
}

/** The processes behind a server; redis and Postgres come with each. */
const PROCESSES: Record<Server, { entry: Program; all: readonly Program[] }> = {
  product: { entry: 'web', all: ['web', 'worker', 'scheduler'] },
  baseline: { entry: 'baseline', all: ['baseline'] },
  koa: { entry: 'koa', all: ['koa'] },
};
const SETTLE_TIMEOUT_MS = 120_000;

export interface Run {
  /** The side's name. */
  readonly side: string;
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

export async function measure(
  { name, stage, server }: Side,
  workload: Workload,
  times: Times,
): Promise<Run> {
  const { entry, all } = PROCESSES[server];
  const own = stage.processes.filter(process => all.includes(process.name));
  const ports = own.filter(process => process.name === entry).map(({ port }) => port);
  let before: Record<string, number> = {};
  let after: Record<string, number> = {};
  let begunAt = 0;
  const plan = { workload: workload.name, world: stage.world, ports, ...times };
  const result = await runLoad(
    plan,
    () => {
      begunAt = performance.now();
      for (const { pid } of own) forgetPeak(pid);
      before = cpu(stage, own);
    },
    () => {
      after = cpu(stage, own);
    },
  );
  let { ms } = result;
  if (workload.amount !== undefined && server === 'product') {
    await allSettled(stage);
    ms = performance.now() - begunAt;
    after = cpu(stage, own);
  }
  const shares = Object.entries(after).map(([part, spent]) => [
    part,
    (spent - (before[part] ?? 0)) / result.requests,
  ]);
  return {
    side: name,
    perSecond: (result.requests / ms) * 1000,
    p50Ms: result.p50Ms,
    p99Ms: result.p99Ms,
    cpuMsPerRequest: HAS_PROC ? shares.reduce((sum, [, share]) => sum + Number(share), 0) : null,
    cpuShares: Object.fromEntries(shares),
    peakMib: mostByName(own, 'peak'),
    unexpected: result.unexpected,
    failed: result.failed,
  };
}

/** Memory of the product's processes at this moment, in MiB: of several of a kind, the largest one's. */
export function memoryNow({ processes }: Stage): Record<string, number> {
  return mostByName(
    processes.filter(({ name }) => PROCESSES.product.all.includes(name)),
    'now',
  );
}

function mostByName(processes: readonly Running[], which: 'now' | 'peak'): Record<string, number> {
  const most: Record<string, number> = {};
  for (const { name, pid } of processes)
    most[name] = Math.max(most[name] ?? 0, memoryMib(pid)?.[which] ?? Number.NaN);
  return most;
}

function cpu({ postgresPid, redis }: Stage, processes: readonly Running[]): Record<string, number> {
  const spent: Record<string, number> = { postgres: familyCpuMs(postgresPid) ?? 0 };
  for (const { name, pid } of processes) spent[name] = (spent[name] ?? 0) + (cpuMs(pid) ?? 0);
  return redis ? { ...spent, redis: cpuMs(redis.pid) ?? 0 } : spent;
}

/** Waits until no job is queued: what was promised is done. */
async function allSettled({ databaseUrl }: Stage): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const none = async () =>
      (await client.query("SELECT 1 FROM jobs WHERE status = 'queued' LIMIT 1")).rowCount === 0;
    await until('every job is settled', none, SETTLE_TIMEOUT_MS);
  } finally {
    await client.end();
  }
}
