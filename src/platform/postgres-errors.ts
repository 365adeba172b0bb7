// What went wrong with Postgres, told apart: what a statement met, what may pass by itself, what may be logged.
import { BaseError, ConnectionError, type DatabaseError } from 'sequelize';

/** SQLSTATE of a failed statement, or undefined where the failure was no statement's. */
export function sqlState(error: unknown): string | undefined {
  if (!(error instanceof BaseError)) return undefined;
  const parent = (error as Partial<DatabaseError>).parent as { code?: unknown } | undefined;
  return typeof parent?.code === 'string' && SQL_STATE.test(parent.code) ? parent.code : undefined;
}
// The system's own codes (EPIPE) have no digit.
export const SQL_STATE = /^(?=.*\d)[0-9A-Z]{5}$/u;

/** The violated constraint's name, for the caller that knows what it means. */
export function violatedConstraint(error: unknown): string | undefined {
  const parent = (error as Partial<DatabaseError>)?.parent as { constraint?: string } | undefined;
  return parent?.constraint;
}

// Connection exceptions, resources, operator intervention (a restart), and what a repeat may cure:
// serialisation failure, deadlock, lock timeout.
const TRANSIENT_STATES = /^(08...|53...|57P0[1-5]|40001|40P01|55P03|25P03)$/u;
const TRANSIENT_MESSAGES =
  /Connection terminated|Client has encountered a connection error|Query read timeout|ECONN|EPIPE/u;

/** Thrown inside a transaction that met another one's result and has to run again from its start. */
export class RetryTransactionError extends Error {}

/** True where the same work may succeed a moment later: Postgres is away, or two transactions were in each other's way. */
export function isTransient(error: unknown): boolean {
  // Whatever it was that kept a connection from opening, the statement has not run.
  if (error instanceof ConnectionError || error instanceof RetryTransactionError) return true;
  const state = sqlState(error);
  if (state !== undefined) return TRANSIENT_STATES.test(state);
  return error instanceof Error && TRANSIENT_MESSAGES.test(error.message);
}

/** Why Postgres could not be used, in its or the system's words: several addresses tried are one error without any. */
export function connectionFailure(error: unknown): string | null {
  const { errors, parent, code, message } = error as {
    errors?: unknown[];
    parent?: unknown;
    code?: unknown;
    message?: string;
  };
  const cause =
    error instanceof AggregateError
      ? errors?.[0]
      : error instanceof ConnectionError
        ? parent
        : undefined;
  if (cause !== undefined)
    return connectionFailure(cause) ?? String((cause as Error).message ?? cause);
  return CONNECTION_CODES.test(String(code)) || CONNECTION_MESSAGES.test(message ?? '')
    ? (message ?? null)
    : null;
}
// The system's codes; refused credentials, an unknown database, no slot left, starting up.
const CONNECTION_CODES = /^(E[A-Z]{4,}|28...|3D000|53300|57P0[1-3])$/u;
const CONNECTION_MESSAGES = /^(timeout expired|Connection terminated)/u;

/** What may be logged of an error: never a statement's parameters. */
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
  // Of a data exception Postgres quotes the value ("invalid input syntax for type date: ...").
  const message = error.message.replaceAll(/".*"/gsu, '"…"');
  const frames = error.stack?.slice(error.stack.search(/\n\s+at /u)) ?? '';
  return { message, stack: `${error.name}: ${message}${frames}`, sqlState: state };
}
