// `npm run verify`: recounts what must hold from the truth, read-only, on one snapshot.
import type pg from 'pg';
import { connectClient, NO_STATEMENT_LIMIT } from '../platform/db.js';
import { CHECKS, type Check } from '../verify/checks.js';
import { CommandError, print, refuseArguments, runCommand } from './command.js';

const HELP = `
npm run --silent verify

Checks every invariant in one read-only transaction: numbers without gaps, totals equal to their lines, stock equal to
its movements, each settled job with exactly its result, no row across companies, summaries equal to a recount.
Prints one JSON line a violation and a last line {"checked":N,"violations":M}; exits 1 where M > 0. Safe in production.
Uses DATABASE_URL, else the embedded database in DATA_DIR.
`;

/** For the sorts and hashes of a million invoices; a few at once, for minutes at most. */
const WORK_MEM = '64MB';
/** A verify that was stopped (Ctrl-Z) lets go of its snapshot: it keeps Postgres from cleaning up. */
const PAUSE_MS = 60_000;

await runCommand(HELP, async ({ databaseUrl }) => {
  refuseArguments('verify');
  const client = await connectClient(databaseUrl, 'tradepost-verify', {
    ...NO_STATEMENT_LIMIT,
    idleInTransactionMs: PAUSE_MS,
  });
  try {
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    await client.query(`SET LOCAL work_mem = '${WORK_MEM}'; SET LOCAL jit = off`);
    const { rows } = await client.query("SELECT to_regclass('invoices') IS NOT NULL AS present");
    if (!rows[0].present) throw new CommandError('There is no schema to verify. Run `npm run migrate`.');
    let violations = 0;
    for (const check of CHECKS) violations += await runCheck(client, check);
    await client.query('COMMIT');
    print({ checked: CHECKS.length, violations });
    return violations > 0 ? 1 : 0;
  } finally {
    await client.end();
  }
});

async function runCheck(client: pg.Client, check: Check): Promise<number> {
  const { rows } = await client.query(check.sql);
  for (const offender of rows) print({ violation: check.name, ...offender });
  return rows.length;
}
