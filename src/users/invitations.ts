// Invitations: a link that makes one person a user of the company, once. The link holds 256 random bits, the table their
// SHA-256. A row is an open invitation; used or withdrawn it is gone.
import { createHash, randomBytes } from 'node:crypto';
import { inTransaction, query, queryOne, type Transaction } from '../platform/db/connection.js';
import { timeJson } from '../platform/db/time.js';
import { Problem } from '../platform/errors.js';
import { violatedConstraint } from '../platform/postgres-errors.js';
import type { Role } from './model.js';
import { checkUser, insertUser, type UserRef } from './service.js';

/** Somebody is on leave for a week; a link that lies about for longer is found by others. */
export const INVITATION_DAYS = 7;
/** More than a company invites at once. */
const MAX_OPEN = 100;
const TOKEN_BYTES = 32;

export interface NewInvitation {
  /** Chosen by the asker: asked for twice, an invitation is made once. */
  readonly id: string;
  readonly role: Role;
  readonly createdBy: string;
}

/** Makes an invitation and returns its token, the only time it is seen. Throws Problem `validation_failed`. */
export async function createInvitation(
  companyId: string,
  { id, role, createdBy }: NewInvitation,
): Promise<string> {
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  if ((await listInvitations(companyId)).length >= MAX_OPEN) {
    throw new Problem(
      'validation_failed',
      `At most ${MAX_OPEN} invitations can be open. Withdraw one first.`,
    );
  }
  try {
    // Under a lock of the asker: who loses the rights at this moment leaves no invitation behind.
    const [made] = await query(
      `INSERT INTO invitations (company_id, id, token_hash, role, created_by, expires_at)
       SELECT u.company_id, $2, $3, $4, u.id, now() + $6 * interval '1 day' FROM users u
       WHERE u.company_id = $1 AND u.id = $5 AND u.role = 'owner' AND u.disabled_at IS NULL FOR SHARE
       RETURNING 1`,
      [companyId, id, hashOf(token), role, createdBy, INVITATION_DAYS],
    );
    if (!made) throw new Problem('validation_failed', 'Only an owner can invite.');
  } catch (error) {
    if (violatedConstraint(error) !== 'invitations_pkey') throw error;
    throw new Problem(
      'validation_failed',
      'This invitation is made already, and its link was shown once.',
    );
  }
  return token;
}

export interface Invitation {
  readonly id: string;
  readonly role: Role;
  readonly createdBy: string;
  readonly createdAt: string;
  readonly expiresAt: string;
}

/** The company's open invitations, newest first. */
export async function listInvitations(companyId: string): Promise<Invitation[]> {
  return query<Invitation>(
    `SELECT i.id, i.role, u.email AS "createdBy", ${timeJson('i.created_at')} AS "createdAt", ${timeJson('i.expires_at')} AS "expiresAt"
     FROM invitations i JOIN users u ON u.company_id = i.company_id AND u.id = i.created_by
     WHERE i.company_id = $1 AND i.expires_at > now() ORDER BY i.created_at DESC, i.id`,
    [companyId],
  );
}

/** Throws Problem `not_found` where the company has no such open invitation. */
export async function withdrawInvitation(companyId: string, id: string): Promise<void> {
  const [gone] = await query(
    'DELETE FROM invitations WHERE company_id = $1 AND id = $2 RETURNING 1',
    [companyId, id],
  );
  if (!gone) throw new Problem('not_found', `There is no open invitation ${id}.`);
}

/** Takes back what somebody made who may not invite any more. */
export async function withdrawInvitationsOf(
  companyId: string,
  userId: string,
  tx: Transaction,
): Promise<void> {
  await query(
    'DELETE FROM invitations WHERE company_id = $1 AND created_by = $2',
    [companyId, userId],
    tx,
  );
}

export interface OpenInvitation {
  readonly companyId: string;
  readonly companyName: string;
  readonly role: Role;
}

/** The open invitation of a token; null where it is used, withdrawn, out of date or never was. */
export async function findInvitation(token: string): Promise<OpenInvitation | null> {
  return queryOne<OpenInvitation>(
    `SELECT i.company_id AS "companyId", c.name AS "companyName", i.role
     FROM invitations i JOIN companies c ON c.id = i.company_id WHERE i.token_hash = $1 AND i.expires_at > now()`,
    [hashOf(token)],
  );
}

/**
 * Makes the invited person a user, once; null where the invitation is open no more. Throws Problem `validation_failed`
 * with the fields email and password, and the invitation stays open.
 */
export async function acceptInvitation(
  token: string,
  person: { readonly email: string; readonly password: string },
): Promise<UserRef | null> {
  // Before the transaction: a hash takes longer than one should last.
  const checked = await checkUser({ ...person, role: 'member', operator: false });
  return inTransaction(async tx => {
    const invitation = await queryOne<{ companyId: string; role: Role }>(
      'DELETE FROM invitations WHERE token_hash = $1 AND expires_at > now() RETURNING company_id AS "companyId", role',
      [hashOf(token)],
      tx,
    );
    if (!invitation) return null;
    const { companyId, role } = invitation;
    const { id: userId } = await insertUser(companyId, { ...checked, role }, tx);
    return { companyId, userId };
  });
}

/** Forgets the invitations of all companies that are out of date. */
export async function deleteEndedInvitations(): Promise<void> {
  await query('DELETE FROM invitations WHERE expires_at <= now()', []);
}

function hashOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
