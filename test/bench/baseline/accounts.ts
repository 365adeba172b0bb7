// The baseline's check of API keys: like the product's, by SHA-256, cached for 0.8 s.
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

const FIND = `SELECT
    secret.hash,
    company.id AS "companyId", trim(company.currency) AS currency,
    COALESCE(company.rate_limit_per_hour, 1000) AS "limit"
  FROM api_key_secrets AS secret
    JOIN api_keys AS key ON key.company_id = secret.company_id AND key.id = secret.api_key_id
    JOIN companies AS company ON company.id = key.company_id
  WHERE secret.id = $1
    AND key.revoked_at IS NULL
    AND COALESCE(LEAST(key.expires_at, secret.valid_until) > now(), true)`;

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
