// The benchmark on little data for a moment: that it runs, counts and writes its tables. Figures are nobody's business here.
import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { cleanEnvironment, ROOT, temporaryDirectory } from '../support/processes.js';
import type { Report } from './report.js';

const ARGS =
  '--mode postgres --seconds 1 --turns 1 --only create-8 --companies 2 --items 40 --invoices 200';

describe('npm run bench', () => {
  it('measures the product and the baseline, and leaves both databases as they must be', async function () {
    this.timeout(180_000);
    const { path, remove } = await temporaryDirectory();
    try {
      const { code, output } = await run([...ARGS.split(' '), '--out', path]);
      expect(code, output).to.equal(0);
      const report: Report = JSON.parse(await readFile(join(path, 'bench-postgres.json'), 'utf8'));
      expect(report.measured.map(({ workload }) => workload.name)).to.deep.equal(['create-8']);
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
});

function run(args: string[]): Promise<{ code: number | null; output: string }> {
  const child = spawn(process.execPath, [join(ROOT, 'dist/test/bench/main.js'), ...args], {
    cwd: ROOT,
    env: cleanEnvironment({}),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  return new Promise(resolve => child.once('close', code => resolve({ code, output })));
}
