// The records of users, their sessions, open invitations and open password resets.
import { defineModel, type ModelRecord } from '../platform/db/models.js';

export type Role = 'owner' | 'member';

interface UserRow {
  companyId: string;
  id: string;
  email: string;
  passwordHash: string;
  role: Role;
  /** Can inspect the queues and every company. */
  operator: boolean;
  /** Since when the user can't sign in; null for an active user. */
  disabledAt: Date | null;
}

export type User = ModelRecord<UserRow>;

export const userModel = defineModel<UserRow>('users', types => ({
  companyId: { type: types.UUID, primaryKey: true },
  id: { type: types.UUID, primaryKey: true },
  email: types.TEXT,
  passwordHash: types.TEXT,
  role: types.TEXT,
  operator: types.BOOLEAN,
  disabledAt: types.DATE,
}));

interface SessionRow {
  companyId: string;
  /** The SHA-256 of the cookie's token. */
  id: Buffer;
  userId: string;
  expiresAt: Date;
}

export const sessionModel = defineModel<SessionRow>('sessions', types => ({
  companyId: { type: types.UUID, primaryKey: true },
  id: { type: types.BLOB, primaryKey: true },
  userId: types.UUID,
  expiresAt: types.DATE,
}));

interface InvitationRow {
  companyId: string;
  id: string;
  /** The id of the form that created the invitation. */
  once: string;
  /** The SHA-256 of the link's token. */
  tokenHash: Buffer;
  role: Role;
  createdBy: string;
  expiresAt: Date;
}

export const invitationModel = defineModel<InvitationRow>('invitations', types => ({
  companyId: { type: types.UUID, primaryKey: true },
  id: { type: types.UUID, primaryKey: true },
  once: types.UUID,
  tokenHash: types.BLOB,
  role: types.TEXT,
  createdBy: types.UUID,
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
