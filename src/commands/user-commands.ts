// The operator commands for the users of companies.
import { getCompany } from '../companies/service.js';
import {
  changeRole,
  disableMember,
  getMember,
  listMembers,
  type Member,
} from '../users/members.js';
import { createResetLink, getUserByEmail, RESET_PATH } from '../users/password-resets.js';
import { findRole, ROLES, type Role } from '../users/roles.js';
import { createUser } from '../users/service.js';
import type { AdminCommands } from './admin-command.js';
import { CommandError } from './interruption.js';
import { id, type Values } from './option-values.js';

export const userCommands: AdminCommands = {
  'user create': {
    options: ['company', 'email', 'role'],
    flags: ['password-stdin', 'operator'],
    required: ['company', 'email', 'password-stdin'],
    run: async (values, { readPassword }) => {
      const user = {
        email: String(values.email),
        name: null,
        password: await readPassword(),
        role: roleOf(values.role ?? 'member'),
        operator: values.operator === true,
      } as const;
      const created = await createUser(id(values, 'company'), user);
      return { userId: created.id, email: created.email };
    },
  },
  'user reset-link': {
    options: ['email'],
    required: ['email'],
    run: async (values, { baseUrl }) => {
      const user = await getUserByEmail(String(values.email));
      const { token, expiresAt } = await createResetLink(user, null);
      return { url: `${baseUrl}${RESET_PATH}/${token}`, expiresAt };
    },
  },
  'user list': {
    options: ['company'],
    required: ['company'],
    effect: 'nothing',
    run: async values => {
      const company = await getCompany(id(values, 'company'));
      return (await listMembers(company.id)).map(userRecord);
    },
  },
  'user disable': {
    options: ['email'],
    required: ['email'],
    run: async values => {
      const { companyId, userId } = await getUserByEmail(String(values.email));
      await disableMember(companyId, userId);
      return userRecord(await getMember(companyId, userId));
    },
  },
  'user set-role': {
    options: ['email', 'role'],
    required: ['email', 'role'],
    run: async values => {
      const role = roleOf(values.role);
      const { companyId, userId } = await getUserByEmail(String(values.email));
      await changeRole(companyId, userId, { from: undefined, to: role });
      return userRecord(await getMember(companyId, userId));
    },
  },
};

function roleOf(value: Values[string]): Role {
  const role = findRole(String(value));
  if (!role) throw new CommandError(`--role must be one of ${ROLES.join(', ')}.`);
  return role;
}

function userRecord({ userId, email, name, role, ...rest }: Member) {
  const { isOperator: operator, isDisabled: disabled, createdAt, lastSeenAt } = rest;
  return { userId, email, name, role, operator, disabled, createdAt, lastSeenAt };
}
