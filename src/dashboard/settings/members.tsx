// Settings → Members: who belongs to the company and what each may do, and inviting others.
import Joi from 'joi';
import { v7 as uuidv7 } from 'uuid';
import { Problem } from '../../platform/errors.js';
import { isUuid } from '../../platform/values/ids.js';
import {
  createInvitation,
  INVITATION_DAYS,
  type Invitation,
  listInvitations,
  withdrawInvitation,
} from '../../users/invitations.js';
import {
  changeRole,
  disableMember,
  enableMember,
  listMembers,
  type Member,
  ROLES,
} from '../../users/members.js';
import type { Role } from '../../users/model.js';
import { type FormState, newForm, refusedForm, submitForm } from '../kit/form.js';
import type { Answer, PageAnswer, PageRequest } from '../kit/page.js';
import { Badge, ButtonLink, Copyable, PageHead, Panel, Table, Time } from '../kit/ui/components.js';

import { Choice } from '../kit/ui/field-groups.js';
import { Button, Form, Hidden } from '../kit/ui/fields.js';

export const MEMBERS = '/settings/members';

const invitationBody = Joi.object({
  once: Joi.string().guid().required(),
  role: Joi.string()
    .valid(...ROLES)
    .required(),
});

export function showMembers(request: PageRequest): Promise<PageAnswer> {
  return membersPage(request);
}

export function changeMemberRole(request: PageRequest): Promise<Answer> {
  const role = request.form.get('role') ?? '';
  return change(
    request,
    id => changeRole(request.session.companyId, id, role),
    `is now ${role === 'owner' ? 'an' : 'a'} ${role}.`,
  );
}

export function disable(request: PageRequest): Promise<Answer> {
  return change(
    request,
    id => disableMember(request.session.companyId, id),
    'is signed out everywhere and cannot sign in.',
  );
}

export function enable(request: PageRequest): Promise<Answer> {
  return change(request, id => enableMember(request.session.companyId, id), 'can sign in again.');
}

/** What was done to a member of this company; who changed themselves is led to where they may still go. */
async function change(
  request: PageRequest,
  work: (userId: string) => Promise<void>,
  said: string,
): Promise<Answer> {
  const { session, form } = request;
  const userId = idOf(request);
  const members = await listMembers(session.companyId);
  const member = members.find(each => each.userId === userId);
  if (!member) throw new Problem('not_found', `There is no user ${userId}.`);
  try {
    await work(userId);
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'validation_failed') throw error;
    const page = await membersPage(request, {
      refused: refusedForm(form, new Problem(error.code, error.message)),
    });
    return { ...page, status: 422 };
  }
  return { to: userId === session.userId ? '/' : MEMBERS, flash: `${member.email} ${said}` };
}

/** The link stands in this answer and nowhere else: sent again, the same form is refused. */
export async function invite(request: PageRequest): Promise<Answer> {
  const { companyId, userId } = request.session;
  const outcome = await submitForm<{ once: string; role: Role }, { token: string; role: Role }>(
    request.form,
    invitationBody,
    async ({ once, role }) => ({
      token: await createInvitation(companyId, { id: once, role, createdBy: userId }),
      role,
    }),
  );
  if (!outcome.done)
    return { ...(await membersPage(request, { invitation: outcome.state })), ...outcome.answer };
  return linkPage(`${request.origin}/invitations/${outcome.result.token}`, outcome.result.role);
}

export async function withdraw(request: PageRequest): Promise<Answer> {
  await withdrawInvitation(request.session.companyId, idOf(request));
  return { to: MEMBERS, flash: 'The invitation is withdrawn. Its link leads nowhere now.' };
}

function idOf({ params }: PageRequest): string {
  const { id = '' } = params;
  if (!isUuid(id)) throw new Problem('not_found', `There is nothing of the id ${id}.`);
  return id.toLowerCase();
}

function linkPage(link: string, role: Role): PageAnswer {
  const body = (
    <>
      <PageHead
        title="Your invitation"
        note={`For one person, as ${role === 'owner' ? 'an owner' : 'a member'}`}
      />
      <p class="message warn" role="status">
        Copy the link now and send it to whom you invite. It is shown this once, works once, and for{' '}
        {INVITATION_DAYS} days.
      </p>
      <Panel title="The link">
        <Copyable label="Invitation link" text={link} />
      </Panel>
      <p>
        <ButtonLink href={MEMBERS}>I have copied it</ButtonLink>
      </p>
    </>
  );
  return { title: 'Your invitation', body };
}

interface Forms {
  readonly refused?: FormState;
  readonly invitation?: FormState;
}

async function membersPage(
  request: PageRequest,
  { refused, invitation }: Forms = {},
): Promise<PageAnswer> {
  const { companyId, userId } = request.session;
  const [members, invitations] = await Promise.all([
    listMembers(companyId),
    listInvitations(companyId),
  ]);
  const body = (
    <>
      <PageHead
        title="Members"
        note="Members work with invoices and stock. Owners also decide on keys, settings and members."
      />
      {refused?.message && (
        <p class="message bad" role="alert">
          {refused.message}
        </p>
      )}
      <Panel title="Members">
        <MemberTable members={members} ownId={userId} />
      </Panel>
      <Panel title="Invite somebody" note="You get a link to send; no e-mail is sent from here.">
        <Form
          action={`${MEMBERS}/invitations`}
          state={invitation ?? newForm({ role: 'member' })}
          label="Invite somebody"
        >
          <Hidden name="once" value={uuidv7()} />
          <Choice name="role" label="They will be" options={ROLE_OPTIONS} />
          <Button>Make a link</Button>
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
  { value: 'member', label: 'A member', hint: 'Invoices and stock' },
  { value: 'owner', label: 'An owner', hint: 'All of that, and keys, settings and members' },
];

function MemberTable({ members, ownId }: { members: readonly Member[]; ownId: string }) {
  return (
    <Table
      caption="Members, those who can sign in first"
      rows={members}
      columns={[
        {
          head: 'Member',
          cell: ({ email, userId }) => `${email}${userId === ownId ? ' (you)' : ''}`,
        },
        {
          head: 'Role',
          cell: ({ role, isDisabled }) => (
            <>
              {role} {isDisabled && <Badge tone="bad">disabled</Badge>}
            </>
          ),
        },
        { head: 'Since', cell: ({ createdAt }) => <Time at={createdAt} /> },
        {
          head: 'Last seen',
          cell: ({ lastSeenAt }) => (lastSeenAt ? <Time at={lastSeenAt} /> : 'not signed in'),
        },
        { head: 'Change', align: 'end', cell: member => <MemberActions member={member} /> },
      ]}
    />
  );
}

function MemberActions({ member: { userId, email, role, isDisabled } }: { member: Member }) {
  const other: Role = role === 'owner' ? 'member' : 'owner';
  return (
    <div class="row-actions">
      <Form action={`${MEMBERS}/${userId}/role`} inline>
        <Hidden name="role" value={other} />
        <Button quiet about={`of ${email}`}>{`Make ${other}`}</Button>
      </Form>
      <Form action={`${MEMBERS}/${userId}/${isDisabled ? 'enable' : 'disable'}`} inline>
        <Button quiet about={email}>
          {isDisabled ? 'Enable' : 'Disable'}
        </Button>
      </Form>
    </div>
  );
}

function InvitationTable({ invitations }: { invitations: readonly Invitation[] }) {
  return (
    <Table
      caption="Open invitations, newest first"
      rows={invitations}
      columns={[
        { head: 'For', cell: ({ role }) => (role === 'owner' ? 'an owner' : 'a member') },
        { head: 'By', cell: ({ createdBy }) => createdBy },
        { head: 'Made', cell: ({ createdAt }) => <Time at={createdAt} /> },
        { head: 'Until', cell: ({ expiresAt }) => <Time at={expiresAt} /> },
        {
          head: 'Change',
          align: 'end',
          cell: ({ id, createdAt }) => (
            <Form action={`${MEMBERS}/invitations/${id}/withdraw`} inline>
              <Button quiet about={`the invitation of ${createdAt}`}>
                Withdraw
              </Button>
            </Form>
          ),
        },
      ]}
    />
  );
}
