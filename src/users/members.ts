// The people of a company as its owners see them: roles, and who may sign in. A company always has an owner who can.
import { inTransaction, query, type Transaction } from '../platform/db/connection.js';
import { timeJson } from '../platform/db/time.js';
import { Problem } from '../platform/errors.js';
import { invalidField } from '../platform/field-errors.js';
import { withdrawInvitationsOf } from './invitations.js';
import type { Role } from './model.js';
import { endSessions } from './sessions.js';

export const ROLES = ['owner', 'member'] as const satisfies readonly Role[];

export interface Member {
  readonly userId: string;
  readonly email: string;
  readonly role: Role;
  readonly isDisabled: boolean;
  readonly createdAt: string;
  /** Of the sessions that are still open; null where there is none. */
  readonly lastSeenAt: string | null;
}

/** The company's people, those who can sign in first. */
export async function listMembers(companyId: string): Promise<Member[]> {
  return query<Member>(
    `SELECT u.id AS "userId", u.email, u.role, u.disabled_at IS NOT NULL AS "isDisabled", ${timeJson('u.created_at')} AS "createdAt",
       (SELECT ${timeJson('max(s.last_seen_at)')} FROM sessions s WHERE s.company_id = u.company_id AND s.user_id = u.id) AS "lastSeenAt"
     FROM users u WHERE u.company_id = $1 ORDER BY u.disabled_at IS NOT NULL, lower(u.email)`,
    [companyId],
  );
}

/** Holds from the user's next request. Throws Problem `not_found`, or `validation_failed` for the last owner. */
export async function changeRole(companyId: string, userId: string, role: string): Promise<void> {
  if (!(ROLES as readonly string[]).includes(role))
    throw invalidField('role', 'A role is owner or member.');
  await inTransaction(async tx => {
    await lockMember(companyId, userId, role === 'owner', tx);
    await query(
      'UPDATE users SET role = $3 WHERE company_id = $1 AND id = $2',
      [companyId, userId, role],
      tx,
    );
    if (role !== 'owner') await withdrawInvitationsOf(companyId, userId, tx);
  });
}

/**
 * The user can sign in no more, and is signed out everywhere. Throws Problem `not_found`, or `validation_failed` for the
 * last owner.
 */
export async function disableMember(companyId: string, userId: string): Promise<void> {
  await inTransaction(async tx => {
    await lockMember(companyId, userId, false, tx);
    await query(
      'UPDATE users SET disabled_at = now() WHERE company_id = $1 AND id = $2 AND disabled_at IS NULL',
      [companyId, userId],
      tx,
    );
    await endSessions(companyId, userId, null, tx);
    await withdrawInvitationsOf(companyId, userId, tx);
  });
}

/** The user can sign in again. Throws Problem `not_found`. */
export async function enableMember(companyId: string, userId: string): Promise<void> {
  await inTransaction(async tx => {
    await lockMember(companyId, userId, true, tx);
    await query(
      'UPDATE users SET disabled_at = NULL WHERE company_id = $1 AND id = $2',
      [companyId, userId],
      tx,
    );
  });
}

/**
 * Locks the company's people until the transaction ends, so that of two owners who take each other's rights one comes
 * second and is refused. Unless the member stays an owner, another owner has to be left.
 */
async function lockMember(
  companyId: string,
  userId: string,
  staysOwner: boolean,
  tx: Transaction,
): Promise<void> {
  const members = await query<{ id: string; isOwner: boolean }>(
    `SELECT id, role = 'owner' AND disabled_at IS NULL AS "isOwner" FROM users WHERE company_id = $1 ORDER BY id FOR NO KEY UPDATE`,
    [companyId],
    tx,
  );
  if (!members.some(({ id }) => id === userId))
    throw new Problem('not_found', `There is no user ${userId}.`);
  const others = members.filter(({ id, isOwner }) => isOwner && id !== userId);
  if (!staysOwner && others.length === 0) {
    throw new Problem(
      'validation_failed',
      'This is the last owner who can sign in. Make somebody else an owner first.',
    );
  }
}
