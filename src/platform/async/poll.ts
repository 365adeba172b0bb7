// A polling loop, for work that must happen even if no message announced it.
import { setTimeout as delay } from 'node:timers/promises';
import { describeError } from '../postgres-errors.js';
import type { OnStop } from '../process/lifecycle.js';
import type { Log } from '../process/log.js';
import { OutageLog } from '../process/outage-log.js';
import { jittered } from './back-off.js';

/** The pause after a failed poll. */
const BACK_OFF_MS = 1_000;

/**
 * Calls `poll` until the process stops: again at once while it returns true (there is more), else
 * after `everyMs`. A failure is logged and retried. Stopping waits for the call in progress; one
 * with many steps ends between two of them once the signal is aborted.
 */
export function pollForever(
  name: string,
  everyMs: number,
  poll: (signal: AbortSignal) => Promise<boolean>,
  log: Log,
  onStop: OnStop,
): void {
  const stop = new AbortController();
  const { signal } = stop;
  const outage = new OutageLog(log, {
    failing: `${name} failed; retrying`,
    working: `${name} works again`,
  });
  const pause = (ms: number) => delay(ms, undefined, { signal }).catch(() => undefined);
  const loop = async (): Promise<void> => {
    while (!signal.aborted) {
      try {
        const isMore = await poll(signal);
        outage.succeeded();
        if (!isMore) await pause(everyMs);
      } catch (error) {
        outage.failed({ err: describeError(error) });
        await pause(jittered(BACK_OFF_MS));
      }
    }
  };
  const running = loop();
  onStop(name, async () => {
    stop.abort();
    await running;
  });
}
