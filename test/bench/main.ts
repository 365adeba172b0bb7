// `npm run bench`: puts the product and a direct baseline alternately under the same load, then
// measures the ceilings of the product's parts.
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { connectClient } from '../../src/platform/db/connection.js';
import { COMMAND_LIMITS } from '../../src/platform/db/limits.js';
import { verifyAll } from '../../src/verify/service.js';
import { countWrongRows } from './baseline/database.js';
import { guard } from './guard.js';
import { measureIdle } from './idle.js';
import { measureLadder } from './ladder/ladder.js';
import { measure, memoryNow, type Run, type Side } from './measure.js';
import { rounded } from './numbers.js';
import {
  countedWorkloads,
  HELP,
  hasBaseline,
  isChosen,
  needsBaseline,
  ONE_OF_EACH,
  options,
  programs,
} from './options.js';
import {
  type Ceiling,
  figuresOf,
  KOA,
  type Measured,
  type Report,
  renderCeilingLine,
  renderHead,
  renderLine,
  renderMarkdown,
} from './report.js';
import { readSizes } from './sizes.js';
import { soak } from './soak.js';
import { measureBatches, measureLists } from './sql-ceilings.js';
import { countStatements } from './statements.js';
import { openTestbed, type Program, type Testbed } from './testbed.js';
import { measureWebhooks } from './webhooks.js';
import { KOA_CEILINGS, KOA_CHECKED, WORKLOADS, type Workload } from './workloads.js';

/** Of a run's time: connections open, Postgres plans statements, caches fill. */
const WARM_UP_SHARE = 0.2;
/** Runs once on each side before the first measured workload. */
const WARM_UP_WORKLOAD = 'mixed';
/** Of a run's time: V8 collects garbage before the processes' memory is read. */
const REST_SHARE = 1;

const measureMs = options.seconds * 1000;
const times = { measureMs, warmUpMs: measureMs * WARM_UP_SHARE };
const say = (text: string) => void process.stdout.write(`${text}\n`);

const testbeds: Testbed[] = [];
const closings: (() => Promise<void>)[] = [];
let closed: Promise<void> | undefined;
/** The end of a run waits for a signal that came first: exiting would leave processes behind. */
const closeTestbeds = (): Promise<void> => {
  closed ??= (async () => {
    for (const close of closings) await close();
  })();
  return closed;
};

if (options.help) say(HELP);
else {
  // Postgres would otherwise outlive this process.
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => void closeTestbeds().then(() => process.exit(1)));
  try {
    process.exitCode = await run();
  } finally {
    await closeTestbeds();
  }
}

async function run(): Promise<number> {
  if (options.verifyOnly) {
    await open(options.invoices, { processes: [], dataDir: options.data });
    return (await verify(testbeds)) > 0 ? 1 : 0;
  }
  if (options.ladder) {
    const testbed = await open(options.invoices, { processes: [], dataDir: options.data });
    const steps = await measureLadder(testbed, isChosen, times, say);
    write('ladder', steps);
    return steps.some(({ unexpected }) => unexpected > 0) ? 1 : 0;
  }
  const testbed = await open(options.invoices, { dataDir: options.data });
  if (options.soakMinutes !== null) {
    const soaked = await soak(
      { name: 'product', testbed, server: 'product' },
      options.soakMinutes,
      say,
    );
    say(`${Math.round(soaked.perSecond)} responses per second, ${soaked.unexpected} unexpected`);
    write('soak', soaked);
    return soaked.unexpected + (await verify([testbed])) > 0 ? 1 : 0;
  }
  if (options.webhooks) {
    write('webhooks', await measureWebhooks(testbed, options.seconds, say));
    return (await verify([testbed])) > 0 ? 1 : 0;
  }
  if (options.idleSeconds !== null) {
    const idle = await measureIdle(testbed, options.idleSeconds, options.statements, say);
    write('idle', idle);
    return 0;
  }
  if (options.statements) {
    const counted = WORKLOADS.filter(({ name }) => countedWorkloads.includes(name));
    const side: Side = { name: 'product', testbed, server: 'product' };
    for (const workload of counted) await countStatements(side, workload, times, say);
    return (await verify(testbeds)) > 0 ? 1 : 0;
  }
  const sides = await openSides(testbed);
  const sizes = await readSizes(testbed.databaseUrl);
  const names = [sides[0].name, sides[1].name] as const;
  await warmUp(sides);
  say(renderHead(names));
  const measured: Measured[] = [];
  for (const workload of WORKLOADS.filter(({ name }) => isChosen(name))) {
    const both = await measureBoth(sides, workload);
    measured.push(both);
    say(renderLine(both, { sides: names, mode: options.mode }));
  }
  const ceilings = hasBaseline ? await measureCeilings(testbed) : [];
  for (const ceiling of ceilings) say(renderCeilingLine(ceiling));
  await new Promise(resolve => setTimeout(resolve, measureMs * REST_SHARE));
  const memoryMib = memoryNow(testbed);
  const report: Report = {
    ...describe(),
    sides: names,
    measured,
    ceilings,
    memoryMib,
    sizes,
    violations: await verify(testbeds),
  };
  const path = write('bench', report);
  writeFileSync(`${path}.md`, renderMarkdown(report));
  say(`table written to ${path}.md`);
  const guarded = options.guard ? measured.map(each => guardOf(each, names)) : [];
  for (const { text } of guarded) say(text);
  const isWrong = measured.some(({ runs }) => runs.some(isUnexpected)) || report.violations > 0;
  return isWrong || guarded.some(({ passes }) => !passes) ? 1 : 0;
}

function guardOf({ workload, runs }: Measured, sides: Report['sides']) {
  return guard(options.mode, workload.name, figuresOf(runs, sides).ratio);
}

interface OpenChoices {
  readonly processes?: readonly Program[];
  readonly shards?: number;
  readonly dataDir?: string | undefined;
}

async function open(
  invoices: number,
  { processes = programs(), shards = options.shards, dataDir }: OpenChoices = {},
): Promise<Testbed> {
  const world = { ...options.world, invoices };
  const testbed = await openTestbed(options.mode, world, processes, {
    postgres: options.postgres,
    shards,
    countsStatements: options.statements,
    say,
    dataDir,
    onOpening: close => closings.push(close),
  });
  testbeds.push(testbed);
  return testbed;
}

async function openSides(testbed: Testbed): Promise<readonly [Side, Side]> {
  const product = (name: string, on = testbed): Side => ({ name, testbed: on, server: 'product' });
  const { invoices, against } = options;
  if (against !== null)
    return [product(`${invoices} invoices`), product(`${against} invoices`, await open(against))];
  if (options.compareProcesses) {
    const { web, worker } = options.processes;
    return [
      product(`${web} web, ${worker} worker`),
      product(
        '1 web, 1 worker',
        await open(invoices, { processes: programs(ONE_OF_EACH), shards: 1 }),
      ),
    ];
  }
  const baseline: Side = { name: 'baseline', testbed, server: 'baseline' };
  return [product('product'), needsBaseline ? baseline : product('create-64')];
}

/** V8 has compiled little code of a new process. The figures are about one that runs for days. */
async function warmUp(sides: readonly [Side, Side]): Promise<void> {
  const workload = WORKLOADS.find(({ name }) => name === WARM_UP_WORKLOAD);
  for (const side of workload ? sides : []) await measure(side, workload as Workload, times);
  const [{ testbed }] = sides;
  if (testbed.processes.some(({ name }) => name === KOA))
    await measure(koaOf(testbed), KOA_CHECKED, times);
}

async function measureBoth(sides: readonly [Side, Side], workload: Workload): Promise<Measured> {
  const runs: Run[] = [];
  const [{ testbed }, other] = sides;
  const compared = hasBaseline && WORKLOADS.find(({ name }) => name === workload.comparedWith);
  for (let turn = 0; turn < options.turns; turn += 1) {
    if (compared) {
      runs.push(await measure(sides[0], workload, times));
      runs.push({ ...(await measure(sides[0], compared, times)), side: other.name });
    } else for (const side of sides) runs.push(await measure(side, workload, times));
    if (workload.isBesideKoa && hasBaseline)
      runs.push(await measure(koaOf(testbed), KOA_CHECKED, times));
  }
  const { name, title, clients } = workload;
  return { workload: { name, title, clients }, runs };
}

function koaOf(testbed: Testbed): Side {
  return { name: KOA, testbed, server: 'koa' };
}

async function measureCeilings(testbed: Testbed): Promise<Ceiling[]> {
  const ceilings: Ceiling[] = [];
  if (isChosen('sql-batch')) {
    const perSecond = await measureBatches(testbed, times);
    ceilings.push({
      title: 'statements of batches of 100 alone',
      perSecond,
      run: null,
      of: 'create-64 create-256',
    });
  }
  if (isChosen('sql-list')) {
    const perSecond = await measureLists(testbed, times);
    ceilings.push({
      title: 'statement of a list of 50 alone',
      perSecond,
      run: null,
      of: 'list-50',
    });
  }
  for (const workload of KOA_CEILINGS.filter(({ name }) => isChosen(name))) {
    const run = await measure(koaOf(testbed), workload, times);
    const { perSecond } = run;
    ceilings.push({ title: workload.title, perSecond, run, of: 'get inventory-low summary' });
  }
  return ceilings;
}

function isUnexpected({ unexpected, failed }: Run): boolean {
  return unexpected + failed > 0;
}

/** Counts the violations of the product's invariants, and of the baseline's few. */
async function verify(opened: readonly Testbed[]): Promise<number> {
  let violations = 0;
  for (const { databaseUrl, baselineUrl } of opened) {
    const connect = () => connectClient(databaseUrl, 'tradepost-bench', COMMAND_LIMITS);
    const startedAt = performance.now();
    const verified = await verifyAll(connect, violation => say(JSON.stringify(violation)));
    const seconds = rounded((performance.now() - startedAt) / 1000);
    say(`verified ${verified.checked} invariants in ${seconds} s`);
    const wrong = baselineUrl === null ? 0 : await countWrongRows(baselineUrl);
    if (wrong > 0) say(`the baseline has ${wrong} wrong rows`);
    violations += verified.violations + wrong;
  }
  return violations;
}

function describe() {
  const [processor] = cpus();
  return {
    at: new Date().toISOString(),
    mode: options.mode,
    node: process.versions.node,
    machine:
      `${cpus().length} × ${processor?.model ?? 'processor'}, ` +
      `${Math.round(totalmem() / 2 ** 30)} GiB`,
    seconds: options.seconds,
    invoices: options.invoices,
  };
}

/** Writes the figures as JSON. Returns the path without its extension. */
function write(name: string, figures: object): string {
  const directory = options.out ?? mkdtempSync(join(tmpdir(), 'tradepost-bench-'));
  mkdirSync(directory, { recursive: true });
  const path = join(directory, `${name}-${options.mode}`);
  writeFileSync(`${path}.json`, `${JSON.stringify(figures, null, 2)}\n`);
  say(`all figures written to ${path}.json`);
  return path;
}
