// Turns at reading large bodies: parsing and checking one takes up to a tenth of a second, so that
// a company with many at a time would hold up the requests of all others. A company pauses after
// each turn for several times as long, so that it has a part of the process at most.
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Context, Middleware } from 'koa';
import type { Auth } from '../api-keys/authenticate.js';
import { NoTurn, pauseAfter, Turns } from '../platform/async/turns.js';
import { NOT_ACCEPTED, unavailable } from '../platform/errors.js';

/** More than an invoice of 250 usual lines. */
const LARGE_BYTES = 64 * 1024;
/** Bodies that wait take up to 512 KiB each. Most turns are pauses. */
const TURNS = { running: 8, waitingPerKey: 100, waiting: 300, waitMs: 10_000 };

const turns = new Turns(TURNS);

/**
 * Goes between a body's bytes and its parser. A large body has a turn of its company: it is read
 * until `endTurn` or the answer, and then comes the pause, which the request does not wait for.
 * Throws Problem `service_unavailable` if too many bodies wait.
 */
export const largeBodyTurn: Middleware = async (ctx, next) => {
  const { length } = ctx.request.rawBody as Buffer;
  if (length <= LARGE_BYTES) return next();
  const { companyId } = ctx.state.auth as Auth;
  await new Promise<void>((resolve, reject) => {
    const readBody = async () => {
      // Otherwise one turn of the event loop would read all bodies that wait.
      await nextTurn();
      const startedAt = performance.now();
      const isRead = new Promise<void>(read => {
        ctx.state.endTurn = read;
      });
      const answered = next();
      answered.then(resolve, reject);
      await Promise.race([answered, isRead]).catch(() => undefined);
      await pauseAfter(startedAt);
    };
    turns.run(companyId, readBody).catch((error: unknown) => {
      if (!(error instanceof NoTurn)) return reject(error);
      reject(unavailable(`Too many large requests are waiting. ${NOT_ACCEPTED}`));
    });
  });
};

/** Ends the turn of a body that is checked: the request now waits for workers. */
export function endTurn(ctx: Context): void {
  (ctx.state.endTurn as (() => void) | undefined)?.();
}
