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

export function measureRecovery(disturbances: readonly Disturbance[], journal: Journal): Recovery[] {
  const answered = journal.entries.flatMap(({ startedAt, answer }) =>
    answer && OUTCOMES.has(answer.status) ? [{ startedAt, endedAt: startedAt + answer.ms }] : [],
  );
  return [...new Set(disturbances.map(({ what }) => what))].sort().map(what => {
    const moments = disturbances.filter(disturbance => disturbance.what === what);
    const waits = moments.flatMap(({ at }) =>
      answered.filter(({ startedAt, endedAt }) => startedAt < at && endedAt > at).map(({ endedAt }) => endedAt - at),
    );
    return { what, times: moments.length, requests: waits.length, slowestMs: Math.max(0, ...waits) };
  });
}
