// Authentication by API key. Each process looks a key up about once per second at most.
import { hash, timingSafeEqual } from 'node:crypto';
import type { Context, Middleware, Next } from 'koa';
import { LRUCache } from 'lru-cache';
import { query, queryOne } from '../platform/db/connection.js';
import { Problem, type ProblemCode } from '../platform/errors.js';
import { clientNetwork } from '../platform/http/address.js';
import { rawHeaderValues } from '../platform/http/input/raw-headers.js';
import type { Counter } from '../platform/http/rate-limit.js';
import { describeError } from '../platform/postgres-errors.js';
import type { OnStop } from '../platform/process/lifecycle.js';
import type { Log } from '../platform/process/log.js';
import { OutageLog } from '../platform/process/outage-log.js';
import { hashKey, keyId } from './key.js';
import type { Scope } from './model.js';

/** A look-up is reused for this time: a revocation must hold everywhere within a second. */
const CACHE_MS = 800;
const CACHE_SIZE = 20_000;
/** Refused keys per minute from one address. */
export const MAX_REFUSALS = 30;
export const REFUSAL_WINDOW_SECONDS = 60;
/** Last-used times are written together at this interval. */
const STAMP_INTERVAL_MS = 10_000;

/** A request's permissions and company settings: `ctx.state.auth` below the API's base path. */
export interface Auth {
  readonly companyId: string;
  readonly keyId: string;
  readonly keyName: string;
  readonly scopes: readonly Scope[];
  readonly currency: string;
  readonly timeZone: string;
  readonly allowNegativeStock: boolean;
  /** Days from an invoice's date to its due date; null for none. */
  readonly termsDays: number | null;
  /** A percentage; null for no tax. */
  readonly defaultTaxRate: number | null;
  /** The number of customer records in use. */
  readonly customerCount: number;
  /** Grows with each change of a customer record. */
  readonly customersVersion: number;
  /** Requests per hour; null for the environment's default. */
  readonly rateLimitPerHour: number | null;
}

type AuthResult = Auth | 'invalid_api_key' | 'expired_api_key' | 'revoked_api_key';

/** Sets ctx.state.auth from the request's API key. `refusals` counts refused keys per address. */
export function createAuthenticate(
  refusals: Pick<Counter, 'add'>,
  log: Log,
  onStop: OnStop,
): Middleware {
  const results = new LRUCache<string, AuthResult & {}, string>({
    max: CACHE_SIZE,
    ttl: CACHE_MS,
    fetchMethod: (_hash, _stale, { context: key }) => findAuth(key),
  });
  // The cache drops a pending look-up when it is full. That says nothing about the key.
  const load = async (cached: string, key: string): Promise<AuthResult> =>
    (await results.fetch(cached, { context: key })) ?? findAuth(key);
  const lookUp = (key: string): AuthResult | Promise<AuthResult> => {
    const cached = hash('sha256', key, 'base64');
    return results.get(cached) ?? (keyId(key) === null ? 'invalid_api_key' : load(cached, key));
  };
  const stamps = new LastUsedStamps();
  stamps.writeUntilStopped(log, onStop);
  return async (ctx, next) => {
    const key = presentedKey(ctx.req);
    const result = await lookUp(key);
    if (typeof result === 'string') return refuse(ctx, result, refusals);
    ctx.state.auth = result;
    stamps.add(result);
    return next();
  };
}

/** Refuses a key without the scope. Throws Problem `insufficient_scope`. */
export function requireScope(scope: Scope): (ctx: Context, next: Next) => Promise<void> {
  return (ctx, next) => {
    checkScope(ctx.state.auth as Auth, scope);
    return next();
  };
}

/** Throws Problem `insufficient_scope`. */
export function checkScope(auth: Auth, scope: Scope): void {
  if (auth.scopes.includes(scope)) return;
  throw new Problem('insufficient_scope', `This key lacks the scope ${scope}.`, {
    members: { requiredScope: scope },
  });
}

/**
 * The key in x-api-key or Authorization: Bearer. Reads the raw headers, since Node joins a repeated
 * x-api-key and drops a second Authorization. Throws Problem `missing_api_key`, or
 * `ambiguous_credentials` for two different ones.
 */
function presentedKey(request: Context['req']): string {
  const own = new Set(rawHeaderValues(request, 'x-api-key').map(value => value.trim()));
  const authorization = new Set(
    rawHeaderValues(request, 'authorization').map(value =>
      value.trim().replace(/^bearer +/iu, 'Bearer '),
    ),
  );
  const bearers = [...authorization].flatMap(value => /^Bearer (\S.*)$/u.exec(value)?.[1] ?? []);
  const keys = new Set([...own, ...bearers].filter(key => key !== ''));
  if (own.size > 1 || authorization.size > 1 || keys.size > 1)
    throw new Problem(
      'ambiguous_credentials',
      'The request carries two different credentials; send one.',
    );
  const [key] = keys;
  if (key !== undefined) return key;
  throw new Problem(
    'missing_api_key',
    authorization.size > 0
      ? "The Authorization header must be 'Bearer <key>'."
      : 'Send an API key as x-api-key or as Authorization: Bearer.',
    { headers: { 'WWW-Authenticate': 'Bearer realm="api"' } },
  );
}

async function refuse(
  ctx: Context,
  code: ProblemCode,
  refusals: Pick<Counter, 'add'>,
): Promise<never> {
  const { used, resetMs } = await refusals.add(clientNetwork(ctx));
  if (used > MAX_REFUSALS) {
    throw new Problem(
      'too_many_attempts',
      'Too many refused keys from this address; wait before the next.',
      { headers: { 'Retry-After': String(Math.ceil(resetMs / 1000)) } },
    );
  }
  throw new Problem(code, REFUSALS[code] ?? 'This API key is not valid.', {
    headers: { 'WWW-Authenticate': 'Bearer realm="api", error="invalid_token"' },
  });
}

const REFUSALS: Partial<Record<ProblemCode, string>> = {
  expired_api_key: 'This API key has expired.',
  revoked_api_key: 'This API key has been revoked.',
};

const NO_HASH = Buffer.alloc(32);

interface KeyRow extends Auth {
  readonly hash: Buffer;
  readonly revoked: boolean;
  readonly expired: boolean;
}

/**
 * Looks a key up. A wrong secret of a real key costs as much as an unknown id, so that the time
 * does not tell them apart: the same statement finds no row, as the hash is part of its WHERE, and
 * the same comparison follows. It is SQL because it runs for every key about once per second: three
 * models take nine times the CPU time.
 */
async function findAuth(key: string): Promise<AuthResult> {
  const keyHash = hashKey(key);
  const row = await queryOne<KeyRow>(
    `SELECT secret.hash, key.company_id AS "companyId", key.id AS "keyId", key.name AS "keyName",
       key.scopes,
       trim(company.currency) AS currency, company.time_zone AS "timeZone",
       company.allow_negative_stock AS "allowNegativeStock",
       company.terms_days AS "termsDays",
       company.default_tax_rate::float8 AS "defaultTaxRate",
       company.customer_count AS "customerCount",
       company.customers_version::float8 AS "customersVersion",
       company.rate_limit_per_hour AS "rateLimitPerHour",
       key.revoked_at IS NOT NULL AS revoked,
       COALESCE(LEAST(key.expires_at, secret.valid_until) <= now(), false) AS expired
     FROM api_key_secrets secret
     JOIN api_keys key ON key.company_id = secret.company_id AND key.id = secret.api_key_id
     JOIN companies company ON company.id = key.company_id
     WHERE secret.id = $1 AND secret.hash = $2`,
    [keyId(key), keyHash],
  );
  const isSame = timingSafeEqual(row?.hash ?? NO_HASH, keyHash);
  if (!row || !isSame) return 'invalid_api_key';
  const { hash: _hash, revoked, expired, ...auth } = row;
  if (revoked) return 'revoked_api_key';
  return expired ? 'expired_api_key' : auth;
}

/** Collects when keys were used and writes the times together, so that no request pays for it. */
class LastUsedStamps {
  readonly #used = new Map<string, { companyId: string; keyId: string; at: Date }>();

  add({ companyId, keyId }: Auth): void {
    this.#used.set(keyId, { companyId, keyId, at: new Date() });
  }

  writeUntilStopped(log: Log, onStop: OnStop): void {
    const outage = new OutageLog(log, {
      failing: 'last-used times not written',
      working: 'last-used times are written again',
    });
    const timer = setInterval(() => {
      this.#write().then(
        () => outage.succeeded(),
        error => outage.failed({ err: describeError(error) }),
      );
    }, STAMP_INTERVAL_MS);
    timer.unref();
    onStop('last-used times', async () => {
      clearInterval(timer);
      await this.#write();
    });
  }

  /** Updates rows in the order of their keys, so that two processes can't deadlock. */
  async #write(): Promise<void> {
    const rows = [...this.#used.values()];
    this.#used.clear();
    if (rows.length === 0) return;
    await query(
      `UPDATE api_keys key
       SET last_used_at = used.at
       FROM (
         SELECT *
         FROM unnest($1::uuid[], $2::uuid[], $3::timestamptz[]) AS used (company_id, id, at)
         ORDER BY company_id, id
       ) used
       WHERE key.company_id = used.company_id AND key.id = used.id
         AND (key.last_used_at IS NULL OR key.last_used_at < used.at)`,
      [rows.map(row => row.companyId), rows.map(row => row.keyId), rows.map(row => row.at)],
    );
  }
}
