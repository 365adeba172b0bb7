// The recovery poll: every worker looks for queued rows that are due, so nothing that was promised waits for a queue.
import { describeError } from '../platform/db.js';
import type { OnStop } from '../platform/lifecycle.js';
import type { Log } from '../platform/log.js';
import type { Settlement } from './settlement.js';

const POLL_MS = 250;
/** While Postgres is away. */
const BACK_OFF_MS = 1_000;

/** Polls until stopped, at once again while there is more; stopping waits for the batch in hand. */
export function recoverForever(settlement: Settlement, log: Log, onStop: OnStop): void {
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
        if ((await settlement.recover()) === 0) await pause(POLL_MS);
      } catch (error) {
        log.warn({ err: describeError(error) }, 'recovery poll failed; trying again');
        await pause(BACK_OFF_MS);
      }
    }
  };
  const running = loop();
  onStop('recovery poll', async () => {
    stopped = true;
    wake();
    await running;
  });
}
