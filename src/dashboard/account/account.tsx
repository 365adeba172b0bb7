// The signed-in user's account: changing the password and signing out.
import Joi from 'joi';
import { changePassword } from '../../users/service.js';
import { endSession, endSessions } from '../../users/sessions.js';
import { type FormState, newForm } from '../kit/forms/form-state.js';
import { plainForm } from '../kit/forms/plain-form.js';
import type { Answer, PageAnswer, PageRequest, PageRoute } from '../kit/page.js';
import { PageHead, Panel } from '../kit/ui/components.js';
import { Button, Field, Form } from '../kit/ui/fields.js';
import type { Attempts } from './attempts.js';
import { NewPasswordField } from './credential-fields.js';

const passwords = Joi.object({
  currentPassword: Joi.string().required(),
  newPassword: Joi.string().required(),
});

interface PasswordsBody {
  readonly currentPassword: string;
  readonly newPassword: string;
}

export function accountForm(attempts: Attempts): PageRoute[] {
  return plainForm<PasswordsBody>({
    path: '/account',
    action: '/account/password',
    guard: 'signed-in',
    initial: () => newForm(),
    schema: passwords,
    save: async (body, { session: { companyId, userId, id }, network }) => {
      const confirmCorrect = await attempts.password(network, userId);
      await changePassword(companyId, userId, body, id);
      await confirmCorrect();
      return { to: '/account', flash: 'Password changed. You are signed out on other devices.' };
    },
    page: accountPage,
  });
}

export async function signOut({ session }: PageRequest): Promise<Answer> {
  await endSession(session.companyId, session.id);
  return { to: '/sign-in', session: null };
}

export async function signOutEverywhere({ session }: PageRequest): Promise<Answer> {
  await endSessions(session.companyId, session.userId, null);
  return { to: '/sign-in', session: null, flash: 'You are signed out everywhere.' };
}

function accountPage(state: FormState, { session: { email } }: PageRequest): PageAnswer {
  const body = (
    <>
      <PageHead title="Your account" note={email} />
      <Panel title="Change your password" note="You’ll be signed out on other devices." split>
        <Form action="/account/password" state={state} label="Change your password">
          <Field
            name="currentPassword"
            label="Current password"
            type="password"
            autocomplete="current-password"
          />
          <NewPasswordField name="newPassword" label="New password" />
          <Button>Change password</Button>
        </Form>
      </Panel>
      <Panel
        title="Sign out everywhere"
        note="Signs you out on all devices, including this one."
        split
      >
        <Form action="/account/sign-out-everywhere" inline>
          <Button quiet>Sign out everywhere</Button>
        </Form>
      </Panel>
    </>
  );
  return { title: 'Your account', body };
}
