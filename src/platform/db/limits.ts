// The time limits of connections to Postgres, and who keeps them: Postgres, or this side by itself.

/** How long what is asked of Postgres may take, in milliseconds; 0 for as long as it takes. The README has the table. */
export interface DatabaseLimits {
  /** How long a query waits for a free connection before the request is refused as unavailable. */
  readonly acquireMs: number;
  readonly connectMs: number;
  /** No statement of the product needs longer; what hits it is a defect. */
  readonly statementMs: number;
  /** Rows are locked in one order, so a long wait means another process hangs. */
  readonly lockMs: number;
  /**
   * A transaction of a stopped process lets go of its locks after this long: others wait for them no longer. A worker has
   * up to three that may wait for each other; then their times add up.
   */
  readonly idleInTransactionMs: number;
  /** An answer that never comes (a cut network, a server that hangs) counts as a lost connection. */
  readonly answerMs: number;
}

export const DATABASE_LIMITS: DatabaseLimits = {
  acquireMs: 5_000,
  connectMs: 5_000,
  statementMs: 15_000,
  lockMs: 5_000,
  idleInTransactionMs: 1_500,
  answerMs: 20_000,
};
/** For what may take long by its nature: a migration, a check of everything. */
export const NO_STATEMENT_LIMIT: Partial<DatabaseLimits> = { statementMs: 0, answerMs: 0 };
/** A peer that is gone without a word is noticed this long after the last one, and ten seconds of probes. */
export const KEEP_ALIVE_AFTER_MS = 10_000;

/** The limits as every kind of connection takes them that is a session of Postgres. */
export function sessionLimits(changes: Partial<DatabaseLimits> = {}) {
  const limits = { ...DATABASE_LIMITS, ...changes };
  return {
    ...clientLimits(limits),
    statement_timeout: limits.statementMs,
    lock_timeout: limits.lockMs,
    idle_in_transaction_session_timeout: limits.idleInTransactionMs,
  };
}

/** Those that this side keeps by itself. */
export function clientLimits(limits: DatabaseLimits) {
  return {
    connectionTimeoutMillis: limits.connectMs,
    query_timeout: limits.answerMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
  };
}
