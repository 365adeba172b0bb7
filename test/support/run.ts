// `npm test`: the suite as some mocha processes side by side, since much of it waits for processes to start and stop.
// Ends with one line of counts over all.
import { spawn } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { relative } from 'node:path';
import { ROOT } from './processes.js';

const HELP = `
npm test [-- MOCHA OPTIONS]

Runs all tests against the real processes, a real Postgres and, where redis-server is installed, a real Redis. What needs
a program that is missing is skipped with the line that installs it; with REQUIRE_ALL=1 that is a failure. One file alone:
npx mocha dist/test/NAME.test.js (after npm run build).
`;

/** What runs beside the rest, each list in a mocha process of its own: much of it waits. A name is a file's or a folder's. */
const BESIDE = [
  [
    'start',
    'embedded-postgres',
    'platform/db/outages',
    'platform/db/pooler',
    'platform/db/timeouts',
    'jobs/durability',
    'summary/freshness',
  ],
  [
    'browser',
    'dashboard',
    'bench',
    'jobs/backpressure',
    'platform/queue/redis-shapes',
    'platform/db/replica',
    'distribution',
  ],
];
const MOCHA = createRequire(import.meta.url).resolve('mocha/bin/mocha.js');

interface Outcome {
  readonly code: number;
  readonly output: string;
}

if (process.argv.includes('--help')) process.stdout.write(`${HELP.trim()}\n`);
else await runAll();

async function runAll(): Promise<void> {
  const files = (await readdir(`${ROOT}/dist/test`, { recursive: true })).filter(name =>
    name.endsWith('.test.js'),
  );
  const isOf = (name: string, list: readonly string[]) =>
    list.some(entry => name === `${entry}.test.js` || name.startsWith(`${entry}/`));
  const rest = files.filter(name => !BESIDE.some(list => isOf(name, list)));
  const outcomes = await Promise.all([
    runMocha(rest, text => process.stdout.write(text)),
    ...BESIDE.map(list =>
      runMocha(
        files.filter(name => isOf(name, list)),
        () => undefined,
      ),
    ),
  ]);
  for (const { output } of outcomes.slice(1)) process.stdout.write(output);
  const [passed, failed, skipped] = ['passed', 'failed', 'skipped'].map(word =>
    outcomes.reduce((sum, outcome) => sum + count(outcome, word), 0),
  );
  process.stdout.write(
    `\n${passed} passed, ${failed} failed${skipped ? `, ${skipped} skipped` : ''}\n`,
  );
  process.exitCode = outcomes.find(({ code }) => code !== 0)?.code ?? 0;
}

function runMocha(names: string[], show: (text: string) => void): Promise<Outcome> {
  const paths = names.sort().map(name => relative(process.cwd(), `${ROOT}/dist/test/${name}`));
  const child = spawn(process.execPath, [MOCHA, ...process.argv.slice(2), ...paths], {
    cwd: process.cwd(),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      show(text);
    });
  }
  return new Promise(resolve => child.once('close', code => resolve({ code: code ?? 1, output })));
}

/** From the reporter's last line; a run that ended without one counts nothing and fails by its exit code. */
function count({ output }: Outcome, word: string): number {
  const line = output.trimEnd().split('\n').at(-1) ?? '';
  return Number(new RegExp(`(\\d+) ${word}`, 'u').exec(line)?.[1] ?? 0);
}
