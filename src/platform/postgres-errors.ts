// The kinds of Postgres failures: what a statement met, what a retry may cure, what a log may show.
// The driver throws its own errors; Sequelize wraps them in errors that have them as `parent`.
import pg from 'pg';

/** No connection could be opened or lent, so no statement was sent. */
export class ConnectionError extends Error {
  constructor(cause: unknown) {
    super(connectionFailure(cause) ?? (cause as Error).message, { cause });
  }
}

/** SQLSTATE of a failed statement. Undefined if the failure is not a statement's. */
export function sqlState(error: unknown): string | undefined {
  return statementError(error)?.code;
}

/** The violated constraint's name, for the caller that knows what it means. */
export function violatedConstraint(error: unknown): string | undefined {
  return statementError(error)?.constraint;
}

function statementError(error: unknown): pg.DatabaseError | undefined {
  const source = unwrapped(error);
  return source instanceof pg.DatabaseError ? source : undefined;
}

/** The error that a model's error wraps, or the error itself. */
function unwrapped(error: unknown): unknown {
  return (error as { parent?: unknown } | undefined)?.parent ?? error;
}

// Connection exceptions, resources, operator intervention (a restart, a cancelled statement or one
// over its time limit), I/O errors, a server that refuses writes (a demoted primary, a provider's
// full disk), and what a retry may cure: serialization failure, deadlock, lock timeout.
const TRANSIENT_STATES = /^(08...|53...|57014|57P0[1-5]|58030|25006|40001|40P01|55P03|25P03)$/u;
const TRANSIENT_MESSAGES =
  /Connection terminated|Client (has encountered|was closed)|Query read timeout|ECONN|EPIPE/u;

/**
 * True if the same work may succeed a moment later: Postgres is unavailable, slow or read-only, or
 * two transactions were in conflict.
 */
export function isTransient(error: unknown): boolean {
  // Whatever kept the connection from opening, the statement has not run.
  if (isConnectionError(error)) return true;
  const state = sqlState(error);
  if (state !== undefined) return TRANSIENT_STATES.test(state);
  return error instanceof Error && TRANSIENT_MESSAGES.test(error.message);
}

/** True if a failed statement may have taken effect: its answer was lost or came too late. */
export function mayHaveTakenEffect(error: unknown): boolean {
  return isTransient(error) && !isConnectionError(error) && sqlState(error) === undefined;
}

/**
 * True if Postgres as a whole is unavailable. False for a transient failure that the work itself
 * may have caused: a lock, a conflict, or a statement or pause that took too long.
 */
export function isOutage(error: unknown): boolean {
  if (!isTransient(error)) return false;
  const state = sqlState(error);
  return state === undefined ? (error as Error).message !== READ_TIMEOUT : !OWN_STATES.test(state);
}
const OWN_STATES = /^(57014|40001|40P01|55P03|25P03)$/u;
const READ_TIMEOUT = 'Query read timeout';

/** True for the answer to every statement after the first one that fails in a transaction. */
export function isAfterFailure(error: unknown): boolean {
  return sqlState(error) === '25P02';
}

/** True if another transaction held a row or table for longer than the time limit. */
export function isLockTimeout(error: unknown): boolean {
  return sqlState(error) === LOCK_NOT_AVAILABLE;
}
const LOCK_NOT_AVAILABLE = '55P03';

/** True if Postgres ended a transaction, and its session, that was idle for too long. */
export function isPauseTimeout(error: unknown): boolean {
  return sqlState(error) === IDLE_IN_TRANSACTION;
}
const IDLE_IN_TRANSACTION = '25P03';

/** True if another transaction preceded this one, which has to run again from its start. */
export function isConflict(error: unknown): boolean {
  return sqlState(error) === SERIALIZATION_FAILURE;
}
const SERIALIZATION_FAILURE = '40001';

function isConnectionError(error: unknown): boolean {
  return unwrapped(error) instanceof ConnectionError;
}

// Postgres closes the connection after these: it was idle in a transaction, or the server stops. If
// the server refuses writes (25006), a new connection may reach the new primary.
const FATAL_STATES = /^(08...|25P03|25006|57P0.)$/u;

/** False if the connection must not be reused: it is lost, or its state is unknown. */
export function leavesConnectionUsable(error: unknown): boolean {
  const state = sqlState(error);
  return state !== undefined && !FATAL_STATES.test(state);
}

/**
 * Why Postgres cannot be used, in its own or the system's words; null for any other error. If
 * several addresses were tried, the first one's reason.
 */
export function connectionFailure(error: unknown): string | null {
  const { code, message } = error as { code?: string; message?: string };
  const cause = connectionCause(error);
  if (cause !== undefined) return connectionFailure(cause) ?? (cause as Error).message;
  return CONNECTION_CODES.test(String(code)) || CONNECTION_MESSAGES.test(message ?? '')
    ? (message ?? null)
    : null;
}
// The system's codes; refused credentials, an unknown database, no slot left, starting up.
const CONNECTION_CODES = /^(E[A-Z]{4,}|28...|3D000|53300|57P0[1-3])$/u;
const CONNECTION_MESSAGES =
  /^(timeout ex|Connection terminated|Client (has encountered|was closed))/u;

/** True if a pooler answered where the product needs a session of Postgres itself. */
export function isRefusedByPooler(error: unknown): boolean {
  return error instanceof Error && POOLER_REFUSAL.test(error.message);
}
const POOLER_REFUSAL = /^unsupported startup parameter/u;
export const NEEDS_DIRECT_URL =
  'A pooler answered in place of Postgres: ' +
  'set DATABASE_DIRECT_URL to the address of Postgres itself.';

function connectionCause(error: unknown): unknown {
  if (error instanceof AggregateError) return error.errors[0];
  const source = unwrapped(error);
  return source instanceof ConnectionError ? source.cause : undefined;
}

/** The part of an error that may be logged: never a statement's values. */
export function describeError(error: unknown): {
  message: string;
  stack?: string | undefined;
  sqlState?: string | undefined;
} {
  if (!(error instanceof Error)) return { message: String(error) };
  const state = sqlState(error);
  if (!state?.startsWith('22')) {
    return {
      message: error.message,
      stack: error.stack,
      ...(state === undefined ? {} : { sqlState: state }),
    };
  }
  // A data exception quotes the value ("invalid input syntax for type date: ...").
  const message = error.message.replaceAll(/".*"/gsu, '"…"');
  const frames = error.stack?.slice(error.stack.search(/\n\s+at /u)) ?? '';
  return { message, stack: `${error.name}: ${message}${frames}`, sqlState: state };
}
