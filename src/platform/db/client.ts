// The Postgres client of every pool and single connection.
import pg from 'pg';
import { clientLimits, type DatabaseLimits, startOptions } from './limits.js';

const IDLE_TIMEOUT_MS = 30_000;

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

/** A pool whose sessions start with the settings, for the statements of this process. */
export function openSqlPool(
  options: Pick<pg.PoolConfig, 'connectionString' | 'application_name' | 'max'>,
  limits: DatabaseLimits,
  settings: Readonly<Record<string, string>>,
): pg.Pool {
  const types = new pg.TypeOverrides();
  // A date as text: the driver would make it an instant in this process's time zone.
  types.setTypeParser(pg.types.builtins.DATE, text => text);
  return openPool({
    ...options,
    idleTimeoutMillis: IDLE_TIMEOUT_MS,
    pipeline: true,
    types,
    // No statement depends on the server's own time zone. A pooler keeps track of this setting.
    onConnect: client => client.query(`SET TIME ZONE 'UTC'`),
    ...(Object.keys(settings).length === 0 ? {} : { options: startOptions(settings) }),
    ...clientLimits(limits),
  });
}
