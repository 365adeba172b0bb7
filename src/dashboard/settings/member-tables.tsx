// The tables of the members page. A member's name links to the page with what can be changed.
import type { Invitation } from '../../users/invitations.js';
import type { Member } from '../../users/members.js';
import { displayName } from '../../users/model.js';
import { Badge, Time } from '../kit/ui/components.js';
import { Button, Form } from '../kit/ui/fields.js';
import { Table } from '../kit/ui/list.js';
import { ROLE_NAMES } from './role-texts.js';

export const MEMBERS = '/settings/members';

export function MemberTable({ members, ownId }: { members: readonly Member[]; ownId: string }) {
  return (
    <Table
      caption="Members, disabled ones last"
      rows={members}
      columns={[
        {
          head: 'Member',
          cell: ({ name, email, userId }) => (
            <>
              <a class="row-name" href={`${MEMBERS}/${userId}`}>
                {displayName({ name, email })}
              </a>
              {userId === ownId && ' (you)'}
              {name !== null && <span class="by wraps">{email}</span>}
            </>
          ),
        },
        {
          head: 'Role',
          cell: ({ role, isDisabled }) => (
            <>
              {ROLE_NAMES[role]} {isDisabled && <Badge tone="bad">Disabled</Badge>}
            </>
          ),
        },
        { head: 'Joined', cell: ({ createdAt }) => <Time at={createdAt} /> },
        {
          head: 'Last seen',
          cell: ({ lastSeenAt }) => (lastSeenAt ? <Time at={lastSeenAt} /> : 'Not signed in'),
        },
      ]}
    />
  );
}

export function InvitationTable({ invitations }: { invitations: readonly Invitation[] }) {
  return (
    <Table
      caption="Open invitations, newest first"
      rows={invitations}
      columns={[
        {
          head: 'For',
          cell: ({ name, email }) => (
            <span class="wraps">
              {[name, email].filter(Boolean).join(', ') || 'Anyone with the link'}
            </span>
          ),
        },
        { head: 'Role', cell: ({ role }) => ROLE_NAMES[role] },
        {
          head: 'Created by',
          cell: ({ createdBy, createdAt }) => (
            <>
              <span class="wraps">{createdBy}</span>
              <span class="by">
                <Time at={createdAt} />
              </span>
            </>
          ),
        },
        { head: 'Expires', cell: ({ expiresAt }) => <Time at={expiresAt} /> },
        {
          head: 'Actions',
          align: 'end',
          cell: ({ id, createdAt }) => (
            <Form action={`${MEMBERS}/invitations/${id}/withdraw`} inline>
              <Button quiet about={`the invitation created ${createdAt}`}>
                Withdraw
              </Button>
            </Form>
          ),
        },
      ]}
    />
  );
}
