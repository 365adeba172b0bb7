// The page behind an invitation link. Accepting creates the user and signs them in.
import Joi from 'joi';
import { codeText, text } from '../../platform/http/input/validate.js';
import {
  acceptInvitation,
  findInvitation,
  INVITATION_DAYS,
  type OpenInvitation,
} from '../../users/invitations.js';
import { MAX_USER_NAME } from '../../users/model.js';
import type { Attempts } from '../account/attempts.js';
import { EmailField, NewPasswordField, PersonNameField } from '../account/credential-fields.js';
import { InvalidLink, invalidLinkPage, linkForm, signIn } from '../account/one-time-link.js';
import { type FormState, newForm } from '../kit/forms/form-state.js';
import type { FormRequest } from '../kit/forms/plain-form.js';
import type { PageAnswer, PageRoute } from '../kit/page.js';
import { Button, Form } from '../kit/ui/fields.js';
import { describeRole } from './role-texts.js';

interface PersonBody {
  readonly name: string | null;
  readonly email: string;
  readonly password: string;
}

const personBody = Joi.object({
  name: text(MAX_USER_NAME).default(null),
  email: codeText(320).required(),
  password: Joi.string().required(),
}).unknown();

export function invitationForm(attempts: Attempts): PageRoute[] {
  return linkForm<PersonBody, OpenInvitation>(attempts, findInvitation, invalidPage, {
    path: '/invitations/:token',
    initial: ({ loaded: { name, email } }) => newForm({ name: name ?? '', email: email ?? '' }),
    schema: personBody,
    save: async (person, request) => {
      // Counts as a sign-up, because it reveals whether an e-mail address has an account too.
      await attempts.signUp(request.network);
      const user = await acceptInvitation(request.params.token ?? '', person);
      if (user === null) throw new InvalidLink();
      return signIn(request, user, `Welcome to ${request.loaded.companyName}!`);
    },
    page: invitationPage,
  });
}

function invitationPage(
  state: FormState,
  { path, session, loaded: { companyName, role } }: FormRequest<OpenInvitation, 'anyone'>,
): PageAnswer {
  const body = (
    <div class="sheet">
      <h1>Join {companyName}</h1>
      <p>
        You’ve been invited as {describeRole(role)}. Choose a password to join.
        {session && ` You are signed in as ${session.email} and will be signed out.`}
      </p>
      <Form action={path} state={state} focusFirst>
        <PersonNameField name="name" />
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
