// Runs the checks read-only on one snapshot, which several connections share.
import type pg from 'pg';
import { CHECKS, type Check } from './checks.js';

/** Enough to keep the cores of a small database busy, and few enough not to slow down its users. */
const CONNECTIONS = 2;
/** Enough for the sorts and hashes of a million invoices; a few are in use for a minute at most. */
const WORK_MEM = '64MB';

export interface Violation extends Record<string, unknown> {
  /** The invariant that does not hold. */
  readonly violation: string;
}

export interface Verdict {
  readonly checked: number;
  readonly violations: number;
}

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
  const queue = CHECKS.values();
  let violations = 0;
  // The connections share one iterator: a free one takes the next check.
  const work = async (client: pg.Client): Promise<void> => {
    for (const check of queue) {
      for (const violation of await runCheck(client, check)) {
        violations += 1;
        report(violation);
      }
    }
  };
  try {
    // Other connections can use the snapshot while the transaction that exported it is open.
    const first = await begin(null);
    const { rows } = await first.query<{ snapshot: string }>(
      'SELECT pg_export_snapshot() AS snapshot',
    );
    const others = await Promise.all(
      Array.from({ length: CONNECTIONS - 1 }, () => begin(rows[0]?.snapshot ?? null)),
    );
    await Promise.all([first, ...others].map(work));
    return { checked: CHECKS.flatMap(({ names }) => names).length, violations };
  } finally {
    await Promise.all(clients.map(client => client.end()));
  }
}

async function runCheck(client: pg.Client, { names, sql }: Check): Promise<Violation[]> {
  const { rows } = await client.query(sql);
  return rows.map(offender => ({ violation: names[0], ...offender }));
}
