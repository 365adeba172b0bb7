// Signed-in sessions. The browser holds 256 random bits, the table their SHA-256: reading the one does not give the other.
import { createHash, randomBytes } from 'node:crypto';
import { query, queryOne, type Transaction } from '../platform/db/connection.js';
import type { Role } from './model.js';

/** Nobody came for so long: the person left without signing out. */
const IDLE_HOURS = 12;
/** Nobody stays signed in for longer, however busy. */
const ABSOLUTE_DAYS = 14;
const STAMP_EVERY_SECONDS = 60;
const TOKEN_BYTES = 32;

/** Who is signed in, and the settings of the company that pages need. */
export interface Session {
  /** The SHA-256 of the token. */
  readonly id: Buffer;
  readonly companyId: string;
  readonly userId: string;
  readonly email: string;
  readonly role: Role;
  /** May inspect the queues and every company. */
  readonly operator: boolean;
  readonly companyName: string;
  readonly currency: string;
  readonly timeZone: string;
  readonly allowNegativeStock: boolean;
}

/** Starts a session and returns its token, the only time it is seen. */
export async function startSession(companyId: string, userId: string): Promise<string> {
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  await query(
    `INSERT INTO sessions (company_id, id, user_id, expires_at) VALUES ($1, $2, $3, now() + $4 * interval '1 day')`,
    [companyId, idOf(token), userId, ABSOLUTE_DAYS],
  );
  return token;
}

/** The session of a token, or null where it has ended or never was; notes that it was seen. */
export async function findSession(token: string): Promise<Session | null> {
  const row = await queryOne<Session & { isStale: boolean }>(
    `SELECT s.id, s.company_id AS "companyId", s.user_id AS "userId", u.email, u.role, u.operator,
       c.name AS "companyName", trim(c.currency) AS currency, c.time_zone AS "timeZone",
       c.allow_negative_stock AS "allowNegativeStock", s.last_seen_at < now() - $3 * interval '1 second' AS "isStale"
     FROM sessions s
     JOIN users u ON u.company_id = s.company_id AND u.id = s.user_id
     JOIN companies c ON c.id = s.company_id
     WHERE s.id = $1 AND s.expires_at > now() AND s.last_seen_at > now() - $2 * interval '1 hour' AND u.disabled_at IS NULL`,
    [idOf(token), IDLE_HOURS, STAMP_EVERY_SECONDS],
  );
  if (!row) return null;
  const { isStale, ...session } = row;
  if (isStale) {
    await query('UPDATE sessions SET last_seen_at = now() WHERE company_id = $1 AND id = $2', [
      row.companyId,
      row.id,
    ]);
  }
  return session;
}

export async function endSession(companyId: string, id: Buffer): Promise<void> {
  await query('DELETE FROM sessions WHERE company_id = $1 AND id = $2', [companyId, id]);
}

/** Ends the user's sessions, all or all but one. */
export async function endSessions(
  companyId: string,
  userId: string,
  except: Buffer | null,
  tx?: Transaction,
): Promise<void> {
  await query(
    'DELETE FROM sessions WHERE company_id = $1 AND user_id = $2 AND id IS DISTINCT FROM $3::bytea',
    [companyId, userId, except],
    tx,
  );
}

/** Forgets the sessions of all companies that have ended by themselves. */
export async function deleteEndedSessions(): Promise<void> {
  await query(
    `DELETE FROM sessions WHERE expires_at <= now() OR last_seen_at <= now() - $1 * interval '1 hour'`,
    [IDLE_HOURS],
  );
}

function idOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
