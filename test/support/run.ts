// `npm test`: runs the suite as a few mocha processes at a time, since tests often wait for
// processes to start and stop. Ends with one line of counts over all of them.
import { spawn } from 'node:child_process';
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
 * Each group runs in a mocha process of its own, and so do all other files together. The files of a
 * group share its Postgres server and stacks. The last two groups contain the files that start
 * their own processes, so they need no shared stack. A name is a file's or a folder's.
 */
const GROUPS: readonly (readonly string[])[] = [
  ['browser', 'dashboard', 'distribution', 'commands', 'tenancy', 'companies', 'migrations'],
  [
    'jobs/durability',
    'start',
    'platform/db/pooler',
    'platform/db/outages',
    'platform/db/replica',
    'platform/db/migrate',
    'verify',
  ],
  [
    'embedded-postgres',
    'bench',
    'platform/process',
    'platform/queue',
    'platform/db/timeouts',
    'platform/db/analyze-tables',
    'platform/db/pipeline',
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
  const all = await readdir(`${ROOT}/dist/test`, { recursive: true });
  const files = all.filter(name => name.endsWith('.test.js')).sort();
  const groupOf = (name: string) =>
    GROUPS.findIndex(group =>
      group.some(entry => name === `${entry}.test.js` || name.startsWith(`${entry}/`)),
    );
  const indexes = [-1, ...GROUPS.keys()];
  const outcomes = await Promise.all(
    indexes.map(index => runMocha(files.filter(name => groupOf(name) === index))),
  );
  const [passed, failed, skipped] = ['passed', 'failed', 'skipped'].map(word =>
    outcomes.reduce((sum, outcome) => sum + count(outcome, word), 0),
  );
  const counts = `${passed} passed, ${failed} failed${skipped ? `, ${skipped} skipped` : ''}`;
  process.stdout.write(`\n${counts}\n`);
  process.exitCode = outcomes.find(({ code }) => code !== 0)?.code ?? 0;
}

/** Runs the files and prints the output at the end, so that groups do not mix theirs. */
function runMocha(names: readonly string[]): Promise<Outcome> {
  const paths = names.map(name => relative(process.cwd(), `${ROOT}/dist/test/${name}`));
  const child = spawn(process.execPath, [MOCHA, ...process.argv.slice(2), ...paths], {
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
