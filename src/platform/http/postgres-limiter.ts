// Request counts in Postgres for rate-limiter-flexible. The library's own limiter compares the end
// of a window with the web process's clock, so processes whose clocks differ would end each other's
// windows. Here the statements do so with Postgres's clock. The methods are those that the library
// asks of a store.
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import { query } from '../db/connection.js';

const NOW_MS = '(EXTRACT(EPOCH FROM now()) * 1000)::bigint';

interface CountRow {
  readonly points: number;
  readonly msLeft: number;
}

export class PostgresLimiter extends RateLimiterPostgres {
  constructor(keyPrefix: string, options: { readonly points: number; readonly duration: number }) {
    // Every statement is one of those below, so the library gets no client.
    super({ ...options, storeClient: {}, storeType: 'pool', tableCreated: true, keyPrefix });
  }

  /** Adds points to the key's window, or starts a window if the last one has ended. */
  _upsert(key: string, points: number, windowMs: number): Promise<CountRow[]> {
    return query<CountRow>(
      `INSERT INTO rate_limits AS counted (key, points, expire)
       VALUES ($1, $2, ${NOW_MS} + $3)
       ON CONFLICT (key) DO UPDATE
         SET points = CASE WHEN counted.expire > ${NOW_MS} THEN counted.points ELSE 0 END
             + excluded.points,
           expire = CASE WHEN counted.expire > ${NOW_MS}
             THEN counted.expire ELSE excluded.expire END
       RETURNING points, (expire - ${NOW_MS})::float AS "msLeft"`,
      [key, points, windowMs],
    );
  }

  /** The key's open window; null if there is none. */
  async _get(key: string): Promise<CountRow[] | null> {
    const rows = await query<CountRow>(
      `SELECT points, (expire - ${NOW_MS})::float AS "msLeft"
       FROM rate_limits
       WHERE key = $1 AND expire > ${NOW_MS}`,
      [key],
    );
    return rows.length === 0 ? null : rows;
  }

  /** Deletes the windows that have ended. The library calls it every five minutes. */
  async clearExpired(): Promise<void> {
    await query(`DELETE FROM rate_limits WHERE expire < ${NOW_MS}`, []).catch(() => undefined);
  }

  _getRateLimiterRes(_key: string, changed: number, [row]: CountRow[]): RateLimiterRes {
    const { points = changed, msLeft = 0 } = row ?? {};
    return new RateLimiterRes(
      Math.max(this.points - points, 0),
      Math.max(msLeft, 0),
      points,
      points === changed,
    );
  }
}
