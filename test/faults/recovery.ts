// How long what was in hand took to be done after a process was killed or stopped: measured on the requests that were
// under way at that moment and were answered with their outcome.
import type { Journal } from './journal.js';
import type { Disturbance } from './stage.js';

const OUTCOMES = new Set([201, 409, 422]);

export interface Recovery {
  readonly what: string;
  readonly times: number;
  /** Requests that were under way at those moments. */
  readonly requests: number;
  readonly slowestMs: number;
}

const SEVERAL = 'several of these';

/** A request that met one of them counts there; who met several is told of apart, and counts from the last one on. */
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
    waits.set(what, [...(waits.get(what) ?? []), endedAt - Math.max(...met.map(({ at }) => at))]);
  }
  return [...times.keys(), SEVERAL].sort().map(what => {
    const all = waits.get(what) ?? [];
    return {
      what,
      times: times.get(what) ?? 0,
      requests: all.length,
      slowestMs: Math.max(0, ...all),
    };
  });
}
