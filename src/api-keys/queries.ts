// Keys as the people of a company see them: what each may do, and whether and for how long it does.
import { query, queryOne } from '../platform/db/connection.js';
import { timeJson } from '../platform/db/time.js';
import type { Scope } from './model.js';

/** A key that ends within so long is to be replaced now. */
const EXPIRING_DAYS = 14;

export type KeyState = 'active' | 'expiring' | 'rotating' | 'expired' | 'revoked';

export interface KeyView {
  readonly keyId: string;
  readonly name: string;
  readonly scopes: readonly Scope[];
  /** The public part of the current secret: by it a key in use is told from others. */
  readonly publicId: string;
  readonly createdBy: string | null;
  readonly createdAt: string;
  readonly lastUsedAt: string | null;
  readonly expiresAt: string | null;
  readonly revokedAt: string | null;
  /** Until when a rotated secret is still taken; null where none is. */
  readonly overlapUntil: string | null;
  readonly state: KeyState;
}

/** With the api_keys row as k. */
const view = `SELECT k.id AS "keyId", k.name, k.scopes, k.created_by AS "createdBy", ${timeJson('k.created_at')} AS "createdAt",
    ${timeJson('k.last_used_at')} AS "lastUsedAt", ${timeJson('k.expires_at')} AS "expiresAt", ${timeJson('k.revoked_at')} AS "revokedAt",
    s.public_id AS "publicId", ${timeJson('s.overlap_until')} AS "overlapUntil",
    CASE WHEN k.revoked_at IS NOT NULL THEN 'revoked' WHEN k.expires_at <= now() THEN 'expired' WHEN s.overlap_until IS NOT NULL THEN 'rotating'
      WHEN k.expires_at <= now() + ${EXPIRING_DAYS} * interval '1 day' THEN 'expiring' ELSE 'active' END AS state
  FROM api_keys k, LATERAL (
    SELECT max(id) FILTER (WHERE valid_until IS NULL) AS public_id, max(valid_until) FILTER (WHERE valid_until > now()) AS overlap_until
    FROM api_key_secrets t WHERE t.company_id = k.company_id AND t.api_key_id = k.id) s`;

export interface KeyPage {
  readonly keys: readonly KeyView[];
  /** The last key's id where more follow, else null. */
  readonly next: string | null;
}

/** The company's keys, newest first, from after a key's id. */
export async function listKeyViews(
  companyId: string,
  after: string | null,
  limit: number,
): Promise<KeyPage> {
  const keys = await query<KeyView>(
    `${view} WHERE k.company_id = $1 ${after === null ? '' : 'AND k.id < $3'} ORDER BY k.id DESC LIMIT $2`,
    after === null ? [companyId, limit + 1] : [companyId, limit + 1, after],
  );
  return {
    keys: keys.slice(0, limit),
    next: keys.length > limit ? (keys[limit - 1]?.keyId ?? null) : null,
  };
}

/** Null where the company has no such key. */
export async function findKeyView(companyId: string, keyId: string): Promise<KeyView | null> {
  return queryOne<KeyView>(`${view} WHERE k.company_id = $1 AND k.id = $2`, [companyId, keyId]);
}
