// Measures one run of one workload against one server: what its clients saw, and its cost.
import pg from 'pg';
import { until } from '../support/processes.js';
import { runLoad } from './load.js';
import type { Program, Running, Testbed } from './testbed.js';
import { cpuMs, familyCpuMs, HAS_PROC, memoryMib, resetPeak } from './usage.js';
import type { Workload } from './workloads.js';

export type Server = 'product' | 'baseline' | 'koa' | 'rung';

/** A measured server and its name in the report. */
export interface Side {
  readonly name: string;
  readonly testbed: Testbed;
  readonly server: Server;
}

/** The processes of a server, apart from Redis and Postgres. */
const PROCESSES: Record<Server, { entry: Program; all: readonly Program[] }> = {
  product: { entry: 'web', all: ['web', 'worker', 'scheduler'] },
  baseline: { entry: 'baseline', all: ['baseline'] },
  koa: { entry: 'koa', all: ['koa'] },
  rung: { entry: 'rung', all: ['rung', 'rung-worker'] },
};
const SETTLE_TIMEOUT_MS = 120_000;

export interface Run {
  /** The side's name. */
  readonly side: string;
  /** Requests, or the writes in them. */
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Processor time of all server processes, or per write; null without /proc. */
  readonly cpuMsPerRequest: number | null;
  /** The same by process type. */
  readonly cpuShares: Readonly<Record<string, number>>;
  /** Peak resident memory of each process while measuring, in MiB. */
  readonly peakMib: Readonly<Record<string, number>>;
  readonly unexpected: number;
  readonly failed: number;
}

export interface Times {
  readonly warmUpMs: number;
  readonly measureMs: number;
}

export async function measure(
  { name, testbed, server }: Side,
  workload: Workload,
  times: Times,
): Promise<Run> {
  const { entry, all } = PROCESSES[server];
  const own = testbed.processes.filter(process => all.includes(process.name));
  const ports = own.filter(process => process.name === entry).map(({ port }) => port);
  let before: Record<string, number> = {};
  let after: Record<string, number> = {};
  let startedAt = 0;
  const plan = { workload: workload.name, world: testbed.world, ports, ...times };
  const result = await runLoad(
    plan,
    () => {
      startedAt = performance.now();
      for (const { pid } of own) resetPeak(pid);
      before = cpu(testbed, own);
    },
    () => {
      after = cpu(testbed, own);
    },
  );
  let { ms } = result;
  if (workload.amount !== undefined && server === 'product') {
    await allSettled(testbed);
    ms = performance.now() - startedAt;
    after = cpu(testbed, own);
  }
  const writes = result.requests * (workload.writes ?? 1);
  const shares = Object.entries(after).map(([part, spent]) => [
    part,
    (spent - (before[part] ?? 0)) / writes,
  ]);
  return {
    side: name,
    perSecond: (writes / ms) * 1000,
    p50Ms: result.p50Ms,
    p99Ms: result.p99Ms,
    cpuMsPerRequest: HAS_PROC ? shares.reduce((sum, [, share]) => sum + Number(share), 0) : null,
    cpuShares: Object.fromEntries(shares),
    peakMib: mostByName(own, 'peak'),
    unexpected: result.unexpected,
    failed: result.failed,
  };
}

/** Current memory in MiB by process type: the largest process of each type. */
export function memoryNow({ processes }: Testbed): Record<string, number> {
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

/** Processor time so far in milliseconds, by program, and of Postgres and Redis. */
export function cpu(
  { postgresPid, redis }: Testbed,
  processes: readonly Running[],
): Record<string, number> {
  const spent: Record<string, number> = {};
  for (const { name, pid } of processes) spent[name] = (spent[name] ?? 0) + (cpuMs(pid) ?? 0);
  spent.postgres = familyCpuMs(postgresPid) ?? 0;
  return redis ? { ...spent, redis: familyCpuMs(redis.pid) ?? 0 } : spent;
}

/** Waits until no job is queued. */
async function allSettled({ databaseUrl }: Testbed): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const isSettled = async () =>
      (await client.query("SELECT 1 FROM jobs WHERE status = 'queued' LIMIT 1")).rowCount === 0;
    await until('every job is settled', isSettled, SETTLE_TIMEOUT_MS);
  } finally {
    await client.end();
  }
}
