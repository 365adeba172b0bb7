// What a fault is. Each is done for about so many seconds and undone before it returns: healing is part of it.
import type { Mode } from '../support/suite.js';
import type { Random } from './random.js';
import type { Stage } from './stage.js';

/** What a fault disturbs; two faults without a common part may come together. */
export type Part = 'web' | 'worker' | 'scheduler' | 'redis' | 'postgres' | 'clients' | 'rows';

export interface Fault {
  readonly name: string;
  readonly modes: readonly Mode[];
  readonly parts: readonly Part[];
  /** How long it takes by itself, where the caller does not want it shorter. */
  readonly seconds: number;
  run(stage: Stage, random: Random, seconds: number): Promise<void>;
}

export const BOTH: readonly Mode[] = ['postgres', 'redis'];
export const REDIS: readonly Mode[] = ['redis'];
export const PROCESSES = ['web', 'worker', 'scheduler'] as const;

export const pause = (seconds: number) =>
  new Promise<void>(resolve => setTimeout(resolve, seconds * 1000));
