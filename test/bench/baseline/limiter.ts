// The baseline's rate limit: one round trip per request, a script in Redis or an upsert in
// Postgres.
import { Redis } from 'ioredis';
import type pg from 'pg';

const WINDOW_MS = 3_600_000;

export interface Count {
  readonly used: number;
  readonly resetMs: number;
}

const SCRIPT = `local used = redis.call('INCR', KEYS[1])
if used == 1 then redis.call('PEXPIRE', KEYS[1], ARGV[1]) end
return {used, redis.call('PTTL', KEYS[1])}`;

const UPSERT = `INSERT INTO rate_limits AS counter (company_id, used, expires_at)
  VALUES ($1, 1, $2)
  ON CONFLICT (company_id) DO UPDATE SET
    used = CASE WHEN counter.expires_at <= $3 THEN 1 ELSE counter.used + 1 END,
    expires_at = CASE WHEN counter.expires_at <= $3 THEN $2 ELSE counter.expires_at END
  RETURNING used, expires_at AS "expiresAt"`;

export function createLimiter(
  pool: pg.Pool,
  redisUrl: string | undefined,
): (companyId: string) => Promise<Count> {
  if (redisUrl === undefined) {
    return async companyId => {
      const now = Date.now();
      const values = [companyId, now + WINDOW_MS, now];
      const { rows } = await pool.query({ name: 'count', text: UPSERT, values });
      return { used: rows[0].used, resetMs: Number(rows[0].expiresAt) - now };
    };
  }
  const redis = new Redis(redisUrl, { enableAutoPipelining: true });
  redis.defineCommand('countRequest', { numberOfKeys: 1, lua: SCRIPT });
  const run = (
    redis as unknown as { countRequest(key: string, ms: number): Promise<[number, number]> }
  ).countRequest;
  return async companyId => {
    const [used, resetMs] = await run.call(redis, `baseline:${companyId}`, WINDOW_MS);
    return { used, resetMs };
  };
}
