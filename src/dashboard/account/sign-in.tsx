// Sign in, also where a session ended while somebody typed.
import Joi from 'joi';
import { Problem } from '../../platform/errors.js';
import { findUserByPassword } from '../../users/service.js';
import { endSession, findSession, type Session, startSession } from '../../users/sessions.js';
import { type FormState, newForm, submitForm } from '../kit/form.js';
import {
  type Answer,
  admits,
  type PageAnswer,
  type PageRequest,
  type RedirectAnswer,
} from '../kit/page.js';
import { Button, Field, Form } from '../kit/ui/fields.js';
import {
  confirmPage,
  isTooLong,
  readUnsentForm,
  UnsentFields,
  type UnsentForm,
} from '../kit/unsent-form.js';
import type { Attempts } from './attempts.js';

const credentials = Joi.object({
  email: Joi.string().required(),
  password: Joi.string().required(),
}).unknown();

export function showSignIn({ session, query }: PageRequest<Session | null>): Answer {
  return session ? { to: '/' } : signInPage(newForm({ next: query.get('next') ?? '' }), null);
}

/** The session that this browser may have had ends: its id was known before the password was given. */
export async function signIn(
  request: PageRequest<Session | null>,
  attempts: Attempts,
): Promise<Answer> {
  const kept = readUnsentForm(request);
  const outcome = await submitForm<{ email: string; password: string }, string>(
    request.form,
    credentials,
    async ({ email, password }) => {
      const takeBack = await attempts.password(request.network, email);
      const user = await findUserByPassword(email, password);
      if (!user)
        throw new Problem('validation_failed', 'The e-mail address or the password is not right.');
      await takeBack();
      if (request.session) await endSession(request.session.companyId, request.session.id);
      return startSession(user.companyId, user.userId);
    },
  );
  if (!outcome.done) return { ...signInPage(outcome.state, kept && KEPT, kept), ...outcome.answer };
  const signedIn: RedirectAnswer = {
    to: ownPath(request.form.get('next')),
    session: outcome.result,
  };
  return kept === null ? signedIn : offerKept(request, kept, signedIn);
}

/** The answer to a form that came after its session had ended: what was typed goes along with the sign-in. */
export function sessionEndedPage(kept: UnsentForm): PageAnswer {
  const page = isTooLong(kept)
    ? signInPage(newForm(), TOO_LONG)
    : signInPage(newForm(), `${ENDED} ${KEPT}`, kept);
  // RFC 9110, 15.5.2 wants a challenge; no browser asks for a password on its own for one that it does not know.
  return { ...page, status: 401, headers: { 'WWW-Authenticate': 'Cookie realm="dashboard"' } };
}
const ENDED = 'Your session has ended.';
const KEPT = 'Sign in again; what you typed is kept and nothing was sent yet.';
const TOO_LONG = `${ENDED} What you typed is too long to be kept here, and nothing was sent. Go back to it in your browser, sign in again in another tab, and send it once more.`;

/** It may be somebody else by now, for whom nothing is sent that they do not see and want. */
async function offerKept(
  request: PageRequest<Session | null>,
  kept: UnsentForm,
  signedIn: RedirectAnswer,
): Promise<Answer> {
  const { session: token } = signedIn;
  const guard = request.formGuard(kept.path);
  const session = token && guard ? await findSession(token) : null;
  if (!token || !guard || !session) return signedIn;
  if (!admits(guard, session))
    return { ...signedIn, flash: 'What was typed was not sent: you do not have the rights.' };
  return { ...confirmPage(kept, session, SIGNED_IN_AGAIN), session: token };
}
const SIGNED_IN_AGAIN = {
  title: 'Send what you typed?',
  sentence: 'You are signed in again. This is what was typed before; nothing of it was sent yet.',
};

function signInPage(
  state: FormState,
  note: string | null,
  kept: UnsentForm | null = null,
): PageAnswer {
  const body = (
    <div class="sheet">
      <h1>Sign in</h1>
      {note && (
        <p class="message warn" role="status">
          {note}
        </p>
      )}
      <Form action="/sign-in" state={state}>
        <input type="hidden" name="next" value={state.values.get('next') ?? ''} />
        {kept && <UnsentFields unsent={kept} />}
        <Field name="email" label="E-mail address" type="email" autocomplete="username" />
        <Field name="password" label="Password" type="password" autocomplete="current-password" />
        <Button>Sign in</Button>
      </Form>
      <p class="note">
        New here? <a href="/sign-up">Set up your company</a>
      </p>
    </div>
  );
  return { title: 'Sign in', body };
}

/** The path where it is one of ours, else the start: an address given in a link must not lead elsewhere. */
function ownPath(next: string | null): string {
  const base = 'http://own';
  if (!next?.startsWith('/') || !URL.canParse(next, base)) return '/';
  const { origin, pathname, search } = new URL(next, base);
  return origin === base && !pathname.startsWith('//') ? pathname + search : '/';
}
