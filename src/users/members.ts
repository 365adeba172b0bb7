// The roles and access of a company's members. A company always has an active owner.
import { query } from '../platform/db/connection.js';
import { inModelTransaction, type ModelTransaction } from '../platform/db/models.js';
import { timeJson } from '../platform/db/sql.js';
import { Problem } from '../platform/errors.js';
import { invalidField } from '../platform/field-errors.js';
import { withdrawInvitationsOf } from './invitations.js';
import { type Role, type User, userModel } from './model.js';
import { withdrawResets } from './password-resets.js';
import { endSessions } from './sessions.js';

export const ROLES = ['owner', 'member'] as const satisfies readonly Role[];

export interface Member {
  readonly userId: string;
  readonly email: string;
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
  return query<Member>(
    `SELECT users.id AS "userId", users.email, users.role,
       users.disabled_at IS NOT NULL AS "isDisabled",
       ${timeJson('users.created_at')} AS "createdAt",
       ${timeJson('users.last_seen_at')} AS "lastSeenAt",
       users.role = 'owner' AND users.disabled_at IS NULL
         AND count(*) FILTER (WHERE users.role = 'owner' AND users.disabled_at IS NULL) OVER () = 1
         AS "isOnlyOwner",
       users.operator AS "isOperator"
     FROM users
     WHERE users.company_id = $1
     ORDER BY users.disabled_at IS NOT NULL, lower(users.email)`,
    [companyId],
  );
}

/** Throws Problem `not_found`. */
export async function getMember(companyId: string, userId: string): Promise<Member> {
  const member = (await listMembers(companyId)).find(each => each.userId === userId);
  if (!member) throw new Problem('not_found', `There is no user ${userId}.`);
  return member;
}

/**
 * Changes a role from the user's next request on. Throws Problem `not_found`, or
 * `validation_failed` for the last owner.
 */
export async function changeRole(companyId: string, userId: string, role: string): Promise<void> {
  const newRole = ROLES.find(known => known === role);
  if (!newRole) throw invalidField('role', 'The role must be owner or member.');
  await inModelTransaction(async tx => {
    const member = await lockMember(companyId, userId, newRole === 'owner', tx);
    await member.update({ role: newRole }, { transaction: tx });
    if (newRole !== 'owner') await withdrawLinksOf(companyId, userId, tx);
  });
}

/**
 * Ends the user's access and sessions. Throws Problem `not_found`, or `validation_failed` for the
 * last owner.
 */
export async function disableMember(companyId: string, userId: string): Promise<void> {
  await inModelTransaction(async tx => {
    const member = await lockMember(companyId, userId, false, tx);
    const disabledAt = member.disabledAt ?? new Date();
    await member.update({ disabledAt }, { transaction: tx });
    await endSessions(companyId, userId, null, tx);
    await withdrawLinksOf(companyId, userId, tx);
    await withdrawResets(companyId, { of: userId }, tx);
  });
}

/** Lets the user sign in again. Throws Problem `not_found`. */
export async function enableMember(companyId: string, userId: string): Promise<void> {
  await inModelTransaction(async tx => {
    const member = await lockMember(companyId, userId, true, tx);
    await member.update({ disabledAt: null }, { transaction: tx });
  });
}

/** Withdraws the invitations and reset links that a user created who is no longer an owner. */
async function withdrawLinksOf(
  companyId: string,
  userId: string,
  tx: ModelTransaction,
): Promise<void> {
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
  tx: ModelTransaction,
): Promise<User> {
  const members = await (await userModel()).findAll({
    where: { companyId },
    order: ['id'],
    transaction: tx,
    lock: tx.LOCK.NO_KEY_UPDATE,
  });
  const member = members.find(({ id }) => id === userId);
  if (!member) throw new Problem('not_found', `There is no user ${userId}.`);
  const isActiveOwner = ({ role, disabledAt }: User) => role === 'owner' && disabledAt === null;
  if (!staysOwner && !members.some(other => other.id !== userId && isActiveOwner(other))) {
    throw new Problem(
      'validation_failed',
      'This is the last owner who can sign in. Make another member an owner first.',
    );
  }
  return member;
}
