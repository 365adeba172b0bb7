// The page behind a password reset link. Choosing a password signs the user in.
import Joi from 'joi';
import {
  findReset,
  type OpenReset,
  RESET_HOURS,
  RESET_PATH,
  resetPassword,
} from '../../users/password-resets.js';
import type { FormState } from '../kit/forms/form-state.js';
import type { FormRequest } from '../kit/forms/plain-form.js';
import type { PageAnswer, PageRoute } from '../kit/page.js';
import { Button, Form } from '../kit/ui/fields.js';
import type { Attempts } from './attempts.js';
import { NewPasswordField } from './credential-fields.js';
import { InvalidLink, invalidLinkPage, linkForm, signIn } from './one-time-link.js';

const passwordBody = Joi.object({ newPassword: Joi.string().required() }).unknown();

export function resetForm(attempts: Attempts): PageRoute[] {
  return linkForm<{ newPassword: string }, OpenReset>(attempts, findReset, invalidPage, {
    path: `${RESET_PATH}/:token`,
    schema: passwordBody,
    save: async ({ newPassword }, request) => {
      const user = await resetPassword(request.params.token ?? '', newPassword);
      if (user === null) throw new InvalidLink();
      return signIn(request, user, 'Password changed. You are signed out on other devices.');
    },
    page: resetPage,
  });
}

function resetPage(
  state: FormState,
  { path, loaded: { email, companyName } }: FormRequest<OpenReset, 'anyone'>,
): PageAnswer {
  const body = (
    <div class="sheet">
      <h1>Choose a new password</h1>
      <p>
        For {email}, {companyName}. You’ll be signed out on other devices.
      </p>
      <Form action={path} state={state} focusFirst>
        <NewPasswordField name="newPassword" label="New password" />
        <Button>Change password</Button>
      </Form>
    </div>
  );
  return { title: 'Choose a new password', body };
}

function invalidPage(): PageAnswer {
  return invalidLinkPage(
    'This link is no longer valid',
    `A link works once and expires in ${RESET_HOURS} hours. It may have been used or replaced by ` +
      'a newer one, or part of it may be missing. Ask an owner of your company, or the operator ' +
      'of this installation, for a new one.',
  );
}
