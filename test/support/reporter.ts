// Mocha's spec reporter with the CPU time of the dearest files, and a machine-readable last line:
// "N passed, N failed, N skipped".
import { relative } from 'node:path';
import Mocha from 'mocha';
import { cpuSeconds } from './cpu-time.js';
import { ROOT } from './processes.js';

/** How many files the table names. */
const DEAREST = 15;
const LOADING = 'loading all files, and the end';

export interface FileCost {
  readonly file: string;
  readonly seconds: number;
}

export default class Reporter extends Mocha.reporters.Spec {
  constructor(runner: Mocha.Runner, options: Mocha.MochaOptions) {
    super(runner, options);
    let before = cpuSeconds();
    const seconds = new Map([[LOADING, before]]);
    // A file's cost includes the hooks of its suites, and the start of what it is first to share.
    const add = ({ file = LOADING }: { file?: string | undefined }) => {
      const now = cpuSeconds();
      // A process that no parent waited for takes its time along.
      seconds.set(file, (seconds.get(file) ?? 0) + Math.max(0, now - before));
      before = now;
    };
    runner.on('test end', add).on('suite end', add);
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
