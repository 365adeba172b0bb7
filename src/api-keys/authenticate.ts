// Who is asking: the key of a request, looked up at most about once a second a process, and what it may do.
import { timingSafeEqual } from 'node:crypto';
import type { Context, Middleware, Next } from 'koa';
import { LRUCache } from 'lru-cache';
import { query, queryOne } from '../platform/db/connection.js';
import { Problem, type ProblemCode } from '../platform/errors.js';
import { clientNetwork } from '../platform/http/address.js';
import type { Counter } from '../platform/http/rate-limit.js';
import type { OnStop } from '../platform/process/lifecycle.js';
import type { Log } from '../platform/process/log.js';
import { hashKey, keyId } from './key.js';
import type { Scope } from './model.js';

/** How long an answer about a key is believed: a revocation must hold everywhere within a second. */
const CACHE_MS = 800;
const CACHE_SIZE = 20_000;
/** Refused keys a minute from one address. */
export const MAX_REFUSALS = 30;
export const REFUSAL_WINDOW_SECONDS = 60;
/** Last-used times are written together, this often. */
const STAMP_INTERVAL_MS = 10_000;

/** What a request may see and how its company is set up. `ctx.state.auth` under the API's base path. */
export interface Auth {
  readonly companyId: string;
  readonly keyId: string;
  readonly scopes: readonly Scope[];
  readonly currency: string;
  readonly timeZone: string;
  readonly allowNegativeStock: boolean;
  /** Requests an hour; null for the environment's default. */
  readonly rateLimitPerHour: number | null;
}

type AuthResult = Auth | 'invalid_api_key' | 'expired_api_key' | 'revoked_api_key';

/** Authenticates requests by API key into ctx.state.auth. `refusals` counts refused keys per address. */
export function createAuthenticate(
  refusals: Pick<Counter, 'add'>,
  log: Log,
  onStop: OnStop,
): Middleware {
  const findings = new LRUCache<string, AuthResult & {}, string>({
    max: CACHE_SIZE,
    ttl: CACHE_MS,
    fetchMethod: (_hash, _stale, { context: key }) => findAuth(key),
  });
  // A look-up that the cache gave up for want of room says nothing of its key.
  const lookUp = async (key: string): Promise<AuthResult> =>
    (await findings.fetch(hashKey(key).toString('base64'), { context: key })) ?? findAuth(key);
  const stamp = createStamper(log, onStop);
  return async (ctx, next) => {
    const key = presentedKey(ctx.req.rawHeaders);
    if (key === null) {
      const detail =
        ctx.get('Authorization') === ''
          ? 'Send an API key as x-api-key or as Authorization: Bearer.'
          : "The Authorization header must be 'Bearer <key>'.";
      throw new Problem('missing_api_key', detail, {
        headers: { 'WWW-Authenticate': 'Bearer realm="api"' },
      });
    }
    const finding = keyId(key) === null ? 'invalid_api_key' : await lookUp(key);
    if (typeof finding === 'string') return refuse(ctx, finding, refusals);
    ctx.state.auth = finding;
    stamp(finding);
    await next();
  };
}

/** Refuses a key without the scope. Throws Problem `insufficient_scope`. */
export function requireScope(scope: Scope): (ctx: Context, next: Next) => Promise<void> {
  return async (ctx, next) => {
    checkScope(ctx.state.auth as Auth, scope);
    await next();
  };
}

export function checkScope(auth: Auth, scope: Scope): void {
  if (auth.scopes.includes(scope)) return;
  throw new Problem('insufficient_scope', `This key lacks the scope ${scope}.`, {
    members: { requiredScope: scope },
  });
}

/**
 * The key in x-api-key or Authorization: Bearer, null where there is none. From the raw headers: Node joins a doubled
 * x-api-key and drops a second Authorization. Throws Problem `ambiguous_credentials` where two differ.
 */
export function presentedKey(rawHeaders: readonly string[]): string | null {
  const own = new Set<string>();
  const authorization = new Set<string>();
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]?.toLowerCase();
    const value = rawHeaders[at + 1]?.trim() ?? '';
    if (name === 'x-api-key') own.add(value);
    if (name === 'authorization') authorization.add(value.replace(/^bearer +/iu, 'Bearer '));
  }
  const bearers = [...authorization].flatMap(value => /^Bearer (\S.*)$/u.exec(value)?.[1] ?? []);
  const keys = new Set([...own, ...bearers].filter(key => key !== ''));
  if (own.size > 1 || authorization.size > 1 || keys.size > 1)
    throw new Problem(
      'ambiguous_credentials',
      'The request carries two different credentials; send one.',
    );
  return [...keys][0] ?? null;
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
      {
        headers: { 'Retry-After': String(Math.ceil(resetMs / 1000)) },
      },
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
 * A wrong secret for a real id costs what an unknown id does, so that no time tells them apart: the same statement, which
 * finds no row (the hash stands in its WHERE), and the same comparison.
 */
async function findAuth(key: string): Promise<AuthResult> {
  const hash = hashKey(key);
  const row = await queryOne<KeyRow>(
    `SELECT s.hash, k.company_id AS "companyId", k.id AS "keyId", k.scopes, trim(c.currency) AS currency,
       c.time_zone AS "timeZone", c.allow_negative_stock AS "allowNegativeStock", c.rate_limit_per_hour AS "rateLimitPerHour",
       k.revoked_at IS NOT NULL AS revoked, COALESCE(LEAST(k.expires_at, s.valid_until) <= now(), false) AS expired
     FROM api_key_secrets s
     JOIN api_keys k ON k.company_id = s.company_id AND k.id = s.api_key_id
     JOIN companies c ON c.id = k.company_id
     WHERE s.id = $1 AND s.hash = $2`,
    [keyId(key), hash],
  );
  const isSame = timingSafeEqual(row?.hash ?? NO_HASH, hash);
  if (!row || !isSame) return 'invalid_api_key';
  const { hash: _hash, revoked, expired, ...auth } = row;
  if (revoked) return 'revoked_api_key';
  return expired ? 'expired_api_key' : auth;
}

/** Remembers which keys were used and writes the times together, so that no request pays for it. */
function createStamper(log: Log, onStop: OnStop): (auth: Auth) => void {
  const used = new Map<string, { companyId: string; keyId: string; at: Date }>();
  const write = async (): Promise<void> => {
    const rows = [...used.values()];
    used.clear();
    if (rows.length === 0) return;
    await query(
      `UPDATE api_keys k SET last_used_at = u.at
       FROM (SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::timestamptz[]) AS u (company_id, id, at) ORDER BY 1, 2) u
       WHERE k.company_id = u.company_id AND k.id = u.id AND (k.last_used_at IS NULL OR k.last_used_at < u.at)`,
      [rows.map(row => row.companyId), rows.map(row => row.keyId), rows.map(row => row.at)],
    );
  };
  const timer = setInterval(() => {
    write().catch(error =>
      log.warn({ err: { message: (error as Error).message } }, 'last-used times were not written'),
    );
  }, STAMP_INTERVAL_MS);
  timer.unref();
  onStop('last-used stamps', async () => {
    clearInterval(timer);
    await write();
  });
  return ({ companyId, keyId: id }) => used.set(id, { companyId, keyId: id, at: new Date() });
}
