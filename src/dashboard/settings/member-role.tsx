// The role of a member: the choice of another one, and the page that says what the change means.
import type { Member } from '../../users/members.js';
import { displayName } from '../../users/model.js';
import { findRole } from '../../users/roles.js';
import { FormContext } from '../kit/forms/form-context.js';
import { newForm } from '../kit/forms/form-state.js';
import type { Answer, PageRequest } from '../kit/page.js';
import { PageHead, Panel } from '../kit/ui/components.js';
import { Choice, FormActions } from '../kit/ui/field-groups.js';
import { Form, Hidden } from '../kit/ui/fields.js';
import { MEMBERS } from './member-tables.js';
import { consequenceOf, describeRole, ROLE_NAMES, ROLE_OPTIONS } from './role-texts.js';

/** The choice leads to a page and changes nothing itself. */
export function RolePanel({ member: { userId, role, isOnlyOwner } }: { member: Member }) {
  return (
    <Panel title="Role" split>
      {isOnlyOwner ? (
        <p>This is the only owner. Make another member an owner to change this role.</p>
      ) : (
        <form method="get" action={`${MEMBERS}/${userId}/role`} class="form" aria-label="Role">
          <FormContext.Provider value={newForm({ role })}>
            <Choice name="role" label="Role" options={ROLE_OPTIONS} />
          </FormContext.Provider>
          <button class="button quiet" type="submit">
            Change role
          </button>
        </form>
      )}
    </Panel>
  );
}

/** Asks for a confirmation of the role in ?role=. Leads back if that would change nothing. */
export function confirmRolePage({ session, query }: PageRequest, member: Member): Answer {
  const path = `${MEMBERS}/${member.userId}`;
  const role = findRole(query.get('role') ?? '');
  if (!role || role === member.role || member.isOnlyOwner) return { to: path };
  const isSelf = member.userId === session.userId;
  const title = `Make ${isSelf ? 'yourself' : displayName(member)} ${describeRole(role)}?`;
  const body = (
    <>
      <PageHead title={title} note={isSelf ? 'You' : member.email} />
      <Panel title={`${ROLE_NAMES[member.role]} → ${ROLE_NAMES[role]}`}>
        <p>{consequenceOf(member, role, isSelf)}</p>
        <p class="note">The new role applies from the next page that opens.</p>
        <Form action={`${path}/role`} label="Role">
          <Hidden name="role" value={role} />
          <Hidden name="from" value={member.role} />
          <FormActions submit="Change role" cancel={path} />
        </Form>
      </Panel>
    </>
  );
  return { title, body };
}
