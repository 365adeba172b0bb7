// Where an invitation's link leads: the invited person chooses how they will sign in, and is signed in.
import Joi from 'joi';
import { text } from '../../platform/http/validate.js';
import {
  acceptInvitation,
  findInvitation,
  INVITATION_DAYS,
  type OpenInvitation,
} from '../../users/invitations.js';
import { MIN_PASSWORD } from '../../users/passwords.js';
import type { UserRef } from '../../users/service.js';
import { endSession, type Session, startSession } from '../../users/sessions.js';
import type { Attempts } from '../account/attempts.js';
import { type FormState, newForm, submitForm } from '../kit/form.js';
import type { Answer, PageAnswer, PageRequest } from '../kit/page.js';
import { ButtonLink } from '../kit/ui/components.js';
import { Button, Field, Form } from '../kit/ui/fields.js';

const personBody = Joi.object({
  email: text(320).required(),
  password: Joi.string().required(),
}).unknown();

export async function showInvitation(
  request: PageRequest<Session | null>,
  attempts: Attempts,
): Promise<Answer> {
  const invitation = await find(request, attempts);
  return invitation ? invitationPage(request, invitation, newForm()) : noInvitationPage();
}

/** The session that this browser may have had ends: it is another person who goes on. */
export async function accept(
  request: PageRequest<Session | null>,
  attempts: Attempts,
): Promise<Answer> {
  const invitation = await find(request, attempts);
  if (!invitation) return noInvitationPage();
  const outcome = await submitForm<{ email: string; password: string }, UserRef | null>(
    request.form,
    personBody,
    async person => {
      // As often as a sign-up, which too tells whether an address has an account.
      await attempts.signUp(request.network);
      return acceptInvitation(request.params.token ?? '', person);
    },
  );
  if (!outcome.done)
    return { ...invitationPage(request, invitation, outcome.state), ...outcome.answer };
  if (outcome.result === null) return noInvitationPage();
  if (request.session) await endSession(request.session.companyId, request.session.id);
  const { companyId, userId } = outcome.result;
  return {
    to: '/',
    session: await startSession(companyId, userId),
    flash: `Welcome to ${invitation.companyName}!`,
  };
}

async function find(
  { params, network }: PageRequest<Session | null>,
  attempts: Attempts,
): Promise<OpenInvitation | null> {
  const invitation = await findInvitation(params.token ?? '');
  if (!invitation) await attempts.invitation(network);
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
        You are invited as {role === 'owner' ? 'an owner' : 'a member'}. Choose how you will sign
        in.
        {request.session &&
          ` You are signed in as ${request.session.email}; you will be signed out.`}
      </p>
      <Form action={request.path} state={state}>
        <Field name="email" label="E-mail address" type="email" autocomplete="username" />
        <Field
          name="password"
          label="Password"
          type="password"
          autocomplete="new-password"
          hint={`At least ${MIN_PASSWORD} characters; a few words make a good one.`}
        />
        <Button>Join</Button>
      </Form>
    </div>
  );
  return { title: `Join ${companyName}`, body };
}

/** One page for what is used, withdrawn, out of date and mistyped: it tells nobody which. */
function noInvitationPage(): PageAnswer {
  const body = (
    <div class="sheet">
      <h1>This invitation is not open</h1>
      <p>
        A link works once, and for {INVITATION_DAYS} days. It may have been used or withdrawn, or a
        part of it is missing. Ask whoever sent it for a new one.
      </p>
      <p>
        <ButtonLink href="/sign-in">Sign in</ButtonLink>
      </p>
    </div>
  );
  return { title: 'This invitation is not open', body, status: 404 };
}
