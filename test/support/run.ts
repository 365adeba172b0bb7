// Behind `npm test` and `npm run test:all`: runs the suite as several mocha processes, a few at a
// time, since tests often wait. They share one Postgres server, and an idle stack costs CPU time
// too, so each has at most one shared stack. Ends with one line of counts over all of them.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { relative } from 'node:path';
import { cpuSeconds, serverSeconds } from './cpu-time.js';
import { KIND_VARIABLE, SERVER_VARIABLE, startServer } from './postgres-server.js';
import { ROOT, temporaryDirectory } from './processes.js';
import { costTable, readCosts } from './reporter.js';
import { installedBinDir, POSTGRES_MISSING } from './test-cluster.js';
import { TIER_VARIABLE } from './tier.js';

const HELP = `
npm test [-- MOCHA OPTIONS]
npm run test:all [-- MOCHA OPTIONS]

They run against a real Postgres and, if redis-server is installed, a real Redis. A test that needs
a missing program is skipped, and the output says how to install it; with REQUIRE_ALL=1 it fails.

npm test takes about three minutes on two quiet cores. It runs the unit and property tests, most
tests of components once, with the queue in Postgres, and those of the queue also in Redis; in a
browser the first day of a company; and a worker that is killed under load. Tests with generated
cases run fewer of them.

npm run test:all runs everything: both queue modes, every page in a browser, starts, stops, crashes
and outages of real processes, load, and all generated cases; and migrations, locks, plans and the
queue in Postgres again on the PostgreSQL of this machine.

CI runs all tests, too: npm test on Node 20, then the others on Node 24 (--after-quick).

For one file: npx mocha dist/test/NAME.test.js (after npm run build), and on the PostgreSQL of this
machine with TEST_POSTGRES=installed.
`;

/**
 * Files and folders whose tests start processes of their own. The others share stacks: one mocha
 * process runs their tests with the queue in Redis, and some run those with the queue in Postgres.
 */
const OWN_PROCESSES = [
  'bench',
  'damage',
  'emails/durability',
  'embedded-postgres',
  'jobs/batch-order',
  'jobs/durability',
  'ledger/durability',
  'platform/db/analyze-tables',
  'platform/db/migrate',
  'platform/db/outages',
  'platform/db/pipeline',
  'platform/db/pooler',
  'platform/db/replica',
  'platform/db/statements',
  'platform/db/timeouts',
  'platform/process',
  'platform/queue',
  'start',
  'upgrade',
  'verify',
  'webhooks/durability',
  'webhooks/key-rotation',
];
/** Those that `npm test` runs: one with a kill, and those that start few processes or none. */
const QUICK_OWN = [
  'jobs/durability',
  'platform/db/migrate',
  'platform/db/pipeline',
  'platform/db/timeouts',
  'verify',
];
/** Files that cost the most, by load, rows or outages. `npm test` leaves them out. */
const DEAR = [
  'api-docs/pages',
  'audit',
  'commands/admin',
  'commands/interruption',
  'companies/write-turns',
  'customer-records/import-undo',
  'customer-records/imports',
  'dashboard/exports',
  'dashboard/form-cost',
  'dashboard/hostile-forms',
  'dashboard/password-resets',
  'dashboard/search',
  'documents/pdf',
  'events/complete',
  'events/fold',
  'imports/cases',
  'imports/isolation',
  'imports/kinds',
  'imports/previews',
  'inventory/import-undo',
  'inventory/imports',
  'jobs/backpressure',
  'jobs/fairness',
  'jobs/isolation',
  'jobs/plans',
  'jobs/settlement',
  'list-plans',
  'ledger/currency-change',
  'ledger/large-books',
  'ledger/plans',
  'long-read-load',
  'platform/db/interruptions',
  'platform/http/input/invalid-floods',
  'platform/http/life',
  'platform/http/metrics',
  'platform/http/readiness',
  'summary/freshness',
  'summary/net-tops',
  'webhooks/delivering',
];
/**
 * Files that also run on the PostgreSQL of this machine, an older version: what depends on its
 * planner, its locks, its SQL, and BullMQ's tables in it.
 */
const ON_INSTALLED = [
  'jobs/failed-jobs',
  'jobs/jobs',
  'jobs/plans',
  'ledger/plans',
  'list-plans',
  'migrations',
  'platform/db/locking-statements',
  'platform/db/migrate',
  'platform/queue/early-finish',
  'platform/values/csv',
];
/** Those of `npm test` that mostly wait. They share a process, which begins first. */
const WAITING = ['api-docs/statuses', 'emails/emails', 'jobs/unknown-outcome', 'webhooks/sending'];
/** Files whose behaviour depends on the queue's store: `npm test` runs them in both modes. */
const QUEUE = ['jobs'];
/** The file in a browser that `npm test` runs. */
const QUICK_BROWSER = ['browser/story'];
const IN_REDIS = '(queue in redis)';
/** Mocha processes at a time: enough for two cores, because each often waits. */
const SIDE_BY_SIDE = 7;
/** For the stacks of all of them. */
const MAX_CONNECTIONS = 500;
/** The heading of what failed. */
const FAILURES = 'Failures:';
const FILTER = /^(-g|-f|--grep|--fgrep)\b/u;
const MOCHA = createRequire(import.meta.url).resolve('mocha/bin/mocha.js');

/** Files use one of these if their tests run in both queue modes. */
const BOTH_MODES = /\b(inBothModes|MODES)\b/u;
/** A call whose number of cases depends on the tier. */
const TIERED = /\bcasesOf\(/u;

const args = process.argv.slice(2);
const options = args.filter(option => option !== '--all' && option !== '--after-quick');
/** Leaves out what `npm test` runs in full. */
const isAfterQuick = args.includes('--after-quick');
const runsAll = isAfterQuick || args.includes('--all');

interface Outcome {
  readonly code: number;
  readonly output: string;
}

if (options.includes('--help')) process.stdout.write(`${HELP.trim()}\n`);
else await runAll();

async function runAll(): Promise<void> {
  const server = await startServer({ maxConnections: MAX_CONNECTIONS });
  // Node 22 and newer compile each module once for all the processes that the tests start.
  const compiled = await temporaryDirectory();
  process.env.NODE_COMPILE_CACHE ??= compiled.path;
  const stop = () => Promise.all([server.stop(), compiled.remove()]);
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => stop().then(() => process.exit(1)));
  process.env[SERVER_VARIABLE] = server.url;
  if (!runsAll) process.env[TIER_VARIABLE] = 'quick';
  const outcomes = await runGroups();
  const total = cpuSeconds();
  await stop();
  const costs = outcomes.flatMap(({ output }) => readCosts(output));
  const postgres = { file: 'the shared Postgres server', seconds: serverSeconds() };
  process.stdout.write(`\n${costTable(total, [postgres, ...costs])}`);
  process.stdout.write(failuresOf(outcomes));
  const [passed, failed, skipped] = ['passed', 'failed', 'skipped'].map(word =>
    outcomes.reduce((sum, outcome) => sum + count(outcome, word), 0),
  );
  process.stdout.write(
    `${passed} passed, ${failed} failed${skipped ? `, ${skipped} skipped` : ''}\n`,
  );
  process.exitCode = outcomes.find(({ code }) => code !== 0)?.code ?? 0;
}

async function runGroups(): Promise<Outcome[]> {
  const all = await readdir(`${ROOT}/dist/test`, { recursive: true });
  const files = all.filter(name => name.endsWith('.test.js')).sort();
  const inPostgres = files.filter(runsInPostgres);
  // Mocha takes only one filter.
  if (options.some(option => FILTER.test(option))) return [await runMocha(inPostgres)];
  const own = inPostgres.filter(name => isIn(OWN_PROCESSES, name));
  const shared = inPostgres.filter(name => !own.includes(name));
  const browser = shared.filter(name => isIn(['browser'], name));
  const others = shared.filter(name => !browser.includes(name));
  const notInRedis = ['--invert', '--grep', IN_REDIS];
  const runInPostgres = (names: readonly string[]) => () => runMocha(names, notInRedis);
  const inRedis = () => runMocha(files.filter(runsInRedis), ['--grep', IN_REDIS]);
  if (!runsAll) {
    const waiting = others.filter(name => isIn(WAITING, name));
    const rest = [...browser, ...others].filter(name => !waiting.includes(name));
    const parts = [waiting, own, ...partsOf(rest, 6)].map(runInPostgres);
    return runSideBySide([inRedis, ...parts]);
  }
  const installed = files.filter(name => isIn(ON_INSTALLED, name));
  // Those that wait longest begin first. Browsers, which never wait, fill the gaps at the end.
  return runSideBySide([
    () => runOnInstalled(installed, notInRedis),
    inRedis,
    ...partsOf(own, 4).map(names => () => runMocha(names)),
    ...[...partsOf(others, 4), ...partsOf(browser, 3)].map(runInPostgres),
  ]);
}

/** Deals the files out like cards, since neighbours in a folder cost alike. */
function partsOf(names: readonly string[], count: number): string[][] {
  if (names.length === 0) return [];
  return Array.from({ length: count }, (_, part) =>
    names.filter((_, index) => index % count === part),
  );
}

/** Runs the files on a server of the PostgreSQL that this machine has. */
async function runOnInstalled(names: readonly string[], own: readonly string[]): Promise<Outcome> {
  if (installedBinDir() !== null)
    return runMocha(names, own, { [SERVER_VARIABLE]: '', [KIND_VARIABLE]: 'installed' });
  const isRequired = process.env.REQUIRE_ALL === '1';
  const counts = isRequired ? '0 passed, 1 failed' : '0 passed, 0 failed, 1 skipped';
  const output = `${POSTGRES_MISSING}\n${counts}\n`;
  process.stdout.write(output);
  return { code: isRequired ? 1 : 0, output };
}

/** Whether this run has the file with the queue in Postgres. */
function runsInPostgres(name: string): boolean {
  return runsAll ? !isDone(name) : isQuick(name);
}

/** Whether `npm test` ran all that this run would run of the file. */
function isDone(name: string): boolean {
  if (!isAfterQuick || !isQuick(name) || TIERED.test(sourceOf(name))) return false;
  return !(isIn(OWN_PROCESSES, name) && hasBothModes(name));
}

/** Whether this run has the file's tests of Redis, apart from files that run as a whole. */
function runsInRedis(name: string): boolean {
  if (isIn(OWN_PROCESSES, name) || !hasBothModes(name)) return false;
  const isInQuick = isQuick(name) && isIn(QUEUE, name);
  return runsAll ? !(isInQuick && isDone(name)) : isInQuick;
}

function hasBothModes(name: string): boolean {
  return BOTH_MODES.test(sourceOf(name));
}

/** Whether `npm test` runs the file. */
function isQuick(name: string): boolean {
  if (isIn(['browser'], name)) return isIn(QUICK_BROWSER, name);
  return isIn(OWN_PROCESSES, name) ? isIn(QUICK_OWN, name) : !isIn(DEAR, name);
}

function sourceOf(name: string): string {
  return readFileSync(`${ROOT}/dist/test/${name}`, 'utf8');
}

/** Whether the file is one of the entries, or in one that is a folder. */
function isIn(entries: readonly string[], name: string): boolean {
  return entries.some(entry => name === `${entry}.test.js` || name.startsWith(`${entry}/`));
}

/** Runs SIDE_BY_SIDE of them at a time. */
async function runSideBySide(runs: readonly (() => Promise<Outcome>)[]): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  const waiting = runs.values();
  const lane = async () => {
    for (const run of waiting) outcomes.push(await run());
  };
  await Promise.all(Array.from({ length: SIDE_BY_SIDE }, lane));
  return outcomes;
}

/** Runs the files and prints the output at the end, so that processes do not mix theirs. */
function runMocha(
  names: readonly string[],
  own: readonly string[] = [],
  env: NodeJS.ProcessEnv = {},
): Promise<Outcome> {
  const paths = names.map(name => relative(process.cwd(), `${ROOT}/dist/test/${name}`));
  const child = spawn(process.execPath, [MOCHA, ...own, ...options, ...paths], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  return new Promise(resolve =>
    child.once('close', code => {
      process.stdout.write(output);
      resolve({ code: code ?? 1, output });
    }),
  );
}

/** The reporter's descriptions of what failed, for the end of the output, where readers look. */
function failuresOf(outcomes: readonly Outcome[]): string {
  const texts = outcomes.flatMap(
    ({ output }) => /^ {2}\d+ failing$[\s\S]*?(?=^ +[\d.]+ CPU-s )/mu.exec(output)?.[0] ?? [],
  );
  return texts.length > 0 ? `${FAILURES}\n${texts.join('')}` : '';
}

/** Reads the reporter's last line. A run without one counts nothing and fails by its exit code. */
function count({ output }: Outcome, word: string): number {
  const line = output.trimEnd().split('\n').at(-1) ?? '';
  return Number(new RegExp(`(\\d+) ${word}`, 'u').exec(line)?.[1] ?? 0);
}
