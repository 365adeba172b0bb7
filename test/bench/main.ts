// `npm run bench`: the product and a direct baseline by turns under the same load, then the ceilings of their parts.
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { NO_STATEMENT_LIMIT } from '../../src/platform/database-limits.js';
import { connectClient } from '../../src/platform/db.js';
import { verifyAll } from '../../src/verify/service.js';
import type { Mode } from '../support/suite.js';
import { measure, memoryNow, type Run } from './measure.js';
import { type Ceiling, type Measured, type Report, renderLine, renderMarkdown } from './report.js';
import { measureBatches, measureLists } from './sql-ceilings.js';
import { openStage, type Program, type Stage } from './stage.js';
import { KOA_CEILINGS, WORKLOADS, type Workload } from './workloads.js';

const CEILINGS = ['sql-batch', 'sql-list', ...KOA_CEILINGS.map(({ name }) => name)];
const HELP = `
npm run bench -- [--mode redis|postgres] [--seconds 10] [--only NAME,…] [--turns 2] [--invoices 100000] [--items 1000]
                 [--companies 10] [--out DIR]

Starts its own Postgres, redis-server (mode redis), the product's processes (one of each) and a baseline: a lean server that
carries out each request by itself. Each workload runs on both by turns; then come the ceilings. Prints a line a workload,
writes a table (bench-MODE.md) and every run (bench-MODE.json) to DIR, by default a new one among the temporary files.
Exits 1 where a request was answered in an unexpected way, or the data are not as they must be afterwards.

Columns are product / baseline: answers a second, their ratio, p50 and p99 of the time that clients waited, processor
time of all server processes a request, most memory of the largest process, answers that should not have been.

Workloads: ${WORKLOADS.map(({ name }) => name).join(', ')}.
Ceilings:  ${CEILINGS.join(', ')}.
`;

const { values } = parseArgs({
  options: {
    mode: { type: 'string', default: 'redis' },
    seconds: { type: 'string', default: '10' },
    only: { type: 'string' },
    turns: { type: 'string', default: '2' },
    invoices: { type: 'string', default: '100000' },
    items: { type: 'string', default: '1000' },
    companies: { type: 'string', default: '10' },
    out: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});

/** Of a run's time: connections open, statements are planned, caches fill. */
const WARM_UP_SHARE = 0.2;
/** What the processes get to come to rest before their memory is read: as long as a run, V8's tidying included. */
const REST_SHARE = 1;

const say = (text: string) => void process.stdout.write(`${text}\n`);
const isChosen = (name: string) => values.only === undefined || values.only.split(',').includes(name);

if (values.help) say(HELP.trim());
else process.exitCode = await run(values.mode as Mode);

async function run(mode: Mode): Promise<number> {
  const known = [...WORKLOADS.map(({ name }) => name), ...CEILINGS];
  const unknown = values.only?.split(',').filter(name => !known.includes(name)) ?? [];
  if (unknown.length > 0) throw new Error(`there is no ${unknown.join(', ')}; see --help`);
  const size = { companies: Number(values.companies), items: Number(values.items), invoices: Number(values.invoices) };
  const stage = await openStage(mode, size, programs(), say);
  // Postgres would outlive this process.
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => void stage.close().then(() => process.exit(1)));
  try {
    const measured: Measured[] = [];
    for (const workload of WORKLOADS.filter(({ name }) => isChosen(name))) {
      const both = await measureBoth(stage, workload);
      measured.push(both);
      say(renderLine(both));
    }
    const ceilings = await measureCeilings(stage);
    for (const { title, perSecond } of ceilings) say(`${title}: ${Math.round(perSecond)} a second`);
    await new Promise(resolve => setTimeout(resolve, times().measureMs * REST_SHARE));
    const report = {
      ...describe(mode),
      measured,
      ceilings,
      memoryMib: memoryNow(stage),
      violations: await verify(stage),
    };
    write(report);
    return measured.some(({ runs }) => runs.some(isFaulty)) || report.violations > 0 ? 1 : 0;
  } finally {
    await stage.close();
  }
}

async function measureBoth(stage: Stage, workload: Workload): Promise<Measured> {
  const runs: Run[] = [];
  for (let turn = 0; turn < Number(values.turns); turn += 1)
    for (const server of ['product', 'baseline'] as const) runs.push(await measure(stage, server, workload, times()));
  const { name, title, clients } = workload;
  return { workload: { name, title, clients }, runs };
}

async function measureCeilings(stage: Stage): Promise<Ceiling[]> {
  const ceilings: Ceiling[] = [];
  if (isChosen('sql-batch')) {
    const perSecond = await measureBatches(stage, times());
    ceilings.push({ title: 'the statements of batches of 100 alone', perSecond, of: 'create-64 create-256' });
  }
  if (isChosen('sql-list')) {
    const perSecond = await measureLists(stage, times());
    ceilings.push({ title: 'the statement of a list of 50 alone', perSecond, of: 'list-50' });
  }
  for (const workload of KOA_CEILINGS.filter(({ name }) => isChosen(name))) {
    const { perSecond } = await measure(stage, 'koa', workload, times());
    ceilings.push({ title: workload.title, perSecond, of: 'get inventory-low summary' });
  }
  return ceilings;
}

/** The ceilings' process only where it is asked for. */
function programs(): Program[] {
  const isCeilingChosen = KOA_CEILINGS.some(({ name }) => isChosen(name));
  return ['web', 'worker', 'scheduler', 'baseline', ...(isCeilingChosen ? (['koa'] as const) : [])];
}

function times() {
  const measureMs = Number(values.seconds) * 1000;
  return { measureMs, warmUpMs: measureMs * WARM_UP_SHARE };
}

function isFaulty({ unexpected, failed }: Run): boolean {
  return unexpected + failed > 0;
}

/** Violations in what the product wrote and in what the baseline wrote. */
async function verify({ databaseUrl, baselineUrl }: Stage): Promise<number> {
  let violations = 0;
  for (const url of [databaseUrl, baselineUrl]) {
    const connect = () => connectClient(url, 'tradepost-bench', NO_STATEMENT_LIMIT);
    violations += (await verifyAll(connect, violation => say(JSON.stringify(violation)))).violations;
  }
  return violations;
}

function describe(mode: Mode) {
  const [processor] = cpus();
  return {
    at: new Date().toISOString(),
    mode,
    node: process.versions.node,
    machine: `${cpus().length} × ${processor?.model ?? 'processor'}, ${Math.round(totalmem() / 2 ** 30)} GiB`,
    seconds: Number(values.seconds),
    invoices: Number(values.invoices),
  };
}

function write(report: Report): void {
  const directory = values.out ?? mkdtempSync(join(tmpdir(), 'tradepost-bench-'));
  mkdirSync(directory, { recursive: true });
  const path = join(directory, `bench-${report.mode}`);
  writeFileSync(`${path}.json`, `${JSON.stringify(report, null, 2)}\n`);
  writeFileSync(`${path}.md`, renderMarkdown(report));
  say(`written to ${path}.md and .json`);
}
