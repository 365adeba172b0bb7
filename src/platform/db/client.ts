// The Postgres client of every pool and single connection.
import pg from 'pg';

/**
 * A client that always has a listener for `error`. Postgres may end a connection at any moment,
 * also right after opening it, before the code that asked for it can listen; the event would then
 * end the process. The statement in flight or the next one rejects, so nothing is missed.
 */
export class LossTolerantClient extends pg.Client {
  constructor(config?: pg.ClientConfig) {
    super(config);
    this.on('error', () => undefined);
  }
}

/** A pool of such clients. `onLost` is called for a connection that is lost while it is idle. */
export function openPool(
  options: Omit<pg.PoolConfig, 'Client'>,
  onLost: (error: Error) => void = () => undefined,
): pg.Pool {
  const pool = new pg.Pool({ ...options, Client: LossTolerantClient as never });
  pool.on('error', onLost);
  return pool;
}
