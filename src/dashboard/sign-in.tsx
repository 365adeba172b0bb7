// Sign in.
import Joi from 'joi';
import { Problem } from '../platform/errors.js';
import { findUserByPassword } from '../users/service.js';
import { endSession, type Session, startSession } from '../users/sessions.js';
import type { Attempts } from './attempts.js';
import { Button, Field, Form } from './fields.js';
import { type FormState, newForm, submitForm } from './form.js';
import type { Answer, PageAnswer, Visit } from './visit.js';

const credentials = Joi.object({ email: Joi.string().required(), password: Joi.string().required() }).unknown();

export function showSignIn({ session, query }: Visit<Session | null>): Answer {
  return session ? { to: '/' } : signInPage(newForm({ next: query.get('next') ?? '' }));
}

/** The session that this browser may have had ends: its id was known before the password was given. */
export async function signIn(visit: Visit<Session | null>, attempts: Attempts): Promise<Answer> {
  const outcome = await submitForm<{ email: string; password: string }, string>(
    visit.form,
    credentials,
    async ({ email, password }) => {
      const takeBack = await attempts.password(visit.network, email);
      const user = await findUserByPassword(email, password);
      if (!user) throw new Problem('validation_failed', 'The e-mail address or the password is not right.');
      await takeBack();
      if (visit.session) await endSession(visit.session.companyId, visit.session.id);
      return startSession(user.companyId, user.userId);
    },
  );
  if (!outcome.done) return { ...signInPage(outcome.state), status: 422 };
  return { to: ownPath(visit.form.get('next')), session: outcome.result };
}

function signInPage(state: FormState): PageAnswer {
  const body = (
    <div class="sheet">
      <h1>Sign in</h1>
      <Form action="/sign-in" state={state}>
        <input type="hidden" name="next" value={state.values.get('next') ?? ''} />
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
