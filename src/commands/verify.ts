// `npm run verify`: recounts what must hold from the truth, read-only, on one snapshot.
import type pg from 'pg';
import { connectClient } from '../platform/db/connection.js';
import { NO_STATEMENT_LIMIT } from '../platform/db/limits.js';
import { verifyAll } from '../verify/service.js';
import { CommandError, printJson, refuseArguments, runCommand } from './command.js';

const HELP = `
npm run --silent verify

Checks every invariant read-only, on one snapshot that two connections share: numbers without gaps, totals equal to
their lines, stock equal to its movements, each settled job with exactly its result, no row across companies, summaries
equal to a recount.
Prints one JSON line a violation and a last line {"checked":N,"violations":M}; exits 1 where M > 0. Safe in production.
Uses DATABASE_URL, else the embedded database in DATA_DIR.
`;

/** A verify that was stopped (Ctrl-Z) lets go of its snapshot: it keeps Postgres from cleaning up. */
const PAUSE_MS = 60_000;

await runCommand(HELP, async ({ databaseUrl }) => {
  refuseArguments('verify');
  const connect = () =>
    connectClient(databaseUrl, 'tradepost-verify', {
      ...NO_STATEMENT_LIMIT,
      idleInTransactionMs: PAUSE_MS,
    });
  await requireSchema(connect);
  const verdict = await verifyAll(connect, printJson);
  printJson(verdict);
  return verdict.violations > 0 ? 1 : 0;
});

async function requireSchema(connect: () => Promise<pg.Client>): Promise<void> {
  const client = await connect();
  const { rows } = await client
    .query("SELECT to_regclass('invoices') IS NOT NULL AS present")
    .finally(() => client.end());
  if (!rows[0].present)
    throw new CommandError('There is no schema to verify. Run `npm run migrate`.');
}
