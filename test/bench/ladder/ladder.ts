// The processor time of each step of a create. Every rung of the ladder is a process that goes one
// step further than the one before, under the load of 64 clients.
import { measure, type Times } from '../measure.js';
import type { Program, Started, Testbed } from '../testbed.js';
import { WORKLOADS, type Workload } from '../workloads.js';
import { RUNGS, type Rung, WHOLE } from './rungs.js';

const WORKLOAD = WORKLOADS.find(({ name }) => name === 'create-64') as Workload;
/** One start of each, like the default of the bench. */
const PRODUCT: readonly Program[] = ['web', 'worker', 'scheduler'];
/** V8 compiles the code of a new process during the first of these runs. */
const RUNS = 2;

export interface Step {
  readonly rung: string;
  readonly perSecond: number;
  /** Milliseconds of processor time per create, by process. */
  readonly cpuMs: Readonly<Record<string, number>>;
  readonly unexpected: number;
}

/** Measures the chosen rungs, from the lowest up, and prints a line for each. */
export async function measureLadder(
  testbed: Testbed,
  isChosen: (name: string) => boolean,
  times: Times,
  say: (text: string) => void,
): Promise<Step[]> {
  say(`${'CPU ms per create'.padEnd(50)}   web  more  others`);
  const steps: Step[] = [];
  let below = 0;
  for (const rung of [...RUNGS, WHOLE].filter(({ name }) => isChosen(name))) {
    const step = await climb(testbed, rung, times);
    const web = step.cpuMs.rung ?? step.cpuMs.web ?? 0;
    say(lineOf(rung, step, web, web - below));
    steps.push(step);
    below = web;
  }
  return steps;
}

async function climb(testbed: Testbed, rung: Rung, times: Times): Promise<Step> {
  const started = await Promise.all(startsOf(testbed, rung));
  try {
    const processes = started.map(({ running }) => running);
    const server = rung === WHOLE ? 'product' : 'rung';
    const side = { name: rung.name, testbed: { ...testbed, processes }, server } as const;
    let run = await measure(side, WORKLOAD, times);
    for (let turn = 1; turn < RUNS; turn += 1) run = await measure(side, WORKLOAD, times);
    const { perSecond, cpuShares: cpuMs, unexpected, failed } = run;
    return { rung: rung.name, perSecond, cpuMs, unexpected: unexpected + failed };
  } finally {
    for (const { stop } of started.reverse()) await stop();
  }
}

function startsOf({ start, world }: Testbed, rung: Rung): Promise<Started>[] {
  if (rung === WHOLE) return PRODUCT.map(name => start(name));
  const server = start('rung', [rung.name]);
  return rung.worker
    ? [server, start('rung-worker', [rung.worker, String(world.items)])]
    : [server];
}

function lineOf({ title }: Rung, { cpuMs, perSecond }: Step, web: number, more: number): string {
  const others = Object.entries(cpuMs)
    .filter(([name]) => name !== 'rung' && name !== 'web')
    .map(([name, ms]) => `${name} ${ms.toFixed(3)}`)
    .join(', ');
  const figures = `${web.toFixed(3)} ${more.toFixed(3)}`;
  return `${title.padEnd(50)} ${figures}  ${others} (${Math.round(perSecond)}/s)`;
}
