// The records of users, their sessions, open invitations and open password resets.
import type { WhereOptions } from 'sequelize';
import type { Transaction } from '../platform/db/connection.js';
import {
  defineModel,
  joining,
  loadSequelize,
  type ModelRow,
  NO_KEY_UPDATE,
} from '../platform/db/models.js';
import type { Role } from './roles.js';

export interface UserRef {
  readonly companyId: string;
  readonly userId: string;
}

/** A user whose password is known to be right: proven just now, or chosen just now. */
export interface VerifiedUser extends UserRef {
  /** The hash that the password was checked against. */
  readonly passwordHash: string;
}

interface UserRow {
  companyId: string;
  id: string;
  email: string;
  /** Null: not entered. */
  name: string | null;
  passwordHash: string;
  role: Role;
  /** Can inspect the queues and every company. */
  operator: boolean;
  /** The time since which the user can't sign in; null for an active user. */
  disabledAt: Date | null;
  createdAt: Date;
  /** Null: never signed in. */
  lastSeenAt: Date | null;
}

export type User = ModelRow<UserRow>;

export const userModel = defineModel<UserRow>('users', types => ({
  companyId: { type: types.UUID, primaryKey: true },
  id: { type: types.UUID, primaryKey: true },
  email: types.TEXT,
  name: types.TEXT,
  passwordHash: types.TEXT,
  role: types.TEXT,
  operator: types.BOOLEAN,
  disabledAt: types.DATE,
  createdAt: types.DATE,
  lastSeenAt: types.DATE,
}));

/** The longest name of a person. */
export const MAX_USER_NAME = 100;

/** The name of a person to show, which is the e-mail address if there is none. */
export function displayName({ name, email }: Pick<UserRow, 'name' | 'email'>): string {
  return name ?? email;
}

/**
 * The user of a clean e-mail address, in any case. Null if there is none, or only disabled ones. An
 * address of before ignorable characters were removed may have some: `typed` finds it.
 */
export async function findUserByEmail(email: string, typed = email): Promise<User | null> {
  const { col, fn, where } = loadSequelize();
  const find = (address: string) =>
    userModel().findOne({ where: where(fn('lower', col('email')), fn('lower', address)) });
  return (typed === email ? null : await find(typed)) ?? find(email);
}

/**
 * Locks users of the company in the order of their ids. Without a lock, a user who loses rights at
 * the same moment could still use them.
 */
export function lockUsers(
  companyId: string,
  where: WhereOptions<UserRow>,
  tx: Transaction,
): Promise<User[]> {
  return userModel().findAll({
    where: { ...where, companyId },
    order: ['id'],
    lock: NO_KEY_UPDATE,
    ...joining(tx),
  });
}

interface SessionRow {
  companyId: string;
  /** The SHA-256 of the cookie's token. */
  id: Buffer;
  userId: string;
  expiresAt: Date;
  lastSeenAt: Date;
}

export const sessionModel = defineModel<SessionRow>('sessions', types => ({
  companyId: { type: types.UUID, primaryKey: true },
  id: { type: types.BLOB, primaryKey: true },
  userId: types.UUID,
  expiresAt: types.DATE,
  lastSeenAt: types.DATE,
}));

interface InvitationRow {
  companyId: string;
  id: string;
  /** The id of the form that created the invitation. */
  once: string;
  /** The SHA-256 of the link's token. */
  tokenHash: Buffer;
  role: Role;
  /** The first values of the invited person's form; null: empty. */
  name: string | null;
  email: string | null;
  createdBy: string;
  createdAt: Date;
  expiresAt: Date;
}

export const invitationModel = defineModel<InvitationRow>('invitations', types => ({
  companyId: { type: types.UUID, primaryKey: true },
  id: { type: types.UUID, primaryKey: true },
  once: types.UUID,
  tokenHash: types.BLOB,
  role: types.TEXT,
  name: types.TEXT,
  email: types.TEXT,
  createdBy: types.UUID,
  createdAt: types.DATE,
  expiresAt: types.DATE,
}));

interface PasswordResetRow {
  companyId: string;
  userId: string;
  /** The SHA-256 of the link's token. */
  tokenHash: Buffer;
  /** An owner; null for an operator's command. */
  createdBy: string | null;
  expiresAt: Date;
}

export const passwordResetModel = defineModel<PasswordResetRow>('password_resets', types => ({
  companyId: { type: types.UUID, primaryKey: true },
  userId: { type: types.UUID, primaryKey: true },
  tokenHash: types.BLOB,
  createdBy: types.UUID,
  expiresAt: types.DATE,
}));
