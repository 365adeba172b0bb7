// The processor time that a stack takes without requests.
import { setTimeout as delay } from 'node:timers/promises';
import { until } from '../support/processes.js';
import { cpu, measure } from './measure.js';
import { rounded } from './numbers.js';
import { openCounter } from './statements.js';
import type { Testbed } from './testbed.js';
import { WORKLOADS } from './workloads.js';

/** Some requests first: an idle stack has plans, compiled code and open connections. */
const REQUESTS_MS = 3_000;
/** Ages of what is not summed up or audited. */
const IS_BEHIND = /^tradepost_(summary_age|audit_lag)_seconds\S* (?!0$)/mu;
const CAUGHT_UP_MS = 600_000;
/**
 * After the last write V8 collects garbage for a while, and Postgres vacuums and analyzes tables
 * within two rounds of its launcher, a minute each.
 */
const REST_MS = 130_000;

export interface Idle {
  readonly seconds: number;
  /** Percent of one processor, by process type. */
  readonly percent: Readonly<Record<string, number>>;
  readonly total: number;
}

/** Prints what an idle second costs, and with `countsStatements` its most expensive statements. */
export async function measureIdle(
  testbed: Testbed,
  seconds: number,
  countsStatements: boolean,
  say: (text: string) => void,
): Promise<Idle> {
  const mixed = WORKLOADS.find(({ name }) => name === 'mixed');
  const times = { warmUpMs: 0, measureMs: REQUESTS_MS };
  if (mixed) await measure({ name: 'product', testbed, server: 'product' }, mixed, times);
  await caughtUp(testbed);
  await delay(REST_MS);
  const counter = countsStatements ? await openCounter(testbed.databaseUrl) : null;
  await counter?.start();
  const before = cpu(testbed, testbed.processes);
  await delay(seconds * 1000);
  const after = cpu(testbed, testbed.processes);
  const percent = Object.fromEntries(
    Object.entries(after).map(([name, ms]) => [name, (ms - (before[name] ?? 0)) / seconds / 10]),
  );
  const total = Object.values(percent).reduce((sum, share) => sum + share, 0);
  const shares = Object.entries(percent).map(([name, share]) => `${name} ${rounded(share)}`);
  say(`idle for ${seconds} s: ${rounded(total)} % of one processor: ${shares.join(', ')}`);
  await counter?.end(seconds, 'second', say);
  return { seconds, percent, total };
}

async function caughtUp({ processes }: Testbed): Promise<void> {
  const port = processes.find(({ name }) => name === 'web')?.port;
  const isCaughtUp = async () => {
    const response = await fetch(`http://127.0.0.1:${port}/metrics`);
    return !IS_BEHIND.test(await response.text());
  };
  await until('everything is summed up and audited', isCaughtUp, CAUGHT_UP_MS);
}
