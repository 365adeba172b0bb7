// Users: creating them, identifying them by password, changing passwords.
import { v7 as uuidv7 } from 'uuid';
import type { Actor, ShownActor } from '../companies/actor.js';
import { type CompanySettings, createCompany, getCompany } from '../companies/service.js';
import { inTransactionOn } from '../companies/write-turns.js';
import { inTransaction, type Transaction } from '../platform/db/connection.js';
import { joining } from '../platform/db/models.js';
import { Problem } from '../platform/errors.js';
import { invalidField } from '../platform/field-errors.js';
import { violatedConstraint } from '../platform/postgres-errors.js';
import { cleanCode, cleanText } from '../platform/values/text.js';
import { findUserByEmail, type User, userModel, type VerifiedUser } from './model.js';
import { withdrawResets } from './password-resets.js';
import { hashPassword, isPassword, refusePassword } from './passwords.js';
import type { Role } from './roles.js';
import { endSessions } from './sessions.js';

export interface NewUser {
  readonly email: string;
  /** Null: not entered. */
  readonly name: string | null;
  readonly password: string;
  readonly role: Role;
  readonly operator: boolean;
}

export interface SignUp {
  readonly company: Pick<CompanySettings, 'name' | 'currency' | 'timeZone'>;
  readonly person: Pick<NewUser, 'email' | 'name' | 'password'>;
}

/** The owner of an e-mail address, if it has one. */
export interface Account {
  /** The same for every spelling that finds the same user: attempts are counted by it. */
  readonly key: string;
  /** Null if no active user has the address. */
  readonly user: VerifiedUser | null;
}

const EMAIL = /^[^\s@\p{Cc}]{1,64}@[^\s@\p{Cc}]{1,190}\.[^\s@\p{Cc}]{2,63}$/u;

/** Adds a user to the company. Throws Problem `not_found` or `validation_failed`. */
export async function createUser(companyId: string, user: NewUser): Promise<User> {
  await getCompany(companyId);
  return insertUser(companyId, await checkUser(user));
}

/**
 * Creates a company and its owner in one transaction. Throws Problem `validation_failed` with the
 * fields name, currency, timeZone, email and password.
 */
export async function signUp({ company, person }: SignUp): Promise<VerifiedUser> {
  // The hash is made before the transaction, because it takes longer than a transaction should.
  const owner = await checkUser({ ...person, role: 'owner', operator: false });
  return inTransaction(async tx => {
    const { id: companyId } = await createCompany(company, tx);
    const { id: userId } = await insertUser(companyId, owner, tx);
    return { companyId, userId, passwordHash: owner.passwordHash };
  });
}

/**
 * The account of an e-mail address as it was entered. Postgres decides which spellings are equal,
 * so the key of a known account is the user's id: lower case in JavaScript differs from lower() for
 * a few letters.
 */
export async function findAccount(email: string): Promise<Account> {
  const address = cleanCode(email);
  const found = EMAIL.test(address) ? await findUserByEmail(address, cleanText(email)) : null;
  if (!found || found.disabledAt !== null) return { key: address.toLowerCase(), user: null };
  const { companyId, id: userId, passwordHash } = found;
  return { key: userId, user: { companyId, userId, passwordHash } };
}

/** The account's user if the password is right, else null after the same time. */
export async function checkPassword(
  { user }: Account,
  password: string,
): Promise<VerifiedUser | null> {
  return (await isPassword(password, user?.passwordHash ?? null)) ? user : null;
}

/** True if this is the user's password now. Throws Problem `not_found`. */
export async function isCurrentPassword(
  companyId: string,
  userId: string,
  password: string,
): Promise<boolean> {
  return isPassword(password, (await getUser(companyId, userId)).passwordHash);
}

/**
 * Changes the password, ends the user's other sessions and withdraws an open reset link. Throws
 * Problem `validation_failed` with the fields currentPassword and newPassword, also if the password
 * changed or the user was disabled while the new one was hashed: a reset must not be undone.
 */
export async function changePassword(
  companyId: string,
  userId: string,
  passwords: { readonly currentPassword: string; readonly newPassword: string },
  session: Buffer,
): Promise<void> {
  const user = await getUser(companyId, userId);
  const notCurrent = () => invalidField('currentPassword', 'This is not your current password.');
  const checkedHash = user.passwordHash;
  if (!(await isPassword(passwords.currentPassword, checkedHash))) throw notCurrent();
  await refusePassword('newPassword', passwords.newPassword, user.email);
  const passwordHash = await hashPassword(passwords.newPassword);
  await inTransactionOn(companyId, 'access', async tx => {
    const where = { companyId, id: userId, passwordHash: checkedHash, disabledAt: null };
    const [changed] = await userModel().update({ passwordHash }, { where, ...joining(tx) });
    if (changed === 0) throw notCurrent();
    await endSessions(companyId, userId, session, tx);
    await withdrawResets(companyId, { of: userId }, tx);
  });
}

/** Sets the name that the user's pages and colleagues see, or removes it. */
export async function changeName(
  companyId: string,
  userId: string,
  name: string | null,
): Promise<void> {
  await inTransactionOn(companyId, 'access', tx =>
    userModel().update({ name }, { where: { companyId, id: userId }, ...joining(tx) }),
  );
}

/** The actor with the user's name of today. */
export async function findShownActor(
  companyId: string,
  actor: Actor | null,
): Promise<ShownActor | null> {
  if (actor?.kind !== 'user') return actor;
  const user = await userModel().findOne({ where: { companyId, id: actor.id } });
  return { ...actor, currentName: user?.name ?? null };
}

async function getUser(companyId: string, userId: string): Promise<User> {
  const user = await userModel().findOne({ where: { companyId, id: userId } });
  if (!user) throw new Problem('not_found', `There is no user ${userId}.`);
  return user;
}

/** A valid new user with the password hashed. */
export type CheckedUser = Omit<NewUser, 'password'> & { readonly passwordHash: string };

/** Throws Problem `validation_failed` with the fields email and password. Hashes, so it is slow. */
export async function checkUser({ password, ...user }: NewUser): Promise<CheckedUser> {
  const email = cleanCode(user.email);
  if (!EMAIL.test(email))
    throw invalidField('email', `${JSON.stringify(email)} is not an e-mail address.`);
  await refusePassword('password', password, email);
  return { ...user, email, passwordHash: await hashPassword(password) };
}

/** Throws Problem `validation_failed` if the e-mail address is taken. */
export async function insertUser(
  companyId: string,
  user: CheckedUser,
  tx?: Transaction,
): Promise<User> {
  try {
    return await userModel().create({ companyId, id: uuidv7(), ...user }, joining(tx));
  } catch (error) {
    if (violatedConstraint(error) === 'users_email')
      throw invalidField('email', `A user with the e-mail address ${user.email} already exists.`);
    throw error;
  }
}
