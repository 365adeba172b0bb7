// Measures recovery: how long requests that were under way when a process was killed or frozen took
// to be answered with their outcome.
import type { Journal } from './journal.js';
import type { Disturbance } from './supervisor.js';

const OUTCOMES = new Set([201, 409, 422]);
const SEVERAL = 'several of these';

export interface Recovery {
  readonly what: string;
  readonly times: number;
  /** Requests that were under way at those moments. */
  readonly requests: number;
  readonly slowestMs: number;
}

/** Requests that met several disturbances are reported separately, measured from the last one. */
export function measureRecovery(
  disturbances: readonly Disturbance[],
  journal: Journal,
): Recovery[] {
  const times = new Map<string, number>();
  for (const { what } of disturbances) times.set(what, (times.get(what) ?? 0) + 1);
  const waits = new Map<string, number[]>();
  for (const { startedAt, answer } of journal.entries) {
    if (!answer || !OUTCOMES.has(answer.status)) continue;
    const endedAt = startedAt + answer.ms;
    const met = disturbances.filter(({ at }) => startedAt < at && at < endedAt);
    const [first] = met;
    if (!first) continue;
    const what = met.length === 1 ? first.what : SEVERAL;
    const waitMs = endedAt - Math.max(...met.map(({ at }) => at));
    waits.set(what, [...(waits.get(what) ?? []), waitMs]);
  }
  return [...times.keys(), SEVERAL].sort().map(what => {
    const all = waits.get(what) ?? [];
    const slowestMs = Math.max(0, ...all);
    return { what, times: times.get(what) ?? 0, requests: all.length, slowestMs };
  });
}
