// The page behind a password reset link. Choosing a password signs the user in.
import Joi from 'joi';
import {
  findReset,
  type OpenReset,
  RESET_HOURS,
  resetPassword,
} from '../../users/password-resets.js';
import type { VerifiedUser } from '../../users/service.js';
import type { Session } from '../../users/sessions.js';
import { type FormState, newForm, submitForm } from '../kit/form.js';
import type { Answer, PageAnswer, PageRequest } from '../kit/page.js';
import { Button, Form } from '../kit/ui/fields.js';
import type { Attempts } from './attempts.js';
import { NewPasswordField } from './credential-fields.js';
import { invalidLinkPage, lookUp, signIn } from './one-time-link.js';

const passwordBody = Joi.object({ newPassword: Joi.string().required() }).unknown();

export async function showReset(
  request: PageRequest<Session | null>,
  attempts: Attempts,
): Promise<Answer> {
  const open = await lookUp(findReset, request, attempts);
  return open ? resetPage(request, open, newForm()) : invalidPage();
}

export async function reset(
  request: PageRequest<Session | null>,
  attempts: Attempts,
): Promise<Answer> {
  const open = await lookUp(findReset, request, attempts);
  if (!open) return invalidPage();
  const outcome = await submitForm<{ newPassword: string }, VerifiedUser | null>(
    request.form,
    passwordBody,
    ({ newPassword }) => resetPassword(request.params.token ?? '', newPassword),
  );
  if (!outcome.done) return { ...resetPage(request, open, outcome.state), ...outcome.answer };
  if (outcome.result === null) return invalidPage();
  return signIn(request, outcome.result, 'Password changed. You are signed out on other devices.');
}

function resetPage(
  request: PageRequest<Session | null>,
  { email, companyName }: OpenReset,
  state: FormState,
): PageAnswer {
  const body = (
    <div class="sheet">
      <h1>Choose a new password</h1>
      <p>
        For {email}, {companyName}. You’ll be signed out on other devices.
      </p>
      <Form action={request.path} state={state} focusFirst>
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
