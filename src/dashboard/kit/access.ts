// The answers to requests that are refused: to the wrong origin, visitor or session.
import type { Context } from 'koa';
import { Problem } from '../../platform/errors.js';
import type { Session } from '../../users/sessions.js';
import { isFromOwnPage } from './csrf.js';
import { FORM_LIMIT_BYTES, readForm } from './forms/form.js';
import { type Answer, admits, type Guard, type PageAnswer } from './page.js';
import { captureForm, confirmPage, isTooLongToCarry, type UnsentForm } from './unsent-form.js';

/**
 * The visitor lacks the permission: 403 with the message. Only pages have this error; the API's is
 * the Problem insufficient_scope.
 */
export class Forbidden extends Error {}

/** Throws Forbidden unless one of our own pages sent the request. */
export function refuseOtherSites(ctx: Context, publicUrl: string | undefined): void {
  if (isFromOwnPage(ctx, publicUrl)) return;
  throw new Forbidden('This form was submitted from another site, so nothing was done.');
}

/** Throws Forbidden unless the guard admits the visitor. */
export function refuseUnlessAdmitted(guard: Guard, session: Session | null): void {
  if (admits(guard, session)) return;
  throw new Forbidden('You don’t have access to this page. Ask an owner.');
}

/** Reads the form of a visitor without a session, which may be no longer than most forms. */
export async function readVisitorForm(ctx: Context, guard: Guard): Promise<void> {
  try {
    await readForm(ctx, FORM_LIMIT_BYTES);
  } catch (error) {
    const isTooLong = error instanceof Problem && error.code === 'payload_too_large';
    throw isTooLong && guard !== 'anyone' ? tooLongToCarry() : error;
  }
}

function tooLongToCarry(): Problem {
  return new Problem(
    'payload_too_large',
    'Your session has ended. Your form was not submitted, and it is too long to carry over. ' +
      'Sign in again in another tab, then go back to this form and submit it again.',
  );
}

/** The form of this request; null without a form, or if it has a file, which is not captured. */
export function unsentFormOf({ path, state }: Context): UnsentForm | null {
  return state.form === undefined || state.file !== undefined
    ? null
    : captureForm(path, state.form);
}

/**
 * The sign-in page for a form, which carries the input along; otherwise a redirect to sign in.
 * Throws Problem `payload_too_large` for a form that the sign-in form cannot carry.
 */
export function signInAnswer(
  ctx: Context,
  sessionEndedPage: (unsent: UnsentForm) => PageAnswer,
): Answer {
  const unsent = unsentFormOf(ctx);
  if (unsent === null) return { to: signInPath(ctx) };
  if (isTooLongToCarry(unsent)) throw tooLongToCarry();
  ctx.state.problemCode = 'session_ended';
  return sessionEndedPage(unsent);
}

/** Answers a form whose page belongs to another session: asks the person before it is submitted. */
export function staleAnswer(ctx: Context, guard: Guard, session: Session | null): PageAnswer {
  const unsent = unsentFormOf(ctx);
  if (unsent === null || session === null) {
    throw new Forbidden('This page is out of date. Go back, reload it and submit again.');
  }
  refuseUnlessAdmitted(guard, session);
  ctx.state.problemCode = 'forbidden';
  return { ...confirmPage(unsent, session, STALE), status: 403 };
}
const STALE = {
  title: 'The page was out of date',
  sentence:
    'You signed in as someone else after opening this form. Nothing was submitted. Check your ' +
    'input.',
};

/** The address of the sign-in page, which leads back to the page of this GET. */
export function signInPath(ctx: Context): string {
  return ctx.method === 'GET' && ctx.path !== '/'
    ? `/sign-in?${new URLSearchParams({ next: ctx.url })}`
    : '/sign-in';
}
