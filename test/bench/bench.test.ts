// Runs the benchmark briefly on little data: it measures, counts and writes its tables. The figures
// themselves are not tested.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { launch, temporaryDirectory } from '../support/processes.js';
import type { Step } from './ladder/ladder.js';
import type { Report } from './report.js';

const ARGS =
  '--mode postgres --seconds 0.3 --turns 1 --only create-8,payments --companies 2 --items 40 ' +
  '--invoices 300 --payments 60';

const LADDER =
  '--mode postgres --ladder --seconds 0.3 --only plan,whole --companies 1 --items 40 ' +
  '--invoices 30';

describe('npm run bench', () => {
  it('measures the product and the baseline, and leaves both databases valid', async () => {
    const { path, remove } = await temporaryDirectory();
    try {
      const args = [...ARGS.split(' '), '--out', path];
      const { ended, output } = launch('test/bench/main.js', {}, { name: 'bench', args });
      expect(await ended, output()).to.equal(0);
      const report: Report = JSON.parse(await readFile(join(path, 'bench-postgres.json'), 'utf8'));
      expect(report.measured.map(({ workload }) => workload.name)).to.deep.equal([
        'create-8',
        'payments',
      ]);
      for (const { runs } of report.measured) {
        expect(runs.map(({ side }) => side)).to.deep.equal(['product', 'baseline']);
        for (const { perSecond, p50Ms, p99Ms, unexpected, failed } of runs) {
          expect(perSecond).to.be.greaterThan(0);
          expect(p99Ms).to.be.at.least(p50Ms);
          expect([unexpected, failed]).to.deep.equal([0, 0]);
        }
      }
      expect(await readFile(join(path, 'bench-postgres.md'), 'utf8')).to.match(
        /\| create, 8 clients \| 8 \| [\d.]+ \| /u,
      );
    } finally {
      await remove();
    }
  });

  it('measures the steps of a create, from the floor up', async () => {
    const { path, remove } = await temporaryDirectory();
    try {
      const args = [...LADDER.split(' '), '--out', path];
      const { ended, output } = launch('test/bench/main.js', {}, { name: 'bench', args });
      expect(await ended, output()).to.equal(0);
      const steps: Step[] = JSON.parse(await readFile(join(path, 'ladder-postgres.json'), 'utf8'));
      expect(steps.map(({ rung }) => rung)).to.deep.equal(['plan', 'whole']);
      for (const { rung, unexpected } of steps) expect(unexpected, rung).to.equal(0);
      expect(steps.map(({ cpuMs }) => Object.keys(cpuMs).join(' '))).to.deep.equal([
        'rung rung-worker postgres',
        'web worker scheduler postgres',
      ]);
    } finally {
      await remove();
    }
  });
});
