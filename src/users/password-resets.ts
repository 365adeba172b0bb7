// Password resets: a link that lets a user choose a new password, once. A row is an open link; it
// is deleted when it is used or withdrawn.
import { getCompany } from '../companies/service.js';
import { inTransactionOn } from '../companies/write-turns.js';
import { query, type Transaction } from '../platform/db/connection.js';
import { afterNow, joining, nowPlus } from '../platform/db/models.js';
import { Problem } from '../platform/errors.js';
import { cleanCode } from '../platform/values/text.js';
import {
  findUserByEmail,
  lockUsers,
  passwordResetModel,
  type User,
  type UserRef,
  userModel,
  type VerifiedUser,
} from './model.js';
import { hashPassword, refusePassword } from './passwords.js';
import { endSessions } from './sessions.js';
import { hashToken, makeToken } from './tokens.js';

/** A link is open for less time than an invitation: the user who asked for it is waiting. */
export const RESET_HOURS = 24;

/** The path that a link opens, below the address of the installation. */
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
  const token = makeToken();
  return inTransactionOn(companyId, 'access', async tx => {
    const ids = [userId, ...(createdBy === null ? [] : [createdBy])];
    const users = await lockUsers(companyId, { id: ids }, tx);
    const user = users.find(({ id }) => id === userId);
    if (!user) throw new Problem('not_found', `There is no user ${userId}.`);
    if (createdBy !== null) {
      refuseCreator(users.find(({ id }) => id === createdBy));
      if (user.operator) throw new Problem('validation_failed', OPERATORS_LINK);
    }
    if (user.disabledAt !== null) throw new Problem('validation_failed', 'This user is disabled.');
    await withdrawResets(companyId, { of: userId }, tx);
    const expiresAt = nowPlus(`${RESET_HOURS} hours`);
    const reset = { companyId, userId, tokenHash: hashToken(token), createdBy, expiresAt };
    const created = await passwordResetModel().create(reset, joining(tx));
    return { token, expiresAt: created.expiresAt };
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
  const user = await findUserByEmail(cleanCode(email), email);
  if (!user) throw new Problem('not_found', `There is no user with the e-mail address ${email}.`);
  return { companyId: user.companyId, userId: user.id };
}

export interface OpenReset extends UserRef {
  readonly email: string;
  readonly companyName: string;
}

/** A token's open link. Null if it was used or replaced, expired or never existed. */
export async function findReset(token: string): Promise<OpenReset | null> {
  const where = { tokenHash: hashToken(token), expiresAt: afterNow() };
  const reset = await passwordResetModel().findOne({ where });
  if (!reset) return null;
  const { companyId, userId } = reset;
  const user = await userModel().findOne({ where: { companyId, id: userId, disabledAt: null } });
  if (!user) return null;
  const { name } = await getCompany(companyId);
  return { companyId, userId, email: user.email, companyName: name };
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
  // The hash is made before the transaction, because it takes longer than a transaction should.
  const passwordHash = await hashPassword(newPassword);
  return inTransactionOn(companyId, 'access', async tx => {
    const where = { companyId, id: userId, disabledAt: null };
    const user = await userModel().findOne({ where, lock: true, ...joining(tx) });
    if (!user) return null;
    const link = { companyId, userId, tokenHash: hashToken(token) };
    const used = await passwordResetModel().destroy({ where: link, ...joining(tx) });
    if (used === 0) return null;
    await user.update({ passwordHash }, joining(tx));
    await endSessions(companyId, userId, null, tx);
    return { companyId, userId, passwordHash };
  });
}

/** Withdraws the open link of a user, or those that a user created. */
export async function withdrawResets(
  companyId: string,
  user: { readonly of: string } | { readonly createdBy: string },
  tx: Transaction,
): Promise<void> {
  const where = { companyId, ...('of' in user ? { userId: user.of } : user) };
  await passwordResetModel().destroy({ where, ...joining(tx) });
}

/** Deletes the expired links of all companies. */
export async function deleteEndedResets(): Promise<void> {
  await query('DELETE FROM password_resets WHERE expires_at <= now()', []);
}
