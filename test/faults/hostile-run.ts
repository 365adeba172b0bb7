// `npm run faults -- --hostile`: one company attacks in several ways, one after the other, while
// three others write and read. Fails if the others notice more than the limits below.
import { once } from 'node:events';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { memoryMib, resetPeak } from '../bench/usage.js';
import { makeCompany, receive, type TestCompany } from '../support/factories.js';
import { refuseOptions } from '../support/options.js';
import { until } from '../support/processes.js';
import type { Mode } from '../support/suite.js';
import type { Ends } from './hostile-attacker.js';
import { healthMs, type Measured, measureOthers, OWN_ITEMS } from './hostile-others.js';
import {
  type Attack,
  type Phase,
  type PhaseLimits,
  PHASES as REQUEST_PHASES,
  stackOf,
} from './hostile-phases.js';
import { WRITE_PHASES } from './hostile-writes.js';
import { System } from './system.js';

const OTHERS = 3;
const WEB = 'web.1';
const WARM_UP_MS = 5_000;

const MIN_SUCCEEDED = 0.99;
const LIMITS: PhaseLimits = { writesP99Ms: 1_000, readsP99Ms: 1_000, healthMs: 500 };
const MAX_WEB_MIB = 300;
/** Between two phases, the process is quiet again: so many prompt answers in a row. */
const QUIET = { answers: 10, ms: 100, timeoutMs: 180_000 };

const [none, ...others] = REQUEST_PHASES;
export const PHASES = [none as Phase, ...WRITE_PHASES, ...others];

export interface HostileOptions {
  readonly mode: Mode;
  readonly seconds: number;
  /** The names of the phases; all by default. */
  readonly phases?: readonly string[] | undefined;
  readonly say: (text: string) => void;
}

/** Resolves to the limits that were exceeded, one sentence each. */
export async function runHostile(options: HostileOptions): Promise<string[]> {
  const { mode, say } = options;
  const phases = PHASES.filter(({ name }) => options.phases?.includes(name) ?? true);
  const known = PHASES.map(({ name }) => name);
  const unknown = options.phases?.filter(name => !known.includes(name)) ?? [];
  if (unknown.length > 0) refuseOptions(`There is no attack ${unknown.join(', ')}.`);
  const system = new System({
    mode,
    counts: { web: 1, worker: 1, scheduler: 1 },
    smallDisk: false,
    onLine: () => undefined,
  });
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => void system.close().finally(() => process.exit(1)));
  try {
    await system.open();
    const others = await makeOthers(system);
    const violations: string[] = [];
    await measureOthers(system.webPorts[0] ?? 0, others, () => delay(WARM_UP_MS));
    for (const phase of phases)
      violations.push(...(await runPhase(system, phase, others, options)));
    violations.push(...system.history.breaches);
    for (const violation of violations) say(`VIOLATION ${violation}`);
    return violations;
  } finally {
    await system.close();
  }
}

async function makeOthers(system: System): Promise<TestCompany[]> {
  const companies = await Promise.all(
    Array.from({ length: OTHERS }, () => makeCompany(stackOf(system))),
  );
  for (const company of companies) await receive(company, ...OWN_ITEMS);
  return companies;
}

async function runPhase(
  system: System,
  phase: Phase,
  companies: readonly TestCompany[],
  { seconds, say }: HostileOptions,
): Promise<string[]> {
  const [port = 0] = system.webPorts;
  const attack = await phase.prepare(system);
  await untilQuiet(system);
  resetPeak(system.processes.pid(WEB));
  let ends: Ends = new Map();
  const ownDelay = monitorEventLoopDelay();
  ownDelay.enable();
  say(`${phase.name}: ${phase.what} …`);
  const others = await measureOthers(port, companies, async () => {
    ends = await runAttack(attack, seconds);
  }).finally(() => phase.end?.());
  ownDelay.disable();
  const ownMs = Math.round(ownDelay.max / 1e6);
  const webMib = Math.round(memoryMib(system.processes.pid(WEB))?.peak ?? 0);
  const health = Math.round(others.healthMs);
  const list = (counts: Ends) =>
    Array.from(counts, ([what, count]) => `${count} × ${what}`).join(', ') || 'none';
  say(`  writes of others: ${describe(others.writes)}`);
  say(`  reads of others:  ${describe(others.reads)}`);
  say(`  longest /healthz ${health} ms; peak of web ${webMib} MiB`);
  say(`  answers to the attacker: ${list(ends)}; this process was busy for ${ownMs} ms at most`);
  const exceeded = (what: string, isOver: boolean) => (isOver ? [`${phase.name}: ${what}`] : []);
  const { writesP99Ms, readsP99Ms, healthMs: maxHealthMs } = phase.limits ?? LIMITS;
  return [
    ...judge(`${phase.name}: writes`, others.writes, writesP99Ms),
    ...judge(`${phase.name}: reads`, others.reads, readsP99Ms),
    ...exceeded(`/healthz took ${health} ms, at most ${maxHealthMs}`, health > maxHealthMs),
    ...exceeded(`web took ${webMib} MiB, at most ${MAX_WEB_MIB}`, webMib > MAX_WEB_MIB),
  ];
}

/** Repeats the attack on a thread of its own. Resolves to how its requests ended. */
export async function runAttack(attack: Attack | null, seconds: number): Promise<Ends> {
  const program = new URL('./hostile-attacker.js', import.meta.url);
  const attacker = attack && new Worker(program, { workerData: attack });
  await delay(seconds * 1_000);
  if (!attacker) return new Map();
  attacker.postMessage('stop');
  const [ends] = await once(attacker, 'message');
  await attacker.terminate();
  return ends;
}

/**
 * Waits until earlier attacks have no more effect: web answers promptly, and no job is due. Never
 * fails, since the next phase shows it.
 */
async function untilQuiet(system: System): Promise<void> {
  const [port = 0] = system.webPorts;
  let prompt = 0;
  const isQuiet = async () => {
    prompt = (await healthMs(port)) <= QUIET.ms ? prompt + 1 : 0;
    if (prompt < QUIET.answers) return false;
    const due = `status = 'queued' AND run_at < now() + interval '1 hour'`;
    return (await system.query(`SELECT 1 FROM jobs WHERE ${due} LIMIT 1`)).length === 0;
  };
  await until('web is quiet', isQuiet, QUIET.timeoutMs).catch(() => undefined);
}

function judge(what: string, measured: Measured, maxP99Ms: number): string[] {
  const { share, p99Ms } = figuresOf(measured);
  return share >= MIN_SUCCEEDED && p99Ms <= maxP99Ms
    ? []
    : [`${what}: ${describe(measured)}, expected ${MIN_SUCCEEDED * 100} % and ${maxP99Ms} ms`];
}

function describe(measured: Measured): string {
  const { share, p50Ms, p99Ms } = figuresOf(measured);
  const failures = Array.from(measured.failures, ([what, count]) => `${count} × ${what}`);
  return (
    `${measured.times.length} requests, ${(share * 100).toFixed(1)} % succeeded` +
    `${failures.length > 0 ? ` (${failures.join(', ')})` : ''}, ` +
    `p50 ${Math.round(p50Ms)} ms, p99 ${Math.round(p99Ms)} ms`
  );
}

function figuresOf({ times, succeeded }: Measured) {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (part: number) => sorted[Math.ceil(sorted.length * part) - 1] ?? 0;
  return { share: succeeded / times.length, p50Ms: at(0.5), p99Ms: at(0.99) };
}
