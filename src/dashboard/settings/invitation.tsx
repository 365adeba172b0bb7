// The page behind an invitation link. Accepting creates the user and signs them in.
import Joi from 'joi';
import { text } from '../../platform/http/input/validate.js';
import {
  acceptInvitation,
  findInvitation,
  INVITATION_DAYS,
  type OpenInvitation,
} from '../../users/invitations.js';
import type { VerifiedUser } from '../../users/service.js';
import type { Session } from '../../users/sessions.js';
import type { Attempts } from '../account/attempts.js';
import { EmailField, NewPasswordField } from '../account/credential-fields.js';
import { invalidLinkPage, lookUp, signIn } from '../account/one-time-link.js';
import { type FormState, newForm, submitForm } from '../kit/form.js';
import type { Answer, PageAnswer, PageRequest } from '../kit/page.js';
import { Button, Form } from '../kit/ui/fields.js';
import { describeRole } from './member-tables.js';

const personBody = Joi.object({
  email: text(320).required(),
  password: Joi.string().required(),
}).unknown();

export async function showInvitation(
  request: PageRequest<Session | null>,
  attempts: Attempts,
): Promise<Answer> {
  const invitation = await lookUp(findInvitation, request, attempts);
  return invitation ? invitationPage(request, invitation, newForm()) : invalidPage();
}

export async function accept(
  request: PageRequest<Session | null>,
  attempts: Attempts,
): Promise<Answer> {
  const invitation = await lookUp(findInvitation, request, attempts);
  if (!invitation) return invalidPage();
  const outcome = await submitForm<{ email: string; password: string }, VerifiedUser | null>(
    request.form,
    personBody,
    async person => {
      // Counts as a sign-up, because it reveals whether an e-mail address has an account too.
      await attempts.signUp(request.network);
      return acceptInvitation(request.params.token ?? '', person);
    },
  );
  if (!outcome.done)
    return { ...invitationPage(request, invitation, outcome.state), ...outcome.answer };
  if (outcome.result === null) return invalidPage();
  return signIn(request, outcome.result, `Welcome to ${invitation.companyName}!`);
}

function invitationPage(
  request: PageRequest<Session | null>,
  { companyName, role }: OpenInvitation,
  state: FormState,
): PageAnswer {
  const body = (
    <div class="sheet">
      <h1>Join {companyName}</h1>
      <p>
        You are invited to join as {describeRole(role)}. Choose an e-mail address and password to
        sign in with.
        {request.session &&
          ` You are signed in as ${request.session.email} and will be signed out.`}
      </p>
      <Form action={request.path} state={state} focusFirst>
        <EmailField />
        <NewPasswordField name="password" label="Password" />
        <Button>Join</Button>
      </Form>
    </div>
  );
  return { title: `Join ${companyName}`, body };
}

function invalidPage(): PageAnswer {
  return invalidLinkPage(
    'This invitation is no longer valid',
    `A link works once and expires in ${INVITATION_DAYS} days. It may have been used or ` +
      'withdrawn, or part of it may be missing. Ask the sender for a new one.',
  );
}
