// For a store that may hang: one that takes a call and never answers (a stopped Redis, a cut network). To wait for it in
// each request would slow them all; after one call that took too long, and no other was answered meanwhile, the others
// fail at once, until it answers again. A store that is slow under load goes on answering, and is waited for.

import type { OnStop } from '../process/lifecycle.js';
import type { Log } from '../process/log.js';
import { jittered } from './back-off.js';
import { TimeoutError, withTimeout } from './timeout.js';

/** Between two looks whether the store answers again. */
const PING_EVERY_MS = 500;
const PING_TIMEOUT_MS = 1_000;

export interface Breaker {
  /** True while the store hangs. */
  readonly isOpen: boolean;
  /** The call's outcome; rejects after `timeoutMs`, and at once while the store hangs. */
  call<Value>(timeoutMs: number, work: () => Promise<Value>): Promise<Value>;
}

/** Makes a breaker of the store that `ping` asks; a ping without an answer must end by itself some time. */
export function createBreaker(
  store: string,
  ping: () => Promise<unknown>,
  log: Log,
  onStop: OnStop,
): Breaker {
  let isOpen = false;
  let isLooking = false;
  let isStopped = false;
  let answeredAt = Number.NEGATIVE_INFINITY;
  const close = (): void => {
    answeredAt = performance.now();
    if (isOpen) log.info(`${store} answers again`);
    isOpen = false;
  };
  const look = async (): Promise<void> => {
    if (isLooking) return;
    isLooking = true;
    while (isOpen && !isStopped) {
      await new Promise(resolve => setTimeout(resolve, jittered(PING_EVERY_MS)).unref());
      await withTimeout(PING_TIMEOUT_MS, ping().then(close)).catch(() => undefined);
    }
    isLooking = false;
  };
  const open = (): void => {
    if (isOpen) return;
    isOpen = true;
    log.warn(`${store} does not answer: going on without it until it does`);
    void look();
  };
  onStop(`${store} breaker`, () => {
    isStopped = true;
  });
  return {
    get isOpen() {
      return isOpen;
    },
    async call(timeoutMs, work) {
      if (isOpen) throw new Error(`${store} does not answer`);
      const askedAt = performance.now();
      const answer = work();
      // A late answer is an answer: it closes what its lateness opened.
      answer.then(close, () => undefined);
      try {
        return await withTimeout(timeoutMs, answer);
      } catch (error) {
        if (error instanceof TimeoutError && answeredAt < askedAt) open();
        throw error;
      }
    },
  };
}
