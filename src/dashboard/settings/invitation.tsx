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
import { endSession, type Session, startSession } from '../../users/sessions.js';
import type { Attempts } from '../account/attempts.js';
import { EmailField, NewPasswordField } from '../account/credential-fields.js';
import { type FormState, newForm, submitForm } from '../kit/form.js';
import type { Answer, PageAnswer, PageRequest } from '../kit/page.js';
import { ButtonLink } from '../kit/ui/components.js';
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
  const invitation = await lookUp(request, attempts);
  return invitation ? invitationPage(request, invitation, newForm()) : invalidLinkPage();
}

/** Ends any session that the browser already has, because a different person is joining. */
export async function accept(
  request: PageRequest<Session | null>,
  attempts: Attempts,
): Promise<Answer> {
  const invitation = await lookUp(request, attempts);
  if (!invitation) return invalidLinkPage();
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
  if (outcome.result === null) return invalidLinkPage();
  if (request.session) await endSession(request.session.companyId, request.session.id);
  const { companyId, userId, passwordHash } = outcome.result;
  return {
    to: '/',
    session: await startSession(companyId, userId, passwordHash),
    flash: `Welcome to ${invitation.companyName}!`,
  };
}

/** Counts the attempt if the link is invalid. Throws Problem `too_many_attempts`. */
async function lookUp(
  { params, network }: PageRequest<Session | null>,
  attempts: Attempts,
): Promise<OpenInvitation | null> {
  const invitation = await findInvitation(params.token ?? '');
  if (!invitation) await attempts.link(network);
  return invitation;
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

/** One page for used, withdrawn, expired and mistyped links, so that it doesn't reveal which. */
function invalidLinkPage(): PageAnswer {
  const body = (
    <div class="sheet">
      <h1>This invitation is no longer valid</h1>
      <p>
        A link works once and expires in {INVITATION_DAYS} days. It may have been used or withdrawn,
        or part of it may be missing. Ask the sender for a new one.
      </p>
      <p>
        <ButtonLink href="/sign-in">Sign in</ButtonLink>
      </p>
    </div>
  );
  return { title: 'This invitation is no longer valid', body, status: 404 };
}
