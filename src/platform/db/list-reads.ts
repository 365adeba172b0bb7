// Reads of many rows: lists, searches, counts and exports. Each takes a turn of its company before
// a connection, so one company's requests use at most half of the connections for lists. Requests
// that read or write single rows use other connections.
import { NoTurn } from '../async/turns.js';
import { unavailable } from '../errors.js';
import { sqlState } from '../postgres-errors.js';
import { database, inPipeline, query, withClient } from './connection.js';
import { LIST_LIMITS, REPORT_LIMITS, REPORT_SETTINGS } from './limits.js';

const TOO_LONG =
  'Reading this list took too long. Narrow it, to fewer days, one customer or one status, or try ' +
  'again in a moment.';
const TOO_MANY_OWN = 'Your company is reading too many lists at once. Try again in a moment.';
const TOO_MANY = 'Too many lists are being read. Try again in a moment.';

/**
 * The rows of a statement, in a turn of the company. Throws Problem `service_unavailable` without a
 * turn or if the statement takes longer than LIST_LIMITS.
 */
export function readRows<Row extends object>(
  companyId: string,
  sql: string,
  bind: unknown[],
): Promise<Row[]> {
  return inListTurn(companyId, () => runListStatement<Row>(sql, bind));
}

/** Runs `work`, which uses one connection at a time, in a turn of the company. */
export async function inListTurn<Result>(
  companyId: string,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await database().listTurns.run(companyId, work);
  } catch (error) {
    if (error instanceof NoTurn) throw unavailable(error.isOwn ? TOO_MANY_OWN : TOO_MANY);
    throw error;
  }
}

/**
 * The rows of a statement that adds up many rows, in a turn of the company. Throws Problem
 * `service_unavailable` without a turn or if the statement takes longer than REPORT_LIMITS.
 */
export function readReport<Row extends object>(
  companyId: string,
  sql: string,
  bind: unknown[],
): Promise<Row[]> {
  return inListTurn(companyId, async () => {
    try {
      return await inPipeline(
        async tx => {
          const [, rows] = await Promise.all([tx.set(REPORT_SETTINGS), tx.query<Row>(sql, bind)]);
          return rows;
        },
        async rows => rows,
        REPORT_LIMITS,
        database().listPool,
      );
    } catch (error) {
      if (sqlState(error) === QUERY_CANCELED) throw unavailable(TOO_LONG);
      throw error;
    }
  });
}

/** Runs a statement for a caller that has a turn. */
export async function runListStatement<Row extends object>(
  sql: string,
  bind: unknown[],
): Promise<Row[]> {
  const { options, pool, listPool } = database();
  try {
    if (options.pooled)
      return await inPipeline(
        tx => query<Row>(sql, bind, tx),
        async rows => rows,
        LIST_LIMITS,
      );
    return await withClient(client => client.query<Row>(sql, bind), listPool);
  } catch (error) {
    const isLimited = options.pooled || listPool !== pool;
    if (isLimited && sqlState(error) === QUERY_CANCELED) throw unavailable(TOO_LONG);
    throw error;
  }
}
const QUERY_CANCELED = '57014';
