// Processes whose clock is wrong.
import { BOTH, type Fault, pause } from './fault.js';
import { lockVictimsRows } from './row-lock.js';
import type { System } from './system.js';

const CLOCK_SHIFT_MS = 600_000;

/** Restarts a process with a wrong clock, and again with the right one after `work`. */
async function withShiftedClock(
  { processes }: System,
  name: string,
  shiftMs: number,
  work: () => Promise<void>,
): Promise<void> {
  await processes.restart(name, 'SIGTERM', {
    NODE_OPTIONS: `--import ${new URL('./clock.js', import.meta.url).href}`,
    TRADEPOST_CLOCK_SHIFT_MS: String(shiftMs),
  });
  await processes.allReady();
  await work();
  await processes.restart(name, 'SIGTERM');
  await processes.allReady();
}

/** The clock of one process is ten minutes off. */
const clock: Fault = {
  name: 'clock',
  modes: BOTH,
  parts: ['web', 'worker'],
  seconds: 6,
  run(system, random, seconds) {
    const names = [...system.processes.names('web'), ...system.processes.names('worker')];
    const shiftMs = random.pick([-CLOCK_SHIFT_MS, CLOCK_SHIFT_MS]);
    return withShiftedClock(system, random.pick(names), shiftMs, () => pause(seconds));
  },
};

/**
 * The clock of one web host is slow, and writes that it persists wait for a lock. They must not
 * look like an old backlog, for which every web process would refuse new writes.
 */
const slowWebClock: Fault = {
  name: 'slow-web-clock',
  modes: BOTH,
  parts: ['web', 'rows'],
  seconds: 6,
  run(system, random, seconds) {
    const name = random.pick(system.processes.names('web'));
    return withShiftedClock(system, name, -CLOCK_SHIFT_MS, () =>
      lockVictimsRows(system, random, 'slow-web-clock', seconds),
    );
  },
};

export const CLOCK_FAULTS: readonly Fault[] = [clock, slowWebClock];
