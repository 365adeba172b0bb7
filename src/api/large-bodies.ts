// Turns at large bodies: parsing and checking one takes up to a tenth of a second, so that many of
// one company at a time would hold up the requests of all others. A company pauses after each turn
// for several times as long, so that it has a part of the process at most.
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Context, Middleware } from 'koa';
import type { Auth } from '../api-keys/authenticate.js';
import { NoTurn, pauseAfter, Turns } from '../platform/async/turns.js';
import { NOT_ACCEPTED, unavailable } from '../platform/errors.js';

/** More than an invoice of 250 usual lines. */
const LARGE_BYTES = 64 * 1024;
/** Several times a usual record. Until the company has its turn to write, the body is in memory. */
const LARGE_RECORD_BYTES = 16 * 1024;
/** Bodies that wait take up to 512 KiB each. Most turns are pauses. */
const TURNS = { running: 8, waitingPerKey: 100, waiting: 300, waitMs: 10_000 };

const bodyTurns = new Turns(TURNS);
/** Requests that are not queued wait for locks in their turn, so they have turns of their own. */
const recordTurns = new Turns(TURNS);

/**
 * Goes between a body's bytes and its parser. A large body has a turn of its company: it is read
 * until `endTurn` or the answer, and then comes the pause, which the request does not wait for.
 * Throws Problem `service_unavailable` if too many bodies wait.
 */
export const largeBodyTurn: Middleware = turnAbove(LARGE_BYTES, bodyTurns);

/** The same for an item or a record, whose write is not queued: the turn ends with the answer. */
export const largeRecordTurn: Middleware = turnAbove(LARGE_RECORD_BYTES, recordTurns);

/** The same for a batch of records. It may be large for another reason: see `inLargeTurn`. */
export const largeBatchTurn: Middleware = turnAbove(LARGE_BYTES, recordTurns);

/** Runs `work` in a turn of a large body if it has none yet, for a request that takes as long. */
export function inLargeTurn<Result>(ctx: Context, work: () => Promise<Result>): Promise<Result> {
  return ctx.state.endTurn ? work() : inTurn(ctx, recordTurns, work);
}

/** Ends the turn of a body that is checked: the request now waits for workers. */
export function endTurn(ctx: Context): void {
  (ctx.state.endTurn as (() => void) | undefined)?.();
}

function turnAbove(bytes: number, turns: Turns): Middleware {
  return (ctx, next) => {
    const { length } = ctx.request.rawBody as Buffer;
    return length <= bytes ? next() : inTurn(ctx, turns, next);
  };
}

function inTurn<Result>(ctx: Context, turns: Turns, work: () => Promise<Result>): Promise<Result> {
  const { companyId } = ctx.state.auth as Auth;
  return new Promise<Result>((resolve, reject) => {
    const readBody = async () => {
      // Otherwise one turn of the event loop would read all bodies that wait.
      await nextTurn();
      const startedAt = performance.now();
      const isRead = new Promise<void>(read => {
        ctx.state.endTurn = read;
      });
      const answered = work();
      answered.then(resolve, reject);
      await Promise.race([answered, isRead]).catch(() => undefined);
      await pauseAfter(startedAt);
    };
    turns.run(companyId, readBody).catch((error: unknown) => {
      if (!(error instanceof NoTurn)) return reject(error);
      reject(unavailable(`Too many large requests are waiting. ${NOT_ACCEPTED}`));
    });
  });
}
