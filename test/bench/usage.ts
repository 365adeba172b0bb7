// Processor time and resident memory of processes, read from /proc. Without it (macOS) the tables
// show a dash.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';

/** Linux counts processor time for user space in hundredths of a second, on every architecture. */
const TICK_MS = 10;
const KIB_PER_MIB = 1024;

export const HAS_PROC = existsSync('/proc/self/stat');

/** Processor time of a process and its reaped children; null if unknown. */
export function cpuMs(pid: number): number | null {
  const fields = stat(pid);
  return fields && fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) * TICK_MS;
}

/**
 * Processor time of a process and all its children: Postgres with its backends. A backend that
 * ended is included in the time of its parent, which reaped it.
 */
export function familyCpuMs(pid: number): number | null {
  if (!HAS_PROC) return null;
  return childrenOf(pid).reduce((sum, child) => sum + (cpuMs(child) ?? 0), cpuMs(pid) ?? 0);
}

/** Resident memory in MiB: current, and the peak since `resetPeak`. */
export function memoryMib(pid: number): { now: number; peak: number } | null {
  const text = read(`/proc/${pid}/status`);
  const field = (name: string) =>
    Number(new RegExp(`${name}:\\s+(\\d+)`, 'u').exec(text ?? '')?.[1]) / KIB_PER_MIB;
  return text === null ? null : { now: field('VmRSS'), peak: field('VmHWM') };
}

export function resetPeak(pid: number): void {
  if (HAS_PROC) writeFileSync(`/proc/${pid}/clear_refs`, '5');
}

/** The fields after the program's name: state, parent, … */
function stat(pid: number | string): string[] | null {
  const text = read(`/proc/${pid}/stat`);
  return text === null ? null : text.slice(text.lastIndexOf(')') + 2).split(' ');
}

function childrenOf(pid: number): number[] {
  return readdirSync('/proc')
    .filter(name => /^\d+$/u.test(name) && stat(name)?.[1] === String(pid))
    .map(Number);
}

/** Null if the process has ended, or without /proc. */
function read(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}
