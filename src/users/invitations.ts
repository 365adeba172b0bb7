// Invitations: a link that makes one person a user of the company, once. A row is an open
// invitation; it is deleted when it is accepted or withdrawn.
import { v7 as uuidv7 } from 'uuid';
import { getCompany } from '../companies/service.js';
import { inTransactionOn } from '../companies/write-turns.js';
import { query, type Transaction } from '../platform/db/connection.js';
import { afterNow, joining, nowPlus } from '../platform/db/models.js';
import { timeJson } from '../platform/db/sql.js';
import { Problem } from '../platform/errors.js';
import { invalidField } from '../platform/field-errors.js';
import { violatedConstraint } from '../platform/postgres-errors.js';
import { findUserByEmail, invitationModel, lockUsers, type VerifiedUser } from './model.js';
import type { Role } from './roles.js';
import { checkUser, insertUser, type NewUser } from './service.js';
import { hashToken, makeToken } from './tokens.js';

/** A link is open longer than a week's leave, and a forgotten one does little harm. */
export const INVITATION_DAYS = 7;
/** Open invitations per company, more than any company needs. */
const MAX_OPEN = 100;

export interface NewInvitation {
  /** A UUID of the caller's request, which may be repeated: the invitation is created once. */
  readonly once: string;
  readonly role: Role;
  /** The first values of the invited person's form. */
  readonly name: string | null;
  readonly email: string | null;
  readonly createdBy: string;
}

/**
 * Creates an invitation; returns its token only here. Throws Problem `validation_failed`, with the
 * field email for that of a user of the company, who could not accept it.
 */
export async function createInvitation(
  companyId: string,
  { once, createdBy, ...invited }: NewInvitation,
): Promise<string> {
  await refuseUser(companyId, invited.email);
  const token = makeToken();
  const expiresAt = nowPlus(`${INVITATION_DAYS} days`);
  const id = uuidv7();
  try {
    await inTransactionOn(companyId, 'access', async tx => {
      // This lock also makes concurrent creations count one after the other.
      const owners = await lockUsers(companyId, { role: 'owner', disabledAt: null }, tx);
      if (!owners.some(owner => owner.id === createdBy))
        throw new Problem('validation_failed', 'Only an owner can invite people.');
      await refuseManyInvitations(companyId, tx);
      const invitation = { companyId, id, once, tokenHash: hashToken(token), createdBy };
      await invitationModel().create({ ...invitation, ...invited, expiresAt }, joining(tx));
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

/** Says nothing about users of other companies. */
async function refuseUser(companyId: string, email: string | null): Promise<void> {
  const user = email === null ? null : await findUserByEmail(email);
  if (user?.companyId === companyId)
    throw invalidField('email', 'A user of this company has this e-mail address.');
}

async function refuseManyInvitations(companyId: string, tx: Transaction): Promise<void> {
  const where = { companyId, expiresAt: afterNow() };
  if ((await invitationModel().count({ where, ...joining(tx) })) < MAX_OPEN) return;
  throw new Problem(
    'validation_failed',
    `At most ${MAX_OPEN} invitations can be open. Withdraw one first.`,
  );
}

export interface Invitation {
  readonly id: string;
  readonly role: Role;
  readonly name: string | null;
  readonly email: string | null;
  /** The name or the e-mail address of an owner. */
  readonly createdBy: string;
  readonly createdAt: string;
  readonly expiresAt: string;
}

/** The company's open invitations, newest first. */
export async function listInvitations(companyId: string): Promise<Invitation[]> {
  return query<Invitation>(
    `SELECT invitations.id, invitations.role, invitations.name, invitations.email,
       COALESCE(users.name, users.email) AS "createdBy",
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
  const deleted = await inTransactionOn(companyId, 'access', tx =>
    invitationModel().destroy({ where: { companyId, id }, ...joining(tx) }),
  );
  if (deleted === 0) throw new Problem('not_found', `There is no open invitation ${id}.`);
}

/** Withdraws the invitations of a user who can't invite any more. */
export async function withdrawInvitationsOf(
  companyId: string,
  createdBy: string,
  tx: Transaction,
): Promise<void> {
  await invitationModel().destroy({ where: { companyId, createdBy }, ...joining(tx) });
}

export interface OpenInvitation {
  readonly companyId: string;
  readonly companyName: string;
  readonly role: Role;
  readonly name: string | null;
  readonly email: string | null;
}

/** A token's open invitation. Null if it was accepted or withdrawn, expired or never existed. */
export async function findInvitation(token: string): Promise<OpenInvitation | null> {
  const where = { tokenHash: hashToken(token), expiresAt: afterNow() };
  const invitation = await invitationModel().findOne({ where });
  if (!invitation) return null;
  const { companyId, role, name, email } = invitation;
  return { companyId, companyName: (await getCompany(companyId)).name, role, name, email };
}

/**
 * Makes the invited person a user, once; null if the invitation is no longer open. Throws Problem
 * `validation_failed` with the fields email and password, and the invitation stays open.
 */
export async function acceptInvitation(
  token: string,
  person: Pick<NewUser, 'email' | 'name' | 'password'>,
): Promise<VerifiedUser | null> {
  // The hash is made before the transaction, because it takes longer than a transaction should.
  const checked = await checkUser({ ...person, role: 'member', operator: false });
  const open = await findInvitation(token);
  if (!open) return null;
  const { companyId } = open;
  return inTransactionOn(companyId, 'access', async tx => {
    const where = { companyId, tokenHash: hashToken(token), expiresAt: afterNow() };
    const invitation = await invitationModel().findOne({ where, lock: true, ...joining(tx) });
    if (!invitation) return null;
    const { role } = invitation;
    await invitation.destroy(joining(tx));
    const { id: userId } = await insertUser(companyId, { ...checked, role }, tx);
    return { companyId, userId, passwordHash: checked.passwordHash };
  });
}

/** Deletes the expired invitations of all companies. */
export async function deleteEndedInvitations(): Promise<void> {
  await query('DELETE FROM invitations WHERE expires_at <= now()', []);
}
