// The people of a company: making them, telling them by their password, and what ends their sessions.
import { v7 as uuidv7 } from 'uuid';
import { type CompanySettings, createCompany, getCompany } from '../companies/service.js';
import { inTransaction, type ModelTransaction, queryOne } from '../platform/db/connection.js';
import { Problem } from '../platform/errors.js';
import { invalidField } from '../platform/field-errors.js';
import { violatedConstraint } from '../platform/postgres-errors.js';
import { cleanText } from '../platform/values/text.js';
import { type Role, User } from './model.js';
import { hashPassword, isPassword, refusePassword } from './passwords.js';
import { endSessions } from './sessions.js';

export interface NewUser {
  readonly email: string;
  readonly password: string;
  readonly role: Role;
  readonly operator: boolean;
}

export interface SignUp {
  readonly company: Pick<CompanySettings, 'name' | 'currency' | 'timeZone'>;
  readonly email: string;
  readonly password: string;
}

export interface UserRef {
  readonly companyId: string;
  readonly userId: string;
}

const EMAIL = /^[^\s@\p{Cc}]{1,64}@[^\s@\p{Cc}]{1,190}\.[^\s@\p{Cc}]{2,63}$/u;

/** Adds a user to the company. Throws Problem `not_found` or `validation_failed`. */
export async function createUser(companyId: string, user: NewUser): Promise<User> {
  await getCompany(companyId);
  const checked = await checkUser(user);
  return insertUser(companyId, checked);
}

/**
 * A new company and its owner, both or neither. Throws Problem `validation_failed` with the fields name, currency,
 * timeZone, email and password.
 */
export async function signUp({ company, email, password }: SignUp): Promise<UserRef> {
  // Before the transaction: a hash takes longer than one should last.
  const owner = await checkUser({ email, password, role: 'owner', operator: false });
  return inTransaction(async tx => {
    const { id: companyId } = await createCompany(company, tx);
    const { id: userId } = await insertUser(companyId, owner, tx);
    return { companyId, userId };
  });
}

/** Whose e-mail address and password these are; null, after the same time, where they are nobody's. */
export async function findUserByPassword(email: string, password: string): Promise<UserRef | null> {
  const row = await queryOne<UserRef & { passwordHash: string }>(
    `SELECT company_id AS "companyId", id AS "userId", password_hash AS "passwordHash"
     FROM users WHERE lower(email) = lower($1) AND disabled_at IS NULL`,
    [EMAIL.test(cleanText(email)) ? cleanText(email) : ''],
  );
  const isRight = await isPassword(password, row?.passwordHash ?? null);
  return row && isRight ? { companyId: row.companyId, userId: row.userId } : null;
}

/**
 * Changes the password and ends the user's other sessions. Throws Problem `validation_failed` with the fields
 * currentPassword and newPassword.
 */
export async function changePassword(
  companyId: string,
  userId: string,
  passwords: { readonly currentPassword: string; readonly newPassword: string },
  session: Buffer,
): Promise<void> {
  const user = await getUser(companyId, userId);
  if (!(await isPassword(passwords.currentPassword, user.passwordHash))) {
    throw invalidField('currentPassword', 'This is not your current password.');
  }
  await refusePassword('newPassword', passwords.newPassword, user.email);
  const passwordHash = await hashPassword(passwords.newPassword);
  await inTransaction(async tx => {
    await user.update({ passwordHash }, { transaction: tx });
    await endSessions(companyId, userId, session, tx);
  });
}

async function getUser(companyId: string, userId: string): Promise<User> {
  const user = await User.findOne({ where: { companyId, id: userId } });
  if (!user) throw new Problem('not_found', `There is no user ${userId}.`);
  return user;
}

/** A new user with what can be refused refused, and the password hashed. */
export type CheckedUser = Omit<NewUser, 'password'> & { readonly passwordHash: string };

/** Throws Problem `validation_failed` with the fields email and password. Takes as long as a hash does. */
export async function checkUser({ password, ...user }: NewUser): Promise<CheckedUser> {
  const email = cleanText(user.email);
  if (!EMAIL.test(email))
    throw invalidField('email', `${JSON.stringify(email)} is not an e-mail address.`);
  await refusePassword('password', password, email);
  return { ...user, email, passwordHash: await hashPassword(password) };
}

/** Throws Problem `validation_failed` where somebody has the e-mail address. */
export async function insertUser(
  companyId: string,
  user: CheckedUser,
  tx?: ModelTransaction,
): Promise<User> {
  try {
    return await User.create({ companyId, id: uuidv7(), ...user }, { transaction: tx ?? null });
  } catch (error) {
    if (violatedConstraint(error) === 'users_email')
      throw invalidField('email', `There is a user ${user.email} already.`);
    throw error;
  }
}
