// A fault runs for about the given seconds and heals before it returns.
import type { Mode } from '../support/suite.js';
import type { Random } from './random.js';
import type { System } from './system.js';

/** The part that a fault disturbs. Two faults without a common part may run at the same time. */
export type Part = 'web' | 'worker' | 'scheduler' | 'redis' | 'postgres' | 'clients' | 'rows';

export interface Fault {
  readonly name: string;
  readonly modes: readonly Mode[];
  readonly parts: readonly Part[];
  /** The duration unless the caller wants a shorter one. */
  readonly seconds: number;
  /** A fault that shows nothing when it is cut short. A quick run leaves it out. */
  readonly needsItsTime?: boolean;
  /** Needs a trigger at the start of a session, which PostgreSQL has from 17 on. */
  readonly needsLoginTrigger?: boolean;
  run(system: System, random: Random, seconds: number): Promise<void>;
}

export const BOTH: readonly Mode[] = ['postgres', 'redis'];
export const REDIS: readonly Mode[] = ['redis'];
export const PROCESSES = ['web', 'worker', 'scheduler'] as const;

export const pause = (seconds: number) =>
  new Promise<void>(resolve => setTimeout(resolve, seconds * 1000));

/** Runs `work` again and again for some seconds, with a pause after each time. */
export async function repeat(seconds: number, pauseMs: number, work: () => Promise<unknown>) {
  const end = Date.now() + seconds * 1000;
  while (Date.now() < end) {
    await work();
    await pause(pauseMs / 1000);
  }
}
