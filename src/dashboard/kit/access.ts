// Who does not come in, and what they are answered.
import type { Context } from 'koa';
import type { Session } from '../../users/sessions.js';
import { sessionEndedPage } from '../account/sign-in.js';
import { isFromOwnPage } from './csrf.js';
import { type Answer, admits, Forbidden, type Guard, type PageAnswer } from './page.js';
import { captureForm, confirmPage, isTooLong, type UnsentForm } from './unsent-form.js';

export function refuseOtherSites(ctx: Context, publicUrl: string | undefined): void {
  if (isFromOwnPage(ctx, publicUrl)) return;
  throw new Forbidden('This form was sent from another site, so nothing was done.');
}

export function refuseOthers(guard: Guard, session: Session | null): void {
  if (!admits(guard, session)) throw new Forbidden('You do not have the rights for this page.');
}

/** What was typed in the form that this request sent; null without one, and for one with a file, which cannot be kept. */
export function unsentFormOf({ path, state }: Context): UnsentForm | null {
  return state.form === undefined || state.file !== undefined
    ? null
    : captureForm(path, state.form);
}

/** To the sign-in; a form takes what was typed along. */
export function signInAnswer(ctx: Context): Answer {
  const kept = unsentFormOf(ctx);
  if (kept === null) return { to: signInPath(ctx) };
  ctx.state.problemCode = 'session_ended';
  return sessionEndedPage(kept);
}

/** For the form of a page that is not of this session: nothing is done before it is asked for on one that is. */
export function staleAnswer(ctx: Context, guard: Guard, session: Session | null): PageAnswer {
  const kept = unsentFormOf(ctx);
  if (kept === null || session === null || isTooLong(kept)) {
    throw new Forbidden('This page was too old to be sent. Go back, reload it, and send it again.');
  }
  refuseOthers(guard, session);
  ctx.state.problemCode = 'forbidden';
  return { ...confirmPage(kept, session, TOO_OLD), status: 403 };
}
const TOO_OLD = {
  title: 'The page was too old to be sent',
  sentence:
    'It was made before you signed in as you are now. This is what was typed; nothing was done yet.',
};

/** To the sign-in, and back to where somebody wanted to go. */
export function signInPath(ctx: Context): string {
  return ctx.method === 'GET' && ctx.path !== '/'
    ? `/sign-in?${new URLSearchParams({ next: ctx.url })}`
    : '/sign-in';
}
