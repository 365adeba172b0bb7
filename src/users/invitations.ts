// Invitations: a link that makes one person a user of the company, once. A row is an open
// invitation; it is deleted when it is accepted or withdrawn.
import { v7 as uuidv7 } from 'uuid';
import { query, queryOne } from '../platform/db/connection.js';
import {
  inModelTransaction,
  loadSequelize,
  type ModelTransaction,
  nowPlus,
} from '../platform/db/models.js';
import { timeJson } from '../platform/db/sql.js';
import { Problem } from '../platform/errors.js';
import { violatedConstraint } from '../platform/postgres-errors.js';
import { invitationModel, type Role, userModel } from './model.js';
import { checkUser, insertUser, type VerifiedUser } from './service.js';
import { hashToken, makeToken } from './tokens.js';

/** Long enough for a week's leave, short enough that a forgotten link does little harm. */
export const INVITATION_DAYS = 7;
/** More than a company invites at once. */
const MAX_OPEN = 100;

export interface NewInvitation {
  /** A UUID of the caller's request, which may be repeated: the invitation is created once. */
  readonly once: string;
  readonly role: Role;
  readonly createdBy: string;
}

/** Creates an invitation; returns its token only here. Throws Problem `validation_failed`. */
export async function createInvitation(
  companyId: string,
  { once, role, createdBy }: NewInvitation,
): Promise<string> {
  const [Users, Invitations] = [await userModel(), await invitationModel()];
  const token = makeToken();
  const expiresAt = await nowPlus(`${INVITATION_DAYS} days`);
  try {
    await inModelTransaction(async transaction => {
      // Locked: an owner who loses the rights at this moment leaves no invitation behind, and
      // concurrent creations are counted one after the other.
      const owners = await Users.findAll({
        where: { companyId, role: 'owner', disabledAt: null },
        order: ['id'],
        transaction,
        lock: transaction.LOCK.NO_KEY_UPDATE,
      });
      if (!owners.some(({ id }) => id === createdBy))
        throw new Problem('validation_failed', 'Only an owner can invite people.');
      await refuseManyInvitations(companyId, transaction);
      const tokenHash = hashToken(token);
      const id = uuidv7();
      await Invitations.create(
        { companyId, id, once, tokenHash, role, createdBy, expiresAt },
        { transaction },
      );
    });
  } catch (error) {
    if (violatedConstraint(error) !== 'invitations_once') throw error;
    throw new Problem(
      'validation_failed',
      "This invitation was already created, and its link can't be shown again.",
    );
  }
  return token;
}

async function refuseManyInvitations(
  companyId: string,
  transaction: ModelTransaction,
): Promise<void> {
  const { Op, fn } = loadSequelize();
  const where = { companyId, expiresAt: { [Op.gt]: fn('now') } };
  if ((await (await invitationModel()).count({ where, transaction })) < MAX_OPEN) return;
  throw new Problem(
    'validation_failed',
    `At most ${MAX_OPEN} invitations can be open. Withdraw one first.`,
  );
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
    `SELECT invitations.id, invitations.role, users.email AS "createdBy",
       ${timeJson('invitations.created_at')} AS "createdAt",
       ${timeJson('invitations.expires_at')} AS "expiresAt"
     FROM invitations
     JOIN users ON users.company_id = invitations.company_id AND users.id = invitations.created_by
     WHERE invitations.company_id = $1 AND invitations.expires_at > now()
     ORDER BY invitations.created_at DESC, invitations.id`,
    [companyId],
  );
}

/** Throws Problem `not_found` if the company has no such open invitation. */
export async function withdrawInvitation(companyId: string, id: string): Promise<void> {
  const deleted = await (await invitationModel()).destroy({ where: { companyId, id } });
  if (deleted === 0) throw new Problem('not_found', `There is no open invitation ${id}.`);
}

/** Withdraws the invitations of a user who can't invite any more. */
export async function withdrawInvitationsOf(
  companyId: string,
  userId: string,
  transaction: ModelTransaction,
): Promise<void> {
  const Invitations = await invitationModel();
  await Invitations.destroy({ where: { companyId, createdBy: userId }, transaction });
}

export interface OpenInvitation {
  readonly companyId: string;
  readonly companyName: string;
  readonly role: Role;
}

/** A token's open invitation. Null if it was accepted or withdrawn, expired or never existed. */
export async function findInvitation(token: string): Promise<OpenInvitation | null> {
  return queryOne<OpenInvitation>(
    `SELECT invitations.company_id AS "companyId", companies.name AS "companyName",
       invitations.role
     FROM invitations
     JOIN companies ON companies.id = invitations.company_id
     WHERE invitations.token_hash = $1 AND invitations.expires_at > now()`,
    [hashToken(token)],
  );
}

/**
 * Makes the invited person a user, once; null if the invitation is no longer open. Throws Problem
 * `validation_failed` with the fields email and password, and the invitation stays open.
 */
export async function acceptInvitation(
  token: string,
  person: { readonly email: string; readonly password: string },
): Promise<VerifiedUser | null> {
  // Before the transaction: a hash takes longer than a transaction should.
  const checked = await checkUser({ ...person, role: 'member', operator: false });
  const Invitations = await invitationModel();
  return inModelTransaction(async transaction => {
    const invitation = await Invitations.findOne({
      where: { tokenHash: hashToken(token) },
      transaction,
      lock: true,
    });
    if (!invitation || invitation.expiresAt <= new Date()) return null;
    const { companyId, role } = invitation;
    await invitation.destroy({ transaction });
    const { id: userId } = await insertUser(companyId, { ...checked, role }, transaction);
    return { companyId, userId, passwordHash: checked.passwordHash };
  });
}

/** Deletes the expired invitations of all companies. */
export async function deleteEndedInvitations(): Promise<void> {
  await query('DELETE FROM invitations WHERE expires_at <= now()', []);
}
