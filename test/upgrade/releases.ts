// The releases whose databases the suite upgrades, and their programs, compiled from the history
// with the present toolchain and libraries. "To change X, edit Y" in docs/architecture.md says how
// to add one.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { ROOT } from '../support/processes.js';

export interface Release {
  readonly commit: string;
  /** The number of the last migration of its dump. */
  readonly schema: string;
}

/** Oldest first. Each has a dump in the folder dumps. */
export const RELEASES: readonly Release[] = [
  { commit: '8322b58', schema: '0006' },
  { commit: '3feb0043', schema: '0023' },
];

const PARTS = ['config', 'src', 'workers', 'package.json', 'Procfile'];
const CONFIGURATION = ['tsconfig.json', 'tsconfig.build.json'];

/** Why the programs of a release cannot be made here; null if they can. */
export function missingHistory({ commit }: Release): string | null {
  const { status } = spawnSync('git', ['cat-file', '-e', `${commit}^{commit}`], { cwd: ROOT });
  if (status === 0) return null;
  return `commit ${commit} is not in the history: fetch all of it (git fetch --unshallow)`;
}

/** Compiles a release below dist/, once, and returns its folder. Takes some 5 s of CPU time. */
export function compileRelease({ commit }: Release): string {
  const folder = join(ROOT, 'dist/releases', commit);
  const done = join(folder, 'dist/workers/main.js');
  if (existsSync(done)) return folder;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const archive = ['archive', commit, ...PARTS, ...CONFIGURATION];
  const maxBuffer = 256 * 1024 * 1024;
  const { stdout: tree } = run('git', archive, { cwd: ROOT, maxBuffer });
  run('tar', ['-x'], { cwd: folder, input: tree });
  const compiler = join(ROOT, 'node_modules/.bin/tsc');
  run(compiler, ['-p', 'tsconfig.build.json', '--types', 'node'], { cwd: folder });
  return folder;
}

/** The statements that make the release's database, with one company. */
export function readDump({ commit }: Release): string {
  return gunzipSync(readFileSync(dumpFile(commit))).toString();
}

export function dumpFile(commit: string): string {
  return join(ROOT, 'test/upgrade/dumps', `${commit}.sql.gz`);
}

function run(command: string, args: string[], options: object): { readonly stdout: Buffer } {
  const { status, stdout, stderr, error } = spawnSync(command, args, options);
  if (status !== 0) throw new Error(`${command} failed: ${error ?? ''}${stdout}${stderr}`);
  return { stdout };
}
