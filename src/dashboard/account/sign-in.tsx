// Signing in, including after a session expired with a form still unsent.
import Joi from 'joi';
import { Problem } from '../../platform/errors.js';
import { checkPassword, findAccount } from '../../users/service.js';
import { endSession, findSession, type Session, startSession } from '../../users/sessions.js';
import { type FormState, newForm } from '../kit/forms/form-state.js';
import { plainForm } from '../kit/forms/plain-form.js';
import {
  type Answer,
  admits,
  type PageAnswer,
  type PageRequest,
  type PageRoute,
  type RedirectAnswer,
} from '../kit/page.js';
import { Button, Field, Form } from '../kit/ui/fields.js';
import { confirmPage, readUnsentForm, UnsentFields, type UnsentForm } from '../kit/unsent-form.js';
import type { Attempts } from './attempts.js';
import { EmailField } from './credential-fields.js';

const credentials = Joi.object({
  email: Joi.string().required(),
  password: Joi.string().required(),
}).unknown();

/** Ends the browser's old session, whose token was known before sign-in (session fixation). */
export function signInForm(attempts: Attempts): PageRoute[] {
  return plainForm<{ email: string; password: string }, 'anyone', UnsentForm | null>({
    path: '/sign-in',
    guard: 'anyone',
    load: readUnsentForm,
    initial: ({ session, query }) =>
      session ? { to: '/' } : newForm({ next: query.get('next') ?? '' }),
    schema: credentials,
    save: async ({ email, password }, request) => {
      const account = await findAccount(email);
      const confirmCorrect = await attempts.password(request.network, account.key);
      const user = await checkPassword(account, password);
      const token = user && (await startSession(user.companyId, user.userId, user.passwordHash));
      if (!token) throw new Problem('validation_failed', 'Incorrect e-mail or password.');
      await confirmCorrect();
      if (request.session) await endSession(request.session.companyId, request.session.id);
      const signedIn = { to: localPath(request.form.get('next')), session: token };
      return request.loaded ? confirmUnsent(request, request.loaded, signedIn) : signedIn;
    },
    page: (state, { loaded: unsent }) => signInPage(state, unsent && UNSENT, unsent),
  });
}

/** The response to a form whose session has ended: a sign-in page that carries the form. */
export function sessionEndedPage(unsent: UnsentForm): PageAnswer {
  const page = signInPage(newForm(), `Your session has ended. ${UNSENT}`, unsent);
  // RFC 9110, 15.5.2 requires a challenge with a 401. Browsers ignore schemes that they don't know.
  return { ...page, status: 401, headers: { 'WWW-Authenticate': 'Cookie realm="dashboard"' } };
}
const UNSENT = 'Sign in again. Your form is still here; it has not been submitted yet.';

/** Asks before submitting the form, because a different user may have signed in. */
async function confirmUnsent(
  request: PageRequest<Session | null>,
  unsent: UnsentForm,
  signedIn: RedirectAnswer,
): Promise<Answer> {
  const { session: token } = signedIn;
  const guard = request.formGuard(unsent.path);
  const session = token && guard ? await findSession(token) : null;
  if (!token || !guard || !session) return signedIn;
  if (!admits(guard, session)) return { ...signedIn, flash: NO_ACCESS };
  return { ...confirmPage(unsent, session, SIGNED_IN_AGAIN), session: token };
}
const NO_ACCESS = 'Your form was not submitted: you don’t have access to its page.';
const SIGNED_IN_AGAIN = {
  title: 'Submit your unsaved form?',
  sentence: 'You are signed in again. This is what was entered; it has not been submitted yet.',
};

function signInPage(
  state: FormState,
  note: string | null,
  unsent: UnsentForm | null = null,
): PageAnswer {
  const body = (
    <div class="sheet">
      <h1>Sign in</h1>
      {note && (
        <p class="message warn" role="status">
          {note}
        </p>
      )}
      <Form action="/sign-in" state={state} focusFirst>
        <input type="hidden" name="next" value={state.values.get('next') ?? ''} />
        {unsent && <UnsentFields unsent={unsent} />}
        <EmailField />
        <Field name="password" label="Password" type="password" autocomplete="current-password" />
        <Button>Sign in</Button>
      </Form>
      <details class="note">
        <summary>Forgot password?</summary>
        <p>
          Ask an owner of your company. Under Members, they can create a link that lets you choose a
          new password. If you are the only owner, ask the operator of this installation.
        </p>
      </details>
      <p class="note">
        New here? <a href="/sign-up">Create your account</a>
      </p>
    </div>
  );
  return { title: 'Sign in', body };
}

/** The path if it is on this site, else `/`: a link must not redirect to another site. */
function localPath(next: string | null): string {
  const base = 'http://own';
  if (!next?.startsWith('/') || !URL.canParse(next, base)) return '/';
  const { origin, pathname, search } = new URL(next, base);
  return origin === base && !pathname.startsWith('//') ? pathname + search : '/';
}
