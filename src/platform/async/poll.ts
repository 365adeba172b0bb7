// A polling loop, for work that must happen even if no message announced it.
import { describeError } from '../postgres-errors.js';
import type { OnStop } from '../process/lifecycle.js';
import type { Log } from '../process/log.js';
import { OutageLog } from '../process/outage-log.js';
import { jittered } from './back-off.js';

/** The pause after a failed poll. */
const BACK_OFF_MS = 1_000;

/** The times of a poll: the multiples of a period, so that polls of a process wake it together. */
export type PollPeriod = number | { readonly everyMs: number; readonly offsetMs: number };

/**
 * Calls `poll` until the process stops: again at once while it returns true (there is more), else
 * at the next time of the period. A failure is logged and retried. Stopping waits for the call in
 * progress; one with many steps ends between two of them once the signal is aborted. The returned
 * function ends the pause, and a pause that would follow the call in progress.
 */
export function pollForever(
  name: string,
  period: PollPeriod,
  poll: (signal: AbortSignal) => Promise<boolean>,
  log: Log,
  onStop: OnStop,
): () => void {
  const stop = new AbortController();
  const { signal } = stop;
  const outage = new OutageLog(log, {
    failing: `${name} failed; retrying`,
    working: `${name} works again`,
  });
  let endPause = () => {};
  let isWoken = false;
  const pause = (ms: number) =>
    new Promise<void>(resolve => {
      if (signal.aborted) return resolve();
      const timer = setTimeout(resolve, ms);
      endPause = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  const loop = async (): Promise<void> => {
    while (!signal.aborted) {
      isWoken = false;
      try {
        const isMore = await poll(signal);
        outage.succeeded();
        if (!isMore && !isWoken) await pause(untilNext(period));
      } catch (error) {
        outage.failed({ err: describeError(error) });
        await pause(jittered(BACK_OFF_MS));
      }
    }
  };
  const running = loop();
  onStop(name, async () => {
    stop.abort();
    endPause();
    await running;
  });
  return () => {
    isWoken = true;
    endPause();
  };
}

function untilNext(period: PollPeriod): number {
  const { everyMs, offsetMs } =
    typeof period === 'number' ? { everyMs: period, offsetMs: 0 } : period;
  const sinceLast = (performance.now() + everyMs - offsetMs) % everyMs;
  // A timer may fire up to a millisecond early, which would be before that time.
  return everyMs - sinceLast + 1;
}
