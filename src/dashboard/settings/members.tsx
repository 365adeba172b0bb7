// Settings → Members: the company's users with their roles, and invitations for new ones.
import Joi from 'joi';
import { v7 as uuidv7 } from 'uuid';
import { uuid } from '../../platform/http/input/uuid.js';
import {
  createInvitation,
  INVITATION_DAYS,
  listInvitations,
  withdrawInvitation,
} from '../../users/invitations.js';
import { listMembers, ROLES } from '../../users/members.js';
import type { Role } from '../../users/model.js';
import { type FormState, newForm } from '../kit/forms/form-state.js';
import { plainForm } from '../kit/forms/plain-form.js';
import { type Answer, type PageAnswer, type PageRequest, uuidOr404 } from '../kit/page.js';
import { ButtonLink, Copyable, PageHead, Panel } from '../kit/ui/components.js';
import { Choice } from '../kit/ui/field-groups.js';
import { Button, Form, Hidden } from '../kit/ui/fields.js';
import { SETTINGS } from './company.js';
import { InvitationTable, MEMBERS, MemberTable, ROLE_NAMES } from './member-tables.js';

const invitationBody = Joi.object({
  once: uuid().required(),
  role: Joi.string()
    .valid(...ROLES)
    .required(),
});

/** Only this response contains the link; submitting the same form again is refused. */
export const membersForm = plainForm<{ once: string; role: Role }, 'owner'>({
  path: MEMBERS,
  action: `${MEMBERS}/invitations`,
  guard: 'owner',
  nav: { label: 'Members', area: SETTINGS },
  initial: () => newForm({ role: 'member' }),
  schema: invitationBody,
  save: async ({ once, role }, { session: { companyId, userId }, origin }) => {
    const token = await createInvitation(companyId, { once, role, createdBy: userId });
    return linkPage(`${origin}/invitations/${token}`, role);
  },
  page: membersPage,
});

export async function withdraw(request: PageRequest): Promise<Answer> {
  const id = uuidOr404('invitation', request.params.id);
  await withdrawInvitation(request.session.companyId, id);
  return { to: MEMBERS, flash: 'Invitation withdrawn. The link no longer works.' };
}

function linkPage(link: string, role: Role): PageAnswer {
  const body = (
    <>
      <PageHead title="Invitation link" note={`For one new ${role}`} />
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
  return { title: 'Invitation link', body };
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
        note="Members work with invoices and stock. Owners also manage keys, settings and members."
      />
      <Panel title="Members">
        <MemberTable members={members} ownId={userId} />
      </Panel>
      <Panel
        title="Invite a teammate"
        note="You’ll get a link to share. Tradepost doesn’t send e-mail."
        split
      >
        <Form action={`${MEMBERS}/invitations`} state={state} label="Invite a teammate">
          <Hidden name="once" value={uuidv7()} />
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

const ROLE_OPTIONS = [
  { value: 'member', label: ROLE_NAMES.member, hint: 'Invoices and stock' },
  {
    value: 'owner',
    label: ROLE_NAMES.owner,
    hint: 'Everything, including keys, settings and members',
  },
];
