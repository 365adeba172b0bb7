// The CPU time of this process, its children and its Postgres servers, read from /proc. It is 0 on
// systems without /proc.
import { readdirSync, readFileSync } from 'node:fs';
import { DIRECTORY_PREFIX } from './processes.js';

/** Linux reports CPU time in hundredths of a second on all platforms. */
const TICKS_PER_SECOND = 100;

/** By process id: a server is not a child of this process, so its last reading survives its end. */
const servers = new Map<number, number>();

interface ProcessTime {
  readonly pid: number;
  readonly parent: number;
  /** Including the ended children that the process has waited for. */
  readonly ticks: number;
}

/** The CPU seconds so far. Call it often: a server that ends hides its time since the last call. */
export function cpuSeconds(): number {
  const all = readProcesses();
  for (const { pid } of all) if (isOwnServer(pid)) servers.set(pid, ticksOfTree(pid, all));
  return ticksOfTree(process.pid, all) / TICKS_PER_SECOND + serverSeconds();
}

/** The CPU seconds of this process's Postgres servers at the last call of `cpuSeconds`. */
export function serverSeconds(): number {
  return [...servers.values()].reduce((sum, ticks) => sum + ticks, 0) / TICKS_PER_SECOND;
}

function readProcesses(): ProcessTime[] {
  return read('/proc', path => readdirSync(path), []).flatMap(name => {
    // The command's name is in parentheses and may contain spaces.
    const fields = read(`/proc/${name}/stat`, readText, '').split(') ').at(-1)?.split(' ') ?? [];
    const times = fields.slice(11, 15).map(Number);
    return times.length < 4
      ? []
      : [{ pid: Number(name), parent: Number(fields[1]), ticks: times.reduce((a, b) => a + b) }];
  });
}

function ticksOfTree(root: number, all: readonly ProcessTime[]): number {
  return all
    .filter(({ pid, parent }) => pid === root || parent === root)
    .reduce((sum, { pid, ticks }) => sum + (pid === root ? ticks : ticksOfTree(pid, all)), 0);
}

/** Whether the process is a Postgres server with its data in a directory of this process. */
function isOwnServer(pid: number): boolean {
  const [program = '', ...args] = read(`/proc/${pid}/cmdline`, readText, '').split('\0');
  return program.endsWith('/postgres') && args.some(arg => arg.includes(DIRECTORY_PREFIX));
}

const readText = (path: string): string => readFileSync(path, 'utf8');

/** A process may end between two reads. */
function read<Content>(path: string, from: (path: string) => Content, otherwise: Content): Content {
  try {
    return from(path);
  } catch {
    return otherwise;
  }
}
