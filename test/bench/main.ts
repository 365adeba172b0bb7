// `npm run bench`: the product and a direct baseline by turns under the same load, then the ceilings of their parts.
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { connectClient } from '../../src/platform/db/connection.js';
import { NO_STATEMENT_LIMIT } from '../../src/platform/db/limits.js';
import { verifyAll } from '../../src/verify/service.js';
import { measure, memoryNow, type Run, type Side } from './measure.js';
import { HELP, isChosen, options, programs } from './options.js';
import { type Ceiling, type Measured, type Report, renderLine, renderMarkdown } from './report.js';
import { readSizes } from './sizes.js';
import { soak } from './soak.js';
import { measureBatches, measureLists } from './sql-ceilings.js';
import { openStage, type Stage } from './stage.js';
import { KOA_CEILINGS, WORKLOADS, type Workload } from './workloads.js';

/** Of a run's time: connections open, statements are planned, caches fill. */
const WARM_UP_SHARE = 0.2;
/** Runs once on each side before the first workload that counts. */
const WARMING = 'mixed';
/** What the processes get to come to rest before their memory is read: as long as a run, V8's tidying included. */
const REST_SHARE = 1;

const measureMs = options.seconds * 1000;
const times = { measureMs, warmUpMs: measureMs * WARM_UP_SHARE };
const say = (text: string) => void process.stdout.write(`${text}\n`);

const stages: Stage[] = [];
const closeStages = async () => {
  for (const stage of stages.splice(0)) await stage.close();
};

if (options.help) say(HELP);
else {
  // Postgres would outlive this process.
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => void closeStages().then(() => process.exit(1)));
  try {
    process.exitCode = await run();
  } finally {
    await closeStages();
  }
}

async function run(): Promise<number> {
  const stage = await open(options.invoices, options.data);
  if (options.soakMinutes !== null) {
    const soaked = await soak(
      { name: 'product', stage, server: 'product' },
      options.soakMinutes,
      say,
    );
    say(
      `${Math.round(soaked.perSecond)} answers a second, ${soaked.faults} that should not have been`,
    );
    write('soak', soaked);
    return soaked.faults + (await verify([stage])) > 0 ? 1 : 0;
  }
  const sides = await openSides(stage);
  const sizes = await readSizes(stage.databaseUrl);
  const names = [sides[0].name, sides[1].name] as const;
  await warmUp(sides);
  const measured: Measured[] = [];
  for (const workload of WORKLOADS.filter(({ name }) => isChosen(name))) {
    const both = await measureBoth(sides, workload);
    measured.push(both);
    say(renderLine(both, names));
  }
  const ceilings = options.against === null ? await measureCeilings(stage) : [];
  for (const { title, perSecond } of ceilings) say(`${title}: ${Math.round(perSecond)} a second`);
  await new Promise(resolve => setTimeout(resolve, measureMs * REST_SHARE));
  const memoryMib = memoryNow(stage);
  const report: Report = {
    ...describe(),
    ...{ sides: names, measured, ceilings, memoryMib, sizes, violations: await verify(stages) },
  };
  const path = write('bench', report);
  writeFileSync(`${path}.md`, renderMarkdown(report));
  say(`and as a table to ${path}.md`);
  return measured.some(({ runs }) => runs.some(isFaulty)) || report.violations > 0 ? 1 : 0;
}

async function open(invoices: number, keptIn?: string): Promise<Stage> {
  const stage = await openStage(
    options.mode,
    { ...options.world, invoices },
    programs(),
    say,
    keptIn,
  );
  stages.push(stage);
  return stage;
}

async function openSides(stage: Stage): Promise<readonly [Side, Side]> {
  if (options.against === null) {
    return [
      { name: 'product', stage, server: 'product' },
      { name: 'baseline', stage, server: 'baseline' },
    ];
  }
  return [
    { name: `${options.invoices} invoices`, stage, server: 'product' },
    { name: `${options.against} invoices`, stage: await open(options.against), server: 'product' },
  ];
}

/** A program that has just started runs code that is not compiled yet; what it does for days is what counts. */
async function warmUp(sides: readonly Side[]): Promise<void> {
  const workload = WORKLOADS.find(({ name }) => name === WARMING);
  for (const side of workload ? sides : []) await measure(side, workload as Workload, times);
}

async function measureBoth(sides: readonly Side[], workload: Workload): Promise<Measured> {
  const runs: Run[] = [];
  for (let turn = 0; turn < options.turns; turn += 1)
    for (const side of sides) runs.push(await measure(side, workload, times));
  const { name, title, clients } = workload;
  return { workload: { name, title, clients }, runs };
}

async function measureCeilings(stage: Stage): Promise<Ceiling[]> {
  const ceilings: Ceiling[] = [];
  if (isChosen('sql-batch')) {
    const perSecond = await measureBatches(stage, times);
    ceilings.push({
      title: 'the statements of batches of 100 alone',
      perSecond,
      of: 'create-64 create-256',
    });
  }
  if (isChosen('sql-list')) {
    const perSecond = await measureLists(stage, times);
    ceilings.push({ title: 'the statement of a list of 50 alone', perSecond, of: 'list-50' });
  }
  for (const workload of KOA_CEILINGS.filter(({ name }) => isChosen(name))) {
    const { perSecond } = await measure({ name: 'koa', stage, server: 'koa' }, workload, times);
    ceilings.push({ title: workload.title, perSecond, of: 'get inventory-low summary' });
  }
  return ceilings;
}

function isFaulty({ unexpected, failed }: Run): boolean {
  return unexpected + failed > 0;
}

/** Violations in all that was written, the baseline's databases included. */
async function verify(written: readonly Stage[]): Promise<number> {
  let violations = 0;
  for (const url of written
    .flatMap(({ databaseUrl, baselineUrl }) => [databaseUrl, baselineUrl ?? []])
    .flat()) {
    const connect = () => connectClient(url, 'tradepost-bench', NO_STATEMENT_LIMIT);
    violations += (await verifyAll(connect, violation => say(JSON.stringify(violation))))
      .violations;
  }
  return violations;
}

function describe() {
  const [processor] = cpus();
  return {
    at: new Date().toISOString(),
    mode: options.mode,
    node: process.versions.node,
    machine: `${cpus().length} × ${processor?.model ?? 'processor'}, ${Math.round(totalmem() / 2 ** 30)} GiB`,
    seconds: options.seconds,
    invoices: options.invoices,
  };
}

/** Writes the figures as JSON; returns the path without its ending. */
function write(name: string, figures: object): string {
  const directory = options.out ?? mkdtempSync(join(tmpdir(), 'tradepost-bench-'));
  mkdirSync(directory, { recursive: true });
  const path = join(directory, `${name}-${options.mode}`);
  writeFileSync(`${path}.json`, `${JSON.stringify(figures, null, 2)}\n`);
  say(`every figure written to ${path}.json`);
  return path;
}
