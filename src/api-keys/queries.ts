// API keys as the dashboard shows them.
import { query, queryOne } from '../platform/db/connection.js';
import { timeJson } from '../platform/db/sql.js';
import { splitPage } from '../platform/http/pagination.js';
import type { Scope } from './model.js';

/** A key that expires within this time is shown as expiring. */
const EXPIRING_DAYS = 14;

export type KeyState = 'active' | 'expiring' | 'rotating' | 'expired' | 'revoked';

export interface KeyView {
  readonly keyId: string;
  readonly name: string;
  readonly scopes: readonly Scope[];
  /** The public part of the current secret, which identifies a key in use. */
  readonly publicId: string;
  /** The user's id; null for an operator's command. */
  readonly createdBy: string | null;
  readonly createdAt: string;
  readonly lastUsedAt: string | null;
  readonly expiresAt: string | null;
  /** When the current secret replaced an earlier one; null if the key was never rotated. */
  readonly rotatedAt: string | null;
  readonly rotatedBy: string | null;
  readonly scopesChangedAt: string | null;
  readonly scopesChangedBy: string | null;
  readonly revokedAt: string | null;
  readonly revokedBy: string | null;
  /** The time at which the last rotated secret expires; null if none is valid. */
  readonly overlapUntil: string | null;
  readonly state: KeyState;
}

const SELECT_VIEW = `
  SELECT key.id AS "keyId", key.name, key.scopes,
    secrets.public_id AS "publicId",
    key.created_by AS "createdBy",
    ${timeJson('key.created_at')} AS "createdAt",
    ${timeJson('key.last_used_at')} AS "lastUsedAt",
    ${timeJson('key.expires_at')} AS "expiresAt",
    ${timeJson('key.revoked_at')} AS "revokedAt",
    key.revoked_by AS "revokedBy",
    ${timeJson('key.scopes_changed_at')} AS "scopesChangedAt",
    key.scopes_changed_by AS "scopesChangedBy",
    ${timeJson('rotation.created_at')} AS "rotatedAt",
    rotation.created_by AS "rotatedBy",
    ${timeJson('secrets.overlap_until')} AS "overlapUntil",
    CASE
      WHEN key.revoked_at IS NOT NULL THEN 'revoked'
      WHEN key.expires_at <= now() THEN 'expired'
      WHEN secrets.overlap_until IS NOT NULL THEN 'rotating'
      WHEN key.expires_at <= now() + ${EXPIRING_DAYS} * interval '1 day' THEN 'expiring'
      ELSE 'active'
    END AS state
  FROM api_keys key
    CROSS JOIN LATERAL (
      SELECT count(*),
        max(id) FILTER (WHERE valid_until IS NULL) AS public_id,
        max(valid_until) FILTER (WHERE valid_until > now()) AS overlap_until
      FROM api_key_secrets secret
      WHERE secret.company_id = key.company_id AND secret.api_key_id = key.id
    ) secrets
    LEFT JOIN api_key_secrets rotation
      ON rotation.company_id = key.company_id AND rotation.id = secrets.public_id
        AND secrets.count > 1`;

export interface KeyPage {
  readonly keys: readonly KeyView[];
  /** The last key's id if more follow, else null. */
  readonly next: string | null;
}

/** The company's keys, newest first, after a key's id. */
export async function listKeyViews(
  companyId: string,
  after: string | null,
  limit: number,
): Promise<KeyPage> {
  const found = await query<KeyView>(
    `${SELECT_VIEW}
     WHERE key.company_id = $1 ${after === null ? '' : 'AND key.id < $3'}
     ORDER BY key.id DESC
     LIMIT $2`,
    after === null ? [companyId, limit + 1] : [companyId, limit + 1, after],
  );
  const { page, next } = splitPage(found, limit, ({ keyId }) => keyId);
  return { keys: page, next };
}

/** Null if the company has no such key. */
export function findKeyView(companyId: string, keyId: string): Promise<KeyView | null> {
  return queryOne<KeyView>(`${SELECT_VIEW} WHERE key.company_id = $1 AND key.id = $2`, [
    companyId,
    keyId,
  ]);
}
