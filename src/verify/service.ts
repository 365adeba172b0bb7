// Runs the checks read-only on one snapshot, which several connections share.
import pg from 'pg';
import { loadKeptKeys } from '../companies/kept-keys.js';
import { CHECKS, type Check } from './checks.js';
import { type Run, STORED_RUNS } from './stored/runs.js';
import type { Violation } from './violation.js';

/** Enough to keep the cores of a small database busy, and few enough not to slow down its users. */
const CONNECTIONS = 2;
/** Enough for the sorts and hashes of a million invoices; a few are in use for a minute at most. */
const WORK_MEM = '64MB';

export interface Verdict {
  readonly checked: number;
  readonly violations: number;
}

/** All invariants. */
export const RUNS: readonly Run[] = [
  ...STORED_RUNS,
  ...CHECKS.map(check => ({
    names: [check.name],
    run: (client: pg.Client) => runCheck(client, check),
  })),
].map(({ names, run }) => ({ names, run: client => reportUnreadable(client, names, run) }));

/**
 * Checks every invariant on one snapshot and reports each offender, in any order. Closes the
 * connections that `connect` opens.
 */
export async function verifyAll(
  connect: () => Promise<pg.Client>,
  report: (violation: Violation) => void,
): Promise<Verdict> {
  const clients: pg.Client[] = [];
  const begin = async (snapshot: string | null): Promise<pg.Client> => {
    const client = await connect();
    clients.push(client);
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    if (snapshot) await client.query(`SET TRANSACTION SNAPSHOT '${snapshot}'`);
    await client.query(`SET LOCAL work_mem = '${WORK_MEM}'; SET LOCAL jit = off`);
    return client;
  };
  const queue = RUNS.values();
  let violations = 0;
  // The connections share one iterator, so a free connection takes the next check.
  const work = async (client: pg.Client): Promise<void> => {
    for (const { run } of queue) {
      for await (const violation of run(client)) {
        violations += 1;
        report(violation);
      }
    }
  };
  try {
    const first = await begin(null);
    await loadKeptKeys(async sql => (await first.query<{ key: string }>(sql)).rows);
    // Other connections can use the snapshot while the transaction that exported it is open.
    const { rows } = await first.query<{ snapshot: string }>(
      'SELECT pg_export_snapshot() AS snapshot',
    );
    const others = await Promise.all(
      Array.from({ length: CONNECTIONS - 1 }, () => begin(rows[0]?.snapshot ?? null)),
    );
    await Promise.all([first, ...others].map(work));
    return { checked: RUNS.flatMap(({ names }) => names).length, violations };
  } finally {
    await Promise.all(clients.map(client => client.end()));
  }
}

async function* runCheck(client: pg.Client, { name, sql }: Check): AsyncIterable<Violation> {
  const { rows } = await client.query(sql);
  for (const offender of rows) yield { violation: name, ...offender };
}

/** The class of errors of values that Postgres cannot read, such as JSON without its end. */
const DATA_EXCEPTION = '22';

/** A value that a check cannot read is a violation. The other checks go on. */
async function* reportUnreadable(
  client: pg.Client,
  names: readonly string[],
  run: Run['run'],
): AsyncIterable<Violation> {
  await client.query('SAVEPOINT verify_check');
  try {
    yield* run(client);
  } catch (error) {
    if (!(error instanceof pg.DatabaseError) || !error.code?.startsWith(DATA_EXCEPTION))
      throw error;
    await client.query('ROLLBACK TO SAVEPOINT verify_check');
    yield { violation: names[0] ?? '', unreadable: error.code };
  }
  await client.query('RELEASE SAVEPOINT verify_check');
}
