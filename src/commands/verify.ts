// `npm run verify` checks every invariant against the source rows, read-only, on one snapshot.
import { connectClient } from '../platform/db/connection.js';
import { COMMAND_LIMITS } from '../platform/db/limits.js';
import { verifyAll } from '../verify/service.js';
import { printJson, refuseArguments, requireCurrentSchema, runCommand } from './command.js';
import { explainInterruption } from './interruption.js';

const HELP = `
npm run --silent verify

Checks every invariant, read-only, on one snapshot: invoice numbers have no gaps, totals equal
their lines, stock equals its movements, every settled job has exactly its result, no row refers to
another company, summaries equal a recount, and what is stored twice (JSON, search texts, match
keys) equals its row.
Prints one JSON line per violation and a last line {"checked":N,"violations":M}; exits 1 if M > 0.
Safe in production. Uses DATABASE_URL, else the embedded database in DATA_DIR.
`;

const refuse = () => refuseArguments('verify');

await runCommand(HELP, refuse, async ({ databaseUrl }) => {
  const connect = () => connectClient(databaseUrl, 'tradepost-verify', COMMAND_LIMITS);
  const verdict = await explainInterruption('nothing', async () => {
    await requireCurrentSchema(databaseUrl);
    return verifyAll(connect, printJson);
  });
  printJson(verdict);
  return verdict.violations > 0 ? 1 : 0;
});
