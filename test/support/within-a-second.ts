// Changes that hold on every process within a second.
import { setTimeout as pause } from 'node:timers/promises';
import type { Response } from './client.js';

const EFFECTIVE_WITHIN_MS = 1_000;
const ASK_EVERY_MS = 10;

/**
 * Asks until the answer is as it must be after a change, and returns that answer; else the answer
 * to the first request that was sent a second or more after this call. Call it when the change is
 * committed.
 */
export async function answerWithinASecond(
  ask: () => Promise<Response>,
  isRight: (answer: Response) => boolean,
): Promise<Response> {
  const changed = performance.now();
  for (;;) {
    const sent = performance.now();
    const answer = await ask();
    if (isRight(answer) || sent - changed >= EFFECTIVE_WITHIN_MS) return answer;
    await pause(ASK_EVERY_MS);
  }
}
