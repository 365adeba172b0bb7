// The compilation before npm start and the operator's commands: only where a source is newer.
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { ROOT, temporaryDirectory } from '../support/processes.js';

const SCRIPT = 'src/commands/compile-if-newer.sh';
const COMPILED = 'dist/.tsbuildinfo-build';
const AN_HOUR_AGO = new Date(Date.now() - 3_600_000);

describe('the compilation before a command', () => {
  let project: Awaited<ReturnType<typeof temporaryDirectory>>;
  const path = (name: string) => join(project.path, name);

  beforeEach(async () => {
    project = await temporaryDirectory();
    for (const folder of ['src/commands', 'workers', 'config', 'dist', 'bin'])
      mkdirSync(path(folder), { recursive: true });
    cpSync(join(ROOT, SCRIPT), path(SCRIPT));
    for (const name of ['package.json', 'tsconfig.json', 'tsconfig.build.json', 'src/app.ts'])
      writeFileSync(path(name), '');
    for (const name of [
      SCRIPT,
      'package.json',
      'tsconfig.json',
      'tsconfig.build.json',
      'src/app.ts',
    ])
      utimesSync(path(name), AN_HOUR_AGO, AN_HOUR_AGO);
    for (const name of ['src/commands', 'src', 'workers', 'config'])
      utimesSync(path(name), AN_HOUR_AGO, AN_HOUR_AGO);
    writeFileSync(path(COMPILED), '');
    writeFileSync(path('bin/tsc'), '#!/bin/sh\necho "$@" >compiled\n');
    chmodSync(path('bin/tsc'), 0o755);
  });

  afterEach(() => project.remove());

  /** Runs the script and tells whether it compiled. */
  const compiles = (nodeEnv = ''): boolean => {
    const env = { PATH: `${path('bin')}:${process.env.PATH}`, NODE_ENV: nodeEnv };
    rmSync(path('compiled'), { force: true });
    execFileSync('sh', [path(SCRIPT)], { env });
    return existsSync(path('compiled'));
  };

  it('compiles once after a source has changed, and not again', () => {
    expect(compiles()).to.equal(false);
    utimesSync(path(COMPILED), AN_HOUR_AGO, AN_HOUR_AGO);
    writeFileSync(path('src/app.ts'), 'changed');
    expect(compiles()).to.equal(true);
    expect(compiles()).to.equal(false);
  });

  it('compiles where nothing is compiled yet', () => {
    rmSync(path(COMPILED));
    expect(compiles()).to.equal(true);
  });

  it('never compiles in production', () => {
    rmSync(path(COMPILED));
    expect(compiles('production')).to.equal(false);
  });
});
