// The baseline's check of API keys: like the product's, by SHA-256, cached for 0.8 s.
import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type pg from 'pg';

const CACHE_MS = 800;
const CACHE_SIZE = 20_000;
/** tpk_ and the 12 characters by which a key is found. */
const ID_START = 4;
const ID_END = 16;

export interface Account {
  readonly companyId: string;
  readonly currency: string;
  readonly limit: number;
}

const FIND = `SELECT key.company_id AS "companyId", currency, rate_limit AS "limit"
  FROM api_keys key JOIN companies company ON company.id = key.company_id
  WHERE key.id = $1 AND key.hash = $2`;

export function createAccounts(
  pool: pg.Pool,
): (key: string | undefined) => Promise<Account | null> {
  const accounts = new LRUCache<string, { account: Account | null }, string>({
    max: CACHE_SIZE,
    ttl: CACHE_MS,
    fetchMethod: async (hash, _stale, { context: key }) => {
      const values = [key.slice(ID_START, ID_END), Buffer.from(hash, 'base64')];
      const { rows } = await pool.query<Account>({ name: 'account', text: FIND, values });
      return { account: rows[0] ?? null };
    },
  });
  return async key => {
    if (key === undefined) return null;
    const hash = createHash('sha256').update(key).digest('base64');
    const found = accounts.get(hash) ?? (await accounts.fetch(hash, { context: key }));
    return found?.account ?? null;
  };
}
