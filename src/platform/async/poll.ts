// Looking again and again: for what must not depend on somebody having asked.

import { describeError } from '../postgres-errors.js';
import type { OnStop } from '../process/lifecycle.js';
import type { Log } from '../process/log.js';
import { jittered } from './back-off.js';

/** While what is polled is away. */
const BACK_OFF_MS = 1_000;

/**
 * Runs `look` until stopped: at once again where it says that there is more, else after `everyMs`. A failed look is
 * logged and tried again. Stopping waits for the look in hand.
 */
export function pollForever(
  name: string,
  everyMs: number,
  look: () => Promise<boolean>,
  log: Log,
  onStop: OnStop,
): void {
  let stopped = false;
  let wake: () => void = () => undefined;
  const pause = (ms: number) =>
    new Promise<void>(resolve => {
      const timer = setTimeout(resolve, ms);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  const loop = async (): Promise<void> => {
    while (!stopped) {
      try {
        if (!(await look()) && !stopped) await pause(everyMs);
      } catch (error) {
        log.warn({ err: describeError(error) }, `${name} failed; trying again`);
        if (!stopped) await pause(jittered(BACK_OFF_MS));
      }
    }
  };
  const running = loop();
  onStop(name, async () => {
    stopped = true;
    wake();
    await running;
  });
}
