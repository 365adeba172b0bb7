// Settings → Members: the company's users with their roles, and invitations for new ones.
import Joi from 'joi';
import { v7 as uuidv7 } from 'uuid';
import { emailAddress } from '../../companies/parties/party-fields.js';
import { uuid } from '../../platform/http/input/uuid.js';
import { text } from '../../platform/http/input/validate.js';
import {
  createInvitation,
  INVITATION_DAYS,
  listInvitations,
  withdrawInvitation,
} from '../../users/invitations.js';
import { listMembers } from '../../users/members.js';
import { MAX_USER_NAME } from '../../users/model.js';
import { ROLES, type Role } from '../../users/roles.js';
import { type FormState, newForm } from '../kit/forms/form-state.js';
import { buttonForm, plainForm } from '../kit/forms/plain-form.js';
import { type PageAnswer, type PageRequest, uuidOr404 } from '../kit/page.js';
import { ButtonLink, Copyable, PageHead, Panel } from '../kit/ui/components.js';
import { Choice } from '../kit/ui/field-groups.js';
import { Button, Field, Form, Hidden } from '../kit/ui/fields.js';
import { SETTINGS } from './company.js';
import { InvitationTable, MEMBERS, MemberTable } from './member-tables.js';
import { describeRole, ROLE_OPTIONS, RoleTable } from './role-texts.js';

const invitationBody = Joi.object({
  once: uuid().required(),
  role: Joi.string()
    .valid(...ROLES)
    .required(),
  name: text(MAX_USER_NAME).default(null),
  email: emailAddress().default(null),
});

interface InvitationBody {
  readonly once: string;
  readonly role: Role;
  readonly name: string | null;
  readonly email: string | null;
}

/** Only this response contains the link; submitting the same form again is refused. */
export const membersForm = plainForm<InvitationBody, 'manage-members'>({
  path: MEMBERS,
  action: `${MEMBERS}/invitations`,
  guard: 'manage-members',
  nav: { label: 'Members', area: SETTINGS },
  initial: () => newForm({ role: 'member' }),
  schema: invitationBody,
  save: async (invitation, { session: { companyId, userId }, origin }) => {
    const token = await createInvitation(companyId, { ...invitation, createdBy: userId });
    return linkPage(`${origin}/invitations/${token}`, invitation);
  },
  page: membersPage,
});

export const withdrawButton = buttonForm(
  `${MEMBERS}/invitations/:id/withdraw`,
  'manage-members',
  async ({ session, params }) => {
    await withdrawInvitation(session.companyId, uuidOr404('invitation', params.id));
    return { to: MEMBERS, flash: 'Invitation withdrawn. The link no longer works.' };
  },
);

function linkPage(link: string, { role, name, email }: InvitationBody): PageAnswer {
  const who = name ?? email ?? 'one person';
  const body = (
    <>
      <PageHead title="Invitation link" note={`For ${who}, as ${describeRole(role)}`} />
      <p class="message warn" role="status">
        Copy the link now; you won’t see it again. Share it with the person you’re inviting. It
        works once and expires in {INVITATION_DAYS} days.
      </p>
      <Panel title="Link">
        <Copyable label="Invitation link" text={link} />
      </Panel>
      <p>
        <ButtonLink href={MEMBERS}>Done</ButtonLink>
      </p>
    </>
  );
  return { title: 'Invitation link', body, isDone: true };
}

async function membersPage(
  state: FormState,
  { session: { companyId, userId } }: PageRequest,
): Promise<PageAnswer> {
  const [members, invitations] = await Promise.all([
    listMembers(companyId),
    listInvitations(companyId),
  ]);
  const body = (
    <>
      <PageHead
        title="Members"
        note="The people who can sign in to this company, and their roles."
      />
      <Panel title="Members">
        <MemberTable members={members} ownId={userId} />
        <RoleTable />
      </Panel>
      <Panel
        title="Invite a teammate"
        note="You’ll get a link to share. It isn’t sent by e-mail."
        split
      >
        <Form action={`${MEMBERS}/invitations`} state={state} label="Invite a teammate">
          <Hidden name="once" value={uuidv7()} />
          <Field
            name="name"
            label="Name"
            hint="The person can change the name and the e-mail address when joining."
            autocomplete="off"
          />
          <Field name="email" label="E-mail address" type="email" autocomplete="off" />
          <Choice name="role" label="Role" options={ROLE_OPTIONS} />
          <Button>Create invitation link</Button>
        </Form>
      </Panel>
      {invitations.length > 0 && (
        <Panel title="Open invitations">
          <InvitationTable invitations={invitations} />
        </Panel>
      )}
    </>
  );
  return { title: 'Members', body };
}
