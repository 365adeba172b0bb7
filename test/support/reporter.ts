// Mocha's spec reporter with the CPU time of the dearest files, and a machine-readable last line:
// "N passed, N failed, N skipped".
import { relative } from 'node:path';
import Mocha from 'mocha';
import { cpuSeconds } from './cpu-time.js';
import { ROOT } from './processes.js';

/** How many files the table names. */
const DEAREST = 15;
const LOADING = 'loading all files, and the end';
/**
 * Reading the CPU time of all processes takes more than ten milliseconds, and a suite has thousands
 * of tests. Within a file it is read this often, so that few servers end unread.
 */
const READ_EVERY_MS = 5_000;

export interface FileCost {
  readonly file: string;
  readonly seconds: number;
}

export default class Reporter extends Mocha.reporters.Spec {
  constructor(runner: Mocha.Runner, options: Mocha.MochaOptions) {
    super(runner, options);
    let before = cpuSeconds();
    let readAt = performance.now();
    const seconds = new Map([[LOADING, before]]);
    // A file's cost includes the hooks of its suites, and the start of what it is first to share.
    const add = ({ file = LOADING }: { file?: string | undefined }) => {
      const now = cpuSeconds();
      readAt = performance.now();
      // A process that no parent waited for takes its time along.
      seconds.set(file, (seconds.get(file) ?? 0) + Math.max(0, now - before));
      before = now;
    };
    runner.on('test end', test => {
      if (performance.now() - readAt > READ_EVERY_MS) add(test);
    });
    // The suites of a file, and the whole run.
    runner.on('suite end', suite => {
      if (suite.root || suite.parent?.root) add(suite);
    });
    runner.once('end', () => {
      const costs = Array.from(seconds, ([file, spent]) => ({
        file: file === LOADING ? file : relative(`${ROOT}/dist/test`, file),
        seconds: spent,
      }));
      process.stdout.write(costTable(before, costs));
      const { passes, failures, pending } = this.stats;
      process.stdout.write(
        `${passes} passed, ${failures} failed${pending > 0 ? `, ${pending} skipped` : ''}\n`,
      );
    });
  }
}

/** The CPU seconds of the run and of its dearest files. */
export function costTable(total: number, costs: readonly FileCost[]): string {
  const dearest = costs.toSorted((a, b) => b.seconds - a.seconds).slice(0, DEAREST);
  const rows = [{ file: 'all files', seconds: total }, ...dearest].map(
    ({ file, seconds }) => `${seconds.toFixed(1).padStart(9)} CPU-s  ${file}\n`,
  );
  return `${rows.join('')}\n`;
}

/** The files in the tables of a text. */
export function readCosts(text: string): FileCost[] {
  const rows = text.matchAll(/^ +([\d.]+) CPU-s {2}(\S+\.js)$/gmu);
  return Array.from(rows, ([, seconds, file = '']) => ({ file, seconds: Number(seconds) }));
}
