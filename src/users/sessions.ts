// Sessions of signed-in users.
import type { CreditLimitAction } from '../companies/credit-limit-action.js';
import { inTransactionOn } from '../companies/write-turns.js';
import { query, queryOne, type Transaction } from '../platform/db/connection.js';
import { joining, loadSequelize, nowPlus, SHARE } from '../platform/db/models.js';
import type { CsvFormat } from '../platform/values/csv.js';
import { sessionModel, userModel } from './model.js';
import type { Role } from './roles.js';
import { hashToken, makeToken } from './tokens.js';

/** A session without requests for this long has ended. */
const IDLE_HOURS = 12;
/** A session ends after this time, however busy it is. */
const ABSOLUTE_DAYS = 14;
const STAMP_EVERY_SECONDS = 60;

/** A signed-in user, with the settings of the company that pages need. */
export interface Session {
  /** The SHA-256 of the token. */
  readonly id: Buffer;
  readonly companyId: string;
  readonly userId: string;
  readonly email: string;
  /** The person's name; null if not entered. */
  readonly name: string | null;
  readonly role: Role;
  /** Can inspect the queues and every company. */
  readonly operator: boolean;
  readonly companyName: string;
  readonly currency: string;
  readonly timeZone: string;
  readonly allowNegativeStock: boolean;
  /** Days from an invoice's date to its due date; null for none. */
  readonly termsDays: number | null;
  /** A percentage; null for no tax. */
  readonly defaultTaxRate: number | null;
  readonly creditLimitAction: CreditLimitAction;
  readonly csvFormat: CsvFormat;
  /** The number of customer records in use. */
  readonly customerCount: number;
  /** Grows with each change of a customer record. */
  readonly customersVersion: number;
}

/**
 * Starts a session and returns its token, which is shown only here. Null if the password changed
 * after it was checked, or the user was disabled: those end all sessions, and this one would come
 * too late for them. The lock waits for such a change, and makes it wait.
 */
export async function startSession(
  companyId: string,
  userId: string,
  passwordHash: string,
): Promise<string | null> {
  const token = makeToken();
  return inTransactionOn(companyId, 'access', async tx => {
    const where = { companyId, id: userId, passwordHash, disabledAt: null };
    const user = await userModel().findOne({ where, lock: SHARE, ...joining(tx) });
    if (!user) return null;
    const expiresAt = nowPlus(`${ABSOLUTE_DAYS} days`);
    const session = { companyId, id: hashToken(token), userId, expiresAt };
    await sessionModel().create(session, joining(tx));
    return token;
  });
}

/**
 * The session of a token, null if it has ended or never existed. Updates the last-seen times. It is
 * SQL because every page runs it: three models take seven times the CPU time.
 */
export async function findSession(token: string): Promise<Session | null> {
  const row = await queryOne<Session & { isStale: boolean }>(
    `SELECT sessions.id, sessions.company_id AS "companyId", sessions.user_id AS "userId",
       users.email, users.name, users.role, users.operator,
       companies.name AS "companyName", trim(companies.currency) AS currency,
       companies.time_zone AS "timeZone",
       companies.allow_negative_stock AS "allowNegativeStock",
       companies.terms_days AS "termsDays",
       companies.default_tax_rate::float8 AS "defaultTaxRate",
       companies.credit_limit_action AS "creditLimitAction",
       companies.csv_format AS "csvFormat",
       companies.customer_count AS "customerCount",
       companies.customers_version::float8 AS "customersVersion",
       LEAST(sessions.last_seen_at, COALESCE(users.last_seen_at, '-infinity'))
         < now() - $3 * interval '1 second' AS "isStale"
     FROM sessions
     JOIN users ON users.company_id = sessions.company_id AND users.id = sessions.user_id
     JOIN companies ON companies.id = sessions.company_id
     WHERE sessions.id = $1
       AND sessions.expires_at > now()
       AND sessions.last_seen_at > now() - $2 * interval '1 hour'
       AND users.disabled_at IS NULL`,
    [hashToken(token), IDLE_HOURS, STAMP_EVERY_SECONDS],
  );
  if (!row) return null;
  const { isStale, ...session } = row;
  if (isStale) await stampLastSeen(session);
  return session;
}

/**
 * Records that the user was here, each time at most once a minute: in the session, to end it when
 * it is idle, and in the user. Two transactions, since one that locks both rows could deadlock with
 * one that disables the user.
 */
async function stampLastSeen({ companyId, id, userId }: Session): Promise<void> {
  const stamp = (table: 'sessions' | 'users', rowId: Buffer | string) =>
    inTransactionOn(companyId, 'access', tx =>
      query(
        `UPDATE ${table}
         SET last_seen_at = now()
         WHERE company_id = $1 AND id = $2
           AND COALESCE(last_seen_at, '-infinity') < now() - $3 * interval '1 second'`,
        [companyId, rowId, STAMP_EVERY_SECONDS],
        tx,
      ),
    );
  await Promise.all([stamp('sessions', id), stamp('users', userId)]);
}

export async function endSession(companyId: string, id: Buffer): Promise<void> {
  await inTransactionOn(companyId, 'access', tx =>
    sessionModel().destroy({ where: { companyId, id }, ...joining(tx) }),
  );
}

/** Ends the user's sessions: all of them, or all but one. */
export async function endSessions(
  companyId: string,
  userId: string,
  except: Buffer | null,
  tx?: Transaction,
): Promise<void> {
  const { Op } = loadSequelize();
  const others = except ? { id: { [Op.ne]: except } } : {};
  await sessionModel().destroy({ where: { companyId, userId, ...others }, ...joining(tx) });
}

/** Deletes the ended sessions of all companies. */
export async function deleteEndedSessions(): Promise<void> {
  await query(
    `DELETE FROM sessions
     WHERE expires_at <= now() OR last_seen_at <= now() - $1 * interval '1 hour'`,
    [IDLE_HOURS],
  );
}
