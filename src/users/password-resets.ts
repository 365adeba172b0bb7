// Password resets: a link that lets a user choose a new password, once. A row is an open link; it
// is deleted when it is used or withdrawn.
import { query, queryOne } from '../platform/db/connection.js';
import { inModelTransaction, type ModelTransaction, nowPlus } from '../platform/db/models.js';
import { Problem } from '../platform/errors.js';
import { passwordResetModel, type User, userModel } from './model.js';
import { hashPassword, refusePassword } from './passwords.js';
import type { UserRef, VerifiedUser } from './service.js';
import { endSessions } from './sessions.js';
import { hashToken, makeToken } from './tokens.js';

/** Shorter than an invitation: the person who asked for the link is waiting for it. */
export const RESET_HOURS = 24;

/** Where a link leads, below the address of the installation. */
export const RESET_PATH = '/reset-password';

export interface ResetLink {
  /** Shown only here. */
  readonly token: string;
  readonly expiresAt: Date;
}

/**
 * Opens a link for a user, in place of the one before. `createdBy` is an owner, or null for an
 * operator's command. Throws Problem `not_found`, or `validation_failed` if the user is disabled or
 * if an owner asks for the link of an operator, who may do more than an owner.
 */
export async function createResetLink(
  { companyId, userId }: UserRef,
  createdBy: string | null,
): Promise<ResetLink> {
  const [Users, Resets] = [await userModel(), await passwordResetModel()];
  const token = makeToken();
  const expiresAt = await nowPlus(`${RESET_HOURS} hours`);
  return inModelTransaction(async transaction => {
    // Locked: an owner who loses the rights at this moment leaves no link behind.
    const users = await Users.findAll({
      where: { companyId, id: [userId, ...(createdBy === null ? [] : [createdBy])] },
      order: ['id'],
      transaction,
      lock: transaction.LOCK.NO_KEY_UPDATE,
    });
    const user = users.find(({ id }) => id === userId);
    if (!user) throw new Problem('not_found', `There is no user ${userId}.`);
    if (createdBy !== null) {
      refuseCreator(users.find(({ id }) => id === createdBy));
      if (user.operator) throw new Problem('validation_failed', OPERATORS_LINK);
    }
    if (user.disabledAt !== null) throw new Problem('validation_failed', 'This user is disabled.');
    await Resets.destroy({ where: { companyId, userId }, transaction });
    const reset = await Resets.create(
      { companyId, userId, tokenHash: hashToken(token), createdBy, expiresAt },
      { transaction },
    );
    await reset.reload({ transaction });
    return { token, expiresAt: reset.expiresAt };
  });
}
const OPERATORS_LINK =
  'This user operates the installation. Only the command `user reset-link` creates their link.';

function refuseCreator(creator: User | undefined): void {
  if (creator?.role === 'owner' && creator.disabledAt === null) return;
  throw new Problem('validation_failed', 'Only an owner can create a link.');
}

/** The user of an e-mail address, for operators. Throws Problem `not_found`. */
export async function getUserByEmail(email: string): Promise<UserRef> {
  const user = await queryOne<UserRef>(
    `SELECT company_id AS "companyId", id AS "userId" FROM users WHERE lower(email) = lower($1)`,
    [email],
  );
  if (!user) throw new Problem('not_found', `There is no user with the e-mail address ${email}.`);
  return user;
}

export interface OpenReset extends UserRef {
  readonly email: string;
  readonly companyName: string;
}

/** A token's open link. Null if it was used or replaced, expired or never existed. */
export async function findReset(token: string): Promise<OpenReset | null> {
  return queryOne<OpenReset>(
    `SELECT users.company_id AS "companyId", users.id AS "userId", users.email,
       companies.name AS "companyName"
     FROM password_resets reset
     JOIN users ON users.company_id = reset.company_id AND users.id = reset.user_id
     JOIN companies ON companies.id = reset.company_id
     WHERE reset.token_hash = $1 AND reset.expires_at > now() AND users.disabled_at IS NULL`,
    [hashToken(token)],
  );
}

/**
 * Sets the password and ends all sessions of the user, once; null if the link is no longer open.
 * Throws Problem `validation_failed` with the field newPassword, and the link stays open.
 */
export async function resetPassword(
  token: string,
  newPassword: string,
): Promise<VerifiedUser | null> {
  const found = await findReset(token);
  if (!found) return null;
  const { companyId, userId, email } = found;
  await refusePassword('newPassword', newPassword, email);
  // Before the transaction: a hash takes longer than a transaction should.
  const passwordHash = await hashPassword(newPassword);
  const [Users, Resets] = [await userModel(), await passwordResetModel()];
  return inModelTransaction(async transaction => {
    const where = { companyId, id: userId, disabledAt: null };
    const user = await Users.findOne({ where, transaction, lock: true });
    const open = { companyId, userId, tokenHash: hashToken(token) };
    if (!user || (await Resets.destroy({ where: open, transaction })) === 0) return null;
    await user.update({ passwordHash }, { transaction });
    await endSessions(companyId, userId, null, transaction);
    return { companyId, userId, passwordHash };
  });
}

/** Withdraws the open link of a user, or those that a user created. */
export async function withdrawResets(
  companyId: string,
  users: { readonly of?: string; readonly createdBy?: string },
  transaction: ModelTransaction,
): Promise<void> {
  const Resets = await passwordResetModel();
  const { of: userId, createdBy } = users;
  if (userId !== undefined) await Resets.destroy({ where: { companyId, userId }, transaction });
  if (createdBy !== undefined)
    await Resets.destroy({ where: { companyId, createdBy }, transaction });
}

/** Deletes the expired links of all companies. */
export async function deleteEndedResets(): Promise<void> {
  await query('DELETE FROM password_resets WHERE expires_at <= now()', []);
}
