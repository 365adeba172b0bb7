// Turns at reading large bodies: parsing and checking one takes up to a tenth of a second, so that
// a company with many at a time would hold up the requests of all others.
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Context, Middleware } from 'koa';
import type { Auth } from '../api-keys/authenticate.js';
import { NoTurn, Turns } from '../platform/async/turns.js';
import { NOT_ACCEPTED, unavailable } from '../platform/errors.js';

/** More than an invoice of 250 usual lines. */
const LARGE_BYTES = 64 * 1024;
/** Bodies that wait take up to 512 KiB each. */
const TURNS = { running: 2, waitingPerKey: 100, waiting: 300, waitMs: 10_000 };

const turns = new Turns(TURNS);

/**
 * Goes between a body's bytes and its parser. A large body has a turn of its company, which ends
 * with `endTurn` or with the answer. Throws Problem `service_unavailable` if too many bodies wait.
 */
export const largeBodyTurn: Middleware = async (ctx, next) => {
  const { length } = ctx.request.rawBody as Buffer;
  if (length <= LARGE_BYTES) return next();
  let answered: Promise<unknown> | undefined;
  const readBody = async () => {
    // Otherwise one turn of the event loop would read all bodies that wait.
    await nextTurn();
    const isRead = new Promise<void>(resolve => {
      ctx.state.endTurn = resolve;
    });
    answered = next();
    await Promise.race([answered, isRead]);
  };
  const { companyId } = ctx.state.auth as Auth;
  await turns.run(companyId, readBody).catch((error: unknown) => {
    if (!(error instanceof NoTurn)) throw error;
    throw unavailable(`Too many large requests are waiting. ${NOT_ACCEPTED}`);
  });
  await answered;
};

/** Ends the turn of a body that is checked: the request now waits for workers. */
export function endTurn(ctx: Context): void {
  (ctx.state.endTurn as (() => void) | undefined)?.();
}
