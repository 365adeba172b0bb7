// Reads of many rows: lists, searches, counts, exports and reports. Each takes a turn of its
// company before a connection, so one company's requests use at most half of the connections for
// lists. Reports and searches, which take much longer, have few turns in all before that. Requests
// that read or write single rows use other connections.
import { SharedTurns } from '../async/shared-turns.js';
import { NoTurn, Turns } from '../async/turns.js';
import { unavailable } from '../errors.js';
import { sqlState } from '../postgres-errors.js';
import { type Database, database, inPipeline, query, withClient } from './connection.js';
import {
  LIST_LIMITS,
  listTurnLimits,
  longReadLimits,
  REPORT_LIMITS,
  REPORT_SETTINGS,
} from './limits.js';

/**
 * The rows that lists and searches count at most. Counting so many index entries takes a few
 * milliseconds. A narrow search counts all that it finds.
 */
export const COUNT_LIMIT = 10_000;

const TOO_LONG =
  'Reading this list took too long. Narrow it, to fewer days, one customer or one status, or try ' +
  'again in a moment.';
const TOO_MANY_OWN = 'Your company is reading too many lists at once. Try again in a moment.';
const TOO_MANY = 'Too many lists are being read. Try again in a moment.';

/** Kinds of reads that take much longer than a list. */
type LongRead = 'report' | 'search';

/** A long read has a turn of its kind, and each of its statements one for lists. */
type ReadTurns = { readonly list: Turns } & Readonly<Record<LongRead, SharedTurns>>;

const turns = new WeakMap<Database, ReadTurns>();

function turnsOf(opened: Database): ReadTurns {
  const { listConnections } = opened;
  const found = turns.get(opened) ?? {
    list: new Turns(listTurnLimits(listConnections)),
    report: new SharedTurns(longReadLimits(listConnections)),
    search: new SharedTurns(longReadLimits(listConnections)),
  };
  turns.set(opened, found);
  return found;
}

const NO_TURN = {
  report: {
    own: 'Your company is reading too many reports at once. Try again in a moment.',
    all: 'Too many reports are being read. Try again in a moment.',
  },
  search: {
    own: 'Your company is searching too often at once. Try again in a moment.',
    all: 'Too many searches are running. Try again in a moment.',
  },
} as const;

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
    return await turnsOf(database()).list.run(companyId, work);
  } catch (error) {
    if (error instanceof NoTurn) throw unavailable(error.isOwn ? TOO_MANY_OWN : TOO_MANY);
    throw error;
  }
}

/**
 * Runs `work`, which reads with `readReport`, in a turn of the company for reports. Callers share a
 * result that has not been read yet: `what` is all that it depends on beside the company. Throws
 * Problem `service_unavailable` without a turn.
 */
export function inReportTurn<Result>(
  companyId: string,
  what: readonly unknown[],
  work: () => Promise<Result>,
): Promise<Result> {
  return inLongReadTurn('report', companyId, what, work);
}

/** Like `inReportTurn`, for a search that reads all texts of the company with `readRows`. */
export function inSearchTurn<Result>(
  companyId: string,
  what: readonly unknown[],
  work: () => Promise<Result>,
): Promise<Result> {
  return inLongReadTurn('search', companyId, what, work);
}

async function inLongReadTurn<Result>(
  kind: LongRead,
  companyId: string,
  what: readonly unknown[],
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await turnsOf(database())[kind].run(companyId, JSON.stringify(what), work);
  } catch (error) {
    if (error instanceof NoTurn) throw unavailable(NO_TURN[kind][error.isOwn ? 'own' : 'all']);
    throw error;
  }
}

/**
 * The rows of a statement that adds up many rows, for a caller that has a turn for reports. Throws
 * Problem `service_unavailable` without a connection for lists, or if the statement takes longer
 * than REPORT_LIMITS.
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
