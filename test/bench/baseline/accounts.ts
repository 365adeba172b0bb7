// The baseline's look at API keys: the product's rule, by SHA-256, believed for 0.8 s.
import { timingSafeEqual } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type pg from 'pg';
import { hashKey, keyId } from '../../../src/api-keys/key.js';

const CACHE_MS = 800;
const CACHE_SIZE = 20_000;

export interface Account {
  readonly companyId: string;
  readonly currency: string;
  readonly limit: number;
}

const FIND = `SELECT s.hash, c.id AS "companyId", trim(c.currency) AS currency, COALESCE(c.rate_limit_per_hour, 1000) AS "limit"
  FROM api_key_secrets s JOIN api_keys k ON k.company_id = s.company_id AND k.id = s.api_key_id JOIN companies c ON c.id = k.company_id
  WHERE s.id = $1 AND k.revoked_at IS NULL AND COALESCE(LEAST(k.expires_at, s.valid_until) > now(), true)`;

export function createAccounts(
  pool: pg.Pool,
): (key: string | undefined) => Promise<Account | null> {
  const accounts = new LRUCache<string, { account: Account | null }, string>({
    max: CACHE_SIZE,
    ttl: CACHE_MS,
    fetchMethod: async (_hash, _stale, { context: key }) => {
      const { rows } = await pool.query({ name: 'account', text: FIND, values: [keyId(key)] });
      const found = rows[0] && timingSafeEqual(rows[0].hash, hashKey(key));
      return { account: found ? rows[0] : null };
    },
  });
  return async key => {
    if (key === undefined || keyId(key) === null) return null;
    return (
      (await accounts.fetch(hashKey(key).toString('base64'), { context: key }))?.account ?? null
    );
  };
}
