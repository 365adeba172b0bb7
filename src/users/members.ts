// The roles and access of a company's members. A company always has an active owner.
import { inTransactionOn } from '../companies/write-turns.js';
import { queryOne, type Transaction } from '../platform/db/connection.js';
import { joining, loadSequelize } from '../platform/db/models.js';
import { Problem } from '../platform/errors.js';
import { invalidField } from '../platform/field-errors.js';
import { withdrawInvitationsOf } from './invitations.js';
import { lockUsers, type User, userModel } from './model.js';
import { withdrawResets } from './password-resets.js';
import { findRole, ROLES, type Role } from './roles.js';
import { endSessions } from './sessions.js';

export interface Member {
  readonly userId: string;
  readonly email: string;
  /** Null: not entered. */
  readonly name: string | null;
  readonly role: Role;
  readonly isDisabled: boolean;
  readonly createdAt: string;
  /** Null: never signed in. */
  readonly lastSeenAt: string | null;
  /** The only owner who can sign in, who therefore stays one. */
  readonly isOnlyOwner: boolean;
  /** Operates the installation. */
  readonly isOperator: boolean;
}

/** The company's members, the active ones first. */
export async function listMembers(companyId: string): Promise<Member[]> {
  const { col, fn, literal } = loadSequelize();
  const users = await userModel().findAll({
    where: { companyId },
    order: [literal('disabled_at IS NOT NULL'), fn('lower', col('email'))],
  });
  return users.map(user => ({
    userId: user.id,
    email: user.email,
    name: user.name,
    role: user.role,
    isDisabled: user.disabledAt !== null,
    createdAt: user.createdAt.toISOString(),
    lastSeenAt: user.lastSeenAt?.toISOString() ?? null,
    isOnlyOwner: isActiveOwner(user) && !hasOtherOwner(users, user.id),
    isOperator: user.operator,
  }));
}

function isActiveOwner({ role, disabledAt }: User): boolean {
  return role === 'owner' && disabledAt === null;
}

function hasOtherOwner(users: readonly User[], userId: string): boolean {
  return users.some(user => user.id !== userId && isActiveOwner(user));
}

/** Throws Problem `not_found`. */
export async function getMember(companyId: string, userId: string): Promise<Member> {
  const member = (await listMembers(companyId)).find(each => each.userId === userId);
  if (!member) throw new Problem('not_found', `There is no user ${userId}.`);
  return member;
}

/**
 * Changes a role from the user's next request on. Throws Problem `not_found`, or
 * `validation_failed` for the last owner, or if the role is not `from` any more.
 */
export async function changeRole(
  companyId: string,
  userId: string,
  { from, to: role }: { readonly from: string | undefined; readonly to: string },
): Promise<void> {
  const newRole = findRole(role);
  if (!newRole) throw invalidField('role', `The role must be one of ${ROLES.join(', ')}.`);
  await inTransactionOn(companyId, 'access', async tx => {
    const member = await lockMember(companyId, userId, newRole === 'owner', tx);
    if (from !== undefined && from !== member.role) throw new Problem('validation_failed', CHANGED);
    await member.update({ role: newRole }, joining(tx));
    if (newRole !== 'owner') await withdrawLinksOf(companyId, userId, tx);
  });
}

/**
 * Ends the user's access and sessions. Throws Problem `not_found`, or `validation_failed` for the
 * last owner.
 */
export async function disableMember(companyId: string, userId: string): Promise<void> {
  await inTransactionOn(companyId, 'access', async tx => {
    const member = await lockMember(companyId, userId, false, tx);
    const disabledAt = member.disabledAt ?? new Date();
    await member.update({ disabledAt }, joining(tx));
    await endSessions(companyId, userId, null, tx);
    await withdrawLinksOf(companyId, userId, tx);
    await withdrawResets(companyId, { of: userId }, tx);
  });
}

/** Lets the user sign in again. Throws Problem `not_found`. */
export async function enableMember(companyId: string, userId: string): Promise<void> {
  await inTransactionOn(companyId, 'access', async tx => {
    const member = await lockMember(companyId, userId, true, tx);
    await member.update({ disabledAt: null }, joining(tx));
  });
}

const CHANGED = 'This role was changed in the meantime. Check it, then choose again.';

/** Withdraws the invitations and reset links created by a former owner. */
async function withdrawLinksOf(companyId: string, userId: string, tx: Transaction): Promise<void> {
  await withdrawInvitationsOf(companyId, userId, tx);
  await withdrawResets(companyId, { createdBy: userId }, tx);
}

/**
 * Locks all members until the transaction ends and returns one of them: if two owners remove each
 * other's rights, the second one is refused. Unless the member stays an owner, another active owner
 * must remain.
 */
async function lockMember(
  companyId: string,
  userId: string,
  staysOwner: boolean,
  tx: Transaction,
): Promise<User> {
  const members = await lockUsers(companyId, {}, tx);
  const member = members.find(({ id }) => id === userId);
  if (!member) throw new Problem('not_found', `There is no user ${userId}.`);
  if (!staysOwner && !hasOtherOwner(members, userId)) {
    throw new Problem(
      'validation_failed',
      'This is the last owner who can sign in. Make another member an owner first.',
    );
  }
  return member;
}

/** The role of a user, disabled or not; null if the company has no such user. */
export async function findUserRole(
  companyId: string,
  userId: string,
  tx?: Transaction,
): Promise<Role | null> {
  const row = await queryOne<{ role: Role }>(
    'SELECT role FROM users WHERE company_id = $1 AND id = $2',
    [companyId, userId],
    tx,
  );
  return row?.role ?? null;
}
