// The words for roles: their names, a sentence for each, and the table of what each role may do.
import { displayName } from '../../users/model.js';
import { may, PERMISSIONS, type Permission, ROLES, type Role } from '../../users/roles.js';
import { Table } from '../kit/ui/list.js';

export const ROLE_NAMES: Readonly<Record<Role, string>> = {
  owner: 'Owner',
  member: 'Member',
  warehouse: 'Warehouse',
  readonly: 'Read only',
};

const NOUNS: Readonly<Record<Role, string>> = {
  owner: 'an owner',
  member: 'a member',
  warehouse: 'a warehouse user',
  readonly: 'a read-only user',
};

const SENTENCES: Readonly<Record<Role, string>> = {
  owner: 'Everything, including API keys, settings and members.',
  member: 'Invoices, payments and stock, with prices.',
  warehouse: 'Stock and deliveries, without prices, invoices or payments.',
  readonly: 'Sees and exports everything except API keys and members. Changes nothing.',
};

/** The end of a sentence that begins with the person who gets the role. */
const CONSEQUENCES: Readonly<Record<Role, string>> = {
  owner: 'will manage API keys, settings and members, including other owners',
  member: 'will work with invoices, payments and stock, but not with API keys, settings or members',
  warehouse: 'will work with stock and deliveries, and won’t see prices, invoices or payments',
  readonly: 'will see and export everything except API keys and members, and can’t change anything',
};

export function describeRole(role: Role): string {
  return NOUNS[role];
}

/** The roles to choose from, each with a sentence. */
export const ROLE_OPTIONS = ROLES.map(role => ({
  value: role,
  label: ROLE_NAMES[role],
  hint: SENTENCES[role],
}));

/** The sentence that an owner confirms before the role changes. */
export function consequenceOf(
  person: { readonly name: string | null; readonly email: string; readonly role: Role },
  newRole: Role,
  isSelf: boolean,
): string {
  const who = isSelf ? 'You' : displayName(person);
  const whose = isSelf ? 'your' : 'their';
  const links =
    person.role === 'owner' ? ` The invitation and reset links in ${whose} name stop working.` : '';
  return `${who} ${CONSEQUENCES[newRole]}.${links}`;
}

export function RoleTable() {
  return (
    <details class="disclosure">
      <summary>What each role may do</summary>
      <Table
        caption="What each role may do"
        rows={Object.keys(PERMISSIONS) as Permission[]}
        columns={[
          { head: 'Permission', cell: permission => PERMISSIONS[permission].text },
          ...ROLES.map(role => ({
            head: ROLE_NAMES[role],
            cell: (permission: Permission) => (may(role, permission) ? 'Yes' : '–'),
          })),
        ]}
      />
    </details>
  );
}
