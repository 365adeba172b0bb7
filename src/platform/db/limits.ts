// The time limits of connections to Postgres. Some are enforced by Postgres, some by this process.

/** In milliseconds; 0 for no limit. */
export interface DatabaseLimits {
  /** How long to wait for a connection: a free one of the pool, or a new one. */
  readonly connectMs: number;
  /** No statement of the product takes longer. One that does is a defect. */
  readonly statementMs: number;
  /** Rows are locked in one order, so a long wait means that another process hangs. */
  readonly lockMs: number;
  /**
   * A stopped process's transaction releases its locks after this time. A worker has up to three
   * transactions that may wait for each other; their times add up.
   */
  readonly idleInTransactionMs: number;
  /** Without an answer for so long (cut network, hung server), the connection counts as lost. */
  readonly answerMs: number;
}

export const DATABASE_LIMITS: DatabaseLimits = {
  connectMs: 5_000,
  statementMs: 15_000,
  lockMs: 5_000,
  idleInTransactionMs: 1_500,
  answerMs: 20_000,
};
/** For work that may take long: a migration, a check of everything. */
export const NO_STATEMENT_LIMIT: Partial<DatabaseLimits> = { statementMs: 0, answerMs: 0 };
/** TCP probes start after this silence and find a vanished peer within ten more seconds. */
export const KEEP_ALIVE_AFTER_MS = 10_000;

/** All limits, as the driver's options for a session of its own. */
export function sessionLimits(changes: Partial<DatabaseLimits> = {}) {
  const limits = { ...DATABASE_LIMITS, ...changes };
  return {
    ...clientLimits(limits),
    statement_timeout: limits.statementMs,
    lock_timeout: limits.lockMs,
    idle_in_transaction_session_timeout: limits.idleInTransactionMs,
  };
}

/** The limits that this process enforces itself. */
export function clientLimits(limits: DatabaseLimits) {
  return {
    connectionTimeoutMillis: limits.connectMs,
    query_timeout: limits.answerMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
  };
}

/** Sets the limits that a session has, for one transaction. */
export const SET_LIMITS = `
  SELECT set_config('statement_timeout', $1, true),
    set_config('lock_timeout', $2, true),
    set_config('idle_in_transaction_session_timeout', $3, true)`;

export function limitValues({ statementMs, lockMs, idleInTransactionMs }: DatabaseLimits) {
  return [statementMs, lockMs, idleInTransactionMs].map(String);
}
