// The page behind a password reset link. Choosing a password signs the user in.
import Joi from 'joi';
import {
  findReset,
  type OpenReset,
  RESET_HOURS,
  resetPassword,
} from '../../users/password-resets.js';
import type { VerifiedUser } from '../../users/service.js';
import { endSession, type Session, startSession } from '../../users/sessions.js';
import { type FormState, newForm, submitForm } from '../kit/form.js';
import type { Answer, PageAnswer, PageRequest } from '../kit/page.js';
import { ButtonLink } from '../kit/ui/components.js';
import { Button, Form } from '../kit/ui/fields.js';
import type { Attempts } from './attempts.js';
import { NewPasswordField } from './credential-fields.js';

const passwordBody = Joi.object({ newPassword: Joi.string().required() }).unknown();

export async function showReset(
  request: PageRequest<Session | null>,
  attempts: Attempts,
): Promise<Answer> {
  const open = await lookUp(request, attempts);
  return open ? resetPage(request, open, newForm()) : invalidLinkPage();
}

/** Ends any session that the browser has, which may be another person's. */
export async function reset(
  request: PageRequest<Session | null>,
  attempts: Attempts,
): Promise<Answer> {
  const open = await lookUp(request, attempts);
  if (!open) return invalidLinkPage();
  const outcome = await submitForm<{ newPassword: string }, VerifiedUser | null>(
    request.form,
    passwordBody,
    ({ newPassword }) => resetPassword(request.params.token ?? '', newPassword),
  );
  if (!outcome.done) return { ...resetPage(request, open, outcome.state), ...outcome.answer };
  if (outcome.result === null) return invalidLinkPage();
  if (request.session) await endSession(request.session.companyId, request.session.id);
  const { companyId, userId, passwordHash } = outcome.result;
  return {
    to: '/',
    session: await startSession(companyId, userId, passwordHash),
    flash: 'Password changed. You are signed out on other devices.',
  };
}

/** Counts the attempt if the link is invalid. Throws Problem `too_many_attempts`. */
async function lookUp(
  { params, network }: PageRequest<Session | null>,
  attempts: Attempts,
): Promise<OpenReset | null> {
  const open = await findReset(params.token ?? '');
  if (!open) await attempts.link(network);
  return open;
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

/** One page for used, replaced, expired and mistyped links, so that it doesn't reveal which. */
function invalidLinkPage(): PageAnswer {
  const body = (
    <div class="sheet">
      <h1>This link is no longer valid</h1>
      <p>
        A link works once and expires in {RESET_HOURS} hours. It may have been used or replaced by a
        newer one, or part of it may be missing. Ask an owner of your company, or the operator of
        this installation, for a new one.
      </p>
      <p>
        <ButtonLink href="/sign-in">Sign in</ButtonLink>
      </p>
    </div>
  );
  return { title: 'This link is no longer valid', body, status: 404 };
}
