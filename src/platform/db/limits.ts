// The settings of sessions in Postgres, and the time limits of connections to it. Some limits are
// enforced by Postgres, some by this process.
import type { TurnLimits } from '../async/turns.js';

/** Settings in Postgres by name. The values need no quotes. */
export type Settings = Readonly<Record<string, string>>;

/**
 * Every session of the product has them. Compiling a statement takes longer than it saves, and
 * before PostgreSQL 18 a plan that reads a whole table in spite of LOOKUP_PLANS has a cost at which
 * the server compiles it each time: one row took 127 ms instead of 0.4.
 */
export const SESSION_SETTINGS: Settings = { jit: 'off' };

/** Time limits in milliseconds; 0 for no limit. */
export interface DatabaseLimits {
  /** The wait for a connection: a free one of the pool, or a new one. */
  readonly connectMs: number;
  /** No statement of the product takes longer. One that does is a defect. */
  readonly statementMs: number;
  /** Rows are locked in one order, so a long wait means that another process hangs. */
  readonly lockMs: number;
  /**
   * A stopped process's transaction releases its locks after this time. A worker has several
   * transactions that may wait for each other; their times add up.
   */
  readonly idleInTransactionMs: number;
  /** After this time without an answer (cut network, hung server), a connection counts as lost. */
  readonly answerMs: number;
}

export const DATABASE_LIMITS: DatabaseLimits = {
  connectMs: 5_000,
  statementMs: 15_000,
  lockMs: 5_000,
  idleInTransactionMs: 1_500,
  answerMs: 20_000,
};
/**
 * The limits of operators' commands, and of the work of a start: a statement may take long, and on
 * a busy host a process may pause between two of them. A command that is suspended (Ctrl-Z) still
 * loses its locks and its snapshot, which would keep Postgres from vacuuming.
 */
export const COMMAND_LIMITS: Partial<DatabaseLimits> = {
  statementMs: 0,
  answerMs: 0,
  idleInTransactionMs: 60_000,
};
/** TCP probes start after this silence and find a vanished peer within ten more seconds. */
export const KEEP_ALIVE_AFTER_MS = 10_000;

/** Limits of one transaction that are shorter than its session's. */
export type TransactionLimits = Partial<Pick<DatabaseLimits, 'statementMs' | 'lockMs'>>;

/** A statement of a list reads a bounded number of rows, in a few milliseconds. */
export const LIST_LIMITS: TransactionLimits = { statementMs: 2_000 };

/** A statement of a report may add up a company's whole history. */
export const REPORT_LIMITS: TransactionLimits = { statementMs: 12_000 };
/** Sorts and groups stay in memory. */
export const REPORT_SETTINGS: Settings = { work_mem: '32MB' };

/** One company's lists use at most half of the connections for lists at a time. */
export function listTurnLimits(connections: number): TurnLimits {
  return {
    running: connections,
    perKey: Math.ceil(connections / 2),
    waitingPerKey: 200,
    waiting: 2_000,
    waitMs: DATABASE_LIMITS.connectMs,
  };
}

/**
 * The limits of long reads, which are reports or searches: few at a time, and one of each company,
 * so that they never fill the connections for lists.
 */
export function longReadLimits(connections: number): TurnLimits {
  return {
    running: Math.max(1, Math.min(LONG_READS_MAX, connections - 1)),
    waitingPerKey: 200,
    waiting: 2_000,
    waitMs: LONG_READ_WAIT_MS,
  };
}
const LONG_READS_MAX = 2;
/** Longer than for a list, since each read before it takes up to a second. */
const LONG_READ_WAIT_MS = 10_000;

/** All limits, as options of a client (client.ts) whose session has them. */
export function sessionLimits(changes: Partial<DatabaseLimits> = {}, others: Settings = {}) {
  const limits = { ...DATABASE_LIMITS, ...changes };
  return { ...clientLimits(limits), settings: { ...limitSettings(limits), ...others } };
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

/** The limits that Postgres enforces, by setting. */
export function limitSettings(limits: Partial<DatabaseLimits>): Record<string, string> {
  const settings = {
    statement_timeout: limits.statementMs,
    lock_timeout: limits.lockMs,
    idle_in_transaction_session_timeout: limits.idleInTransactionMs,
  };
  const given = Object.entries(settings).filter(([, ms]) => ms !== undefined);
  return Object.fromEntries(given.map(([name, ms]) => [name, String(ms)]));
}

/** BEGIN with the transaction's own settings, in one message. */
export function beginWith(settings: Settings): string {
  const sets = Object.entries(settings).map(([name, value]) => `; SET LOCAL ${name} = ${value}`);
  return `BEGIN ISOLATION LEVEL READ COMMITTED${sets.join('')}`;
}

/**
 * Planner settings of a process whose statements all look up rows by an index. A plan is made once
 * per connection, maybe while a table is empty; with these it does not depend on statistics.
 */
export const LOOKUP_PLANS: Settings = {
  enable_seqscan: 'off',
  enable_nestloop: 'on',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
  plan_cache_mode: 'force_generic_plan',
};

/** Settings as a connection's start-up parameter. */
export function startOptions(settings: Settings): string {
  return Object.entries(settings)
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' ');
}

/** Changes settings for the rest of a transaction. $1: names; $2: values. */
export const SET_LOCALLY = `
  SELECT set_config(name, value, true)
  FROM unnest($1::text[], $2::text[]) AS setting (name, value)`;
