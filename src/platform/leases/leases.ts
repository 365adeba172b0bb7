// Leases of rows whose work waits for a network. A worker claims a due row for a time, does the
// work without a transaction, and stores the outcome only if it still holds the lease. A worker
// that is killed or hangs loses its lease, and another one does the work again: at least once.
//
// States of a row: idle (due_at IS NULL), waiting (due_at in the future), due, and leased
// (leased_until in the future). All times are the database's, so the clocks of workers do not
// matter.
import { plainArray } from '../db/arrays.js';
import { query, queryOne, type Transaction } from '../db/connection.js';

/**
 * A table with the columns company_id, id, due_at, timed_at, lease_token and leased_until, and an
 * index of due_at. A statement that sets due_at also sets timed_at, to clock_timestamp().
 */
export interface LeasedTable {
  readonly table: string;
  /** The time in which a worker has to renew its lease. */
  readonly leaseMs: number;
  /** Further times of its rows, and of other tables, that follow a clock that is set back. */
  readonly times?: readonly TimedColumns[];
}

/** A table with the column timed_at, and columns with times in its future. */
export interface TimedColumns {
  readonly table: string;
  readonly columns: readonly string[];
  /** SQL: rows whose times have not passed. */
  readonly where: string;
}

export interface Lease {
  readonly companyId: string;
  readonly id: string;
  readonly token: string;
}

/** Another worker has the lease, so nothing of this one's outcome may be stored. */
export class LeaseLost extends Error {}

const IS_HELD = 'company_id = $1 AND id = $2 AND lease_token = $3';

const heldBy = ({ companyId, id, token }: Lease): unknown[] => [companyId, id, token];

/** SQL: this bound number of milliseconds from now. */
const inMs = (milliseconds: string) =>
  `clock_timestamp() + ${milliseconds}::float8 * interval '1 millisecond'`;

/**
 * The row that has been due for the longest time, of a company that is not excluded, and that meets
 * the condition (SQL). An index finds what is due by statement_timestamp(), which does not change
 * during the statement.
 */
export async function claimDue(
  { table, leaseMs }: LeasedTable,
  excludedCompanies: readonly string[] = [],
  condition = 'true',
): Promise<Lease | null> {
  return queryOne<Lease>(
    `WITH due AS MATERIALIZED (
       SELECT company_id, id
       FROM ${table}
       WHERE due_at <= statement_timestamp()
         AND (leased_until IS NULL OR leased_until <= statement_timestamp())
         AND company_id <> ALL ($2::uuid[])
         AND ${condition}
       ORDER BY due_at
       LIMIT 1
       FOR NO KEY UPDATE SKIP LOCKED
     )
     UPDATE ${table} leased
     SET lease_token = gen_random_uuid(),
       leased_until = ${inMs('$1')},
       timed_at = clock_timestamp()
     FROM due
     WHERE leased.company_id = due.company_id AND leased.id = due.id
     RETURNING leased.company_id AS "companyId", leased.id, leased.lease_token AS token`,
    [leaseMs, plainArray(excludedCompanies)],
  );
}

/**
 * Renews a lease, and locks the row until the end of the transaction if there is one. A lease that
 * ran out is renewed too, unless another worker has claimed the row. Throws LeaseLost.
 */
export async function renewLease(
  { table, leaseMs }: LeasedTable,
  lease: Lease,
  tx?: Transaction,
): Promise<void> {
  const rows = await query(
    `UPDATE ${table}
     SET leased_until = ${inMs('$4')}, timed_at = clock_timestamp()
     WHERE ${IS_HELD}
     RETURNING id`,
    [...heldBy(lease), leaseMs],
    tx,
  );
  if (rows.length === 0) throw new LeaseLost();
}

/** Columns of the row that change with the end of its lease. `set` has values from $5 on. */
export interface LeaseOutcome {
  readonly set: string;
  readonly bind: readonly unknown[];
}

/**
 * Ends a lease in the transaction that stores its outcome, before other tables are written. The
 * row is due again in `dueInMs`, or never (null). Throws LeaseLost.
 */
export async function endLease(
  { table }: Pick<LeasedTable, 'table'>,
  lease: Lease,
  dueInMs: number | null,
  tx: Transaction,
  outcome: LeaseOutcome = { set: '', bind: [] },
): Promise<void> {
  const rows = await query(
    `UPDATE ${table}
     SET lease_token = NULL,
       leased_until = NULL,
       due_at = ${inMs('$4')},
       timed_at = clock_timestamp()
       ${outcome.set && `, ${outcome.set}`}
     WHERE ${IS_HELD}
     RETURNING id`,
    [...heldBy(lease), dueInMs, ...outcome.bind],
    tx,
  );
  if (rows.length === 0) throw new LeaseLost();
}

/**
 * Moves the times of rows by the step of a database clock that was set back, or of a replica that
 * took over with an earlier one. Without it, retries would wait for that much longer, and so would
 * the rows of a worker that was killed.
 */
export async function followClock({
  table,
  times = [],
}: Pick<LeasedTable, 'table' | 'times'>): Promise<void> {
  const own = { table, columns: ['due_at', 'leased_until'], where: 'due_at IS NOT NULL' };
  const further = times.filter(timed => timed.table === table).flatMap(({ columns }) => columns);
  const others = times.filter(timed => timed.table !== table);
  for (const { table: each, columns, where } of [
    { ...own, columns: [...own.columns, ...further] },
    ...others,
  ])
    await query(
      `UPDATE ${each}
       SET ${columns.map(moved).join(', ')},
         timed_at = clock_timestamp()
       WHERE ${where} AND timed_at > clock_timestamp() + interval '1 second'`,
      [],
    );
}

const moved = (column: string) => `${column} = ${column} - (timed_at - clock_timestamp())`;

/**
 * The pause after a number of attempts, from a list of pauses; null if that was the last attempt.
 * There is one attempt more than pauses.
 */
export function nextPause<Pause>(attempts: number, pauses: readonly Pause[]): Pause | null {
  return pauses[attempts - 1] ?? null;
}
