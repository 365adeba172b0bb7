// `npm test`: runs the suite as four mocha processes, three at a time, since tests often wait for
// processes to start and stop. An idle stack costs CPU time too, so each mocha process has at most
// one shared stack. Ends with one line of counts over all of them.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { relative } from 'node:path';
import { ROOT } from './processes.js';

const HELP = `
npm test [-- MOCHA OPTIONS]

Runs all tests against the real processes, a real Postgres and, if redis-server is installed, a real
Redis. A test that needs a missing program is skipped, and the output says how to install it; with
REQUIRE_ALL=1 the test fails. For one file: npx mocha dist/test/NAME.test.js (after npm run build).
`;

/**
 * Files and folders whose tests start processes of their own. All other files share one stack per
 * queue mode: one mocha process runs their tests with the queue in Redis, another one the rest.
 */
const OWN_PROCESSES = [
  'bench',
  'embedded-postgres',
  'jobs/durability',
  'platform/db/analyze-tables',
  'platform/db/migrate',
  'platform/db/outages',
  'platform/db/pipeline',
  'platform/db/pooler',
  'platform/db/replica',
  'platform/db/timeouts',
  'platform/process',
  'platform/queue',
  'start',
  'verify',
];
const IN_REDIS = '(queue in redis)';
const FILTER = /^(-g|-f|--grep|--fgrep)\b/u;
const MOCHA = createRequire(import.meta.url).resolve('mocha/bin/mocha.js');

interface Outcome {
  readonly code: number;
  readonly output: string;
}

if (process.argv.includes('--help')) process.stdout.write(`${HELP.trim()}\n`);
else await runAll();

async function runAll(): Promise<void> {
  const all = await readdir(`${ROOT}/dist/test`, { recursive: true });
  const files = all.filter(name => name.endsWith('.test.js')).sort();
  const own = files.filter(name =>
    OWN_PROCESSES.some(entry => name === `${entry}.test.js` || name.startsWith(`${entry}/`)),
  );
  const shared = files.filter(name => !own.includes(name));
  const inBothModes = shared.filter(name =>
    readFileSync(`${ROOT}/dist/test/${name}`, 'utf8').includes('inBothModes('),
  );
  const pages = shared.filter(name => /^(browser|dashboard)\//u.test(name));
  const rest = shared.filter(name => !pages.includes(name));
  // Mocha takes only one filter.
  const isFiltered = process.argv.some(option => FILTER.test(option));
  const outcomes = isFiltered
    ? [await runMocha(files)]
    : (
        await Promise.all([
          inTurn(() => runMocha(rest, '--grep', IN_REDIS, '--invert')),
          inTurn(
            () => runMocha(inBothModes, '--grep', IN_REDIS),
            () => runMocha(pages, '--grep', IN_REDIS, '--invert'),
          ),
          inTurn(() => runMocha(own)),
        ])
      ).flat();
  const [passed, failed, skipped] = ['passed', 'failed', 'skipped'].map(word =>
    outcomes.reduce((sum, outcome) => sum + count(outcome, word), 0),
  );
  const counts = `${passed} passed, ${failed} failed${skipped ? `, ${skipped} skipped` : ''}`;
  process.stdout.write(`\n${counts}\n`);
  process.exitCode = outcomes.find(({ code }) => code !== 0)?.code ?? 0;
}

async function inTurn(...runs: readonly (() => Promise<Outcome>)[]): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const run of runs) outcomes.push(await run());
  return outcomes;
}

/** Runs the files and prints the output at the end, so that processes do not mix theirs. */
function runMocha(names: readonly string[], ...options: string[]): Promise<Outcome> {
  const paths = names.map(name => relative(process.cwd(), `${ROOT}/dist/test/${name}`));
  const child = spawn(process.execPath, [MOCHA, ...options, ...process.argv.slice(2), ...paths], {
    stdio: ['ignore', 'pipe', 'pipe'],
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

/** Reads the reporter's last line. A run without one counts nothing and fails by its exit code. */
function count({ output }: Outcome, word: string): number {
  const line = output.trimEnd().split('\n').at(-1) ?? '';
  return Number(new RegExp(`(\\d+) ${word}`, 'u').exec(line)?.[1] ?? 0);
}
