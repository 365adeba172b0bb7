// The signed-in user's account: changing the name or password, and signing out.
import Joi from 'joi';
import { text } from '../../platform/http/input/validate.js';
import { MAX_USER_NAME } from '../../users/model.js';
import { changeName, changePassword } from '../../users/service.js';
import { endSession, endSessions } from '../../users/sessions.js';
import { type FormState, newForm } from '../kit/forms/form-state.js';
import { buttonForm, plainForm } from '../kit/forms/plain-form.js';
import type { PageAnswer, PageRequest, PageRoute } from '../kit/page.js';
import { PageHead, Panel } from '../kit/ui/components.js';
import { Button, Field, Form } from '../kit/ui/fields.js';
import { ROLE_NAMES } from '../settings/role-texts.js';
import type { Attempts } from './attempts.js';
import { NewPasswordField, PersonNameField } from './credential-fields.js';

const passwords = Joi.object({
  currentPassword: Joi.string().required(),
  newPassword: Joi.string().required(),
});

interface PasswordsBody {
  readonly currentPassword: string;
  readonly newPassword: string;
}

const nameBody = Joi.object({ name: text(MAX_USER_NAME).default(null) });

/** The states of submitted forms. */
interface AccountForms {
  readonly name?: FormState;
  readonly password?: FormState;
}

/** The page of the account, and its two forms. */
export function accountForms(attempts: Attempts): PageRoute[] {
  const nameForm = plainForm<{ name: string | null }>({
    path: '/account',
    action: '/account/name',
    guard: 'use-account',
    initial: request => accountPage(request, {}),
    schema: nameBody,
    save: async ({ name }, { session: { companyId, userId } }) => {
      await changeName(companyId, userId, name);
      return { to: '/account', flash: name === null ? 'Name removed.' : 'Name saved.' };
    },
    page: (name, request) => accountPage(request, { name }),
  });
  const passwordForm = plainForm<PasswordsBody>({
    path: '/account/password',
    guard: 'use-account',
    schema: passwords,
    save: async (body, { session: { companyId, userId, id }, network }) => {
      const confirmCorrect = await attempts.password(network, userId);
      await changePassword(companyId, userId, body, id);
      await confirmCorrect();
      return { to: '/account', flash: 'Password changed. You are signed out on other devices.' };
    },
    page: (password, request) => accountPage(request, { password }),
  });
  return [...nameForm, ...passwordForm];
}

export const signOutButton = buttonForm('/sign-out', 'use-account', async ({ session }) => {
  await endSession(session.companyId, session.id);
  return { to: '/sign-in', session: null };
});

export const signOutEverywhereButton = buttonForm(
  '/account/sign-out-everywhere',
  'use-account',
  async ({ session }) => {
    await endSessions(session.companyId, session.userId, null);
    return { to: '/sign-in', session: null, flash: 'You are signed out everywhere.' };
  },
);

function accountPage({ session }: PageRequest, forms: AccountForms): PageAnswer {
  const { name, email, role } = session;
  const body = (
    <>
      <PageHead title="Your account" note={`${email} · ${ROLE_NAMES[role]}`} />
      <Panel title="Name" split>
        <Form
          action="/account/name"
          state={forms.name ?? newForm({ name: name ?? '' }, nameBody)}
          label="Name"
        >
          <PersonNameField name="name" />
          <Button quiet>Save name</Button>
        </Form>
      </Panel>
      <Panel title="Change your password" note="You’ll be signed out on other devices." split>
        <Form
          action="/account/password"
          state={forms.password ?? newForm()}
          label="Change your password"
        >
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
