// The operator commands in the process of the tests: starting a process for each would take longer
// than the commands. test/commands checks them as processes.
import { expect } from 'chai';
import type { AdminContext } from '../../src/commands/admin-command.js';
import { runAdminCommand } from '../../src/commands/admin-commands.js';
import { closeDatabase, connectClient, openDatabase } from '../../src/platform/db/connection.js';
import { COMMAND_LIMITS } from '../../src/platform/db/limits.js';
import { type Verdict, verifyAll } from '../../src/verify/service.js';
import type { Violation } from '../../src/verify/violation.js';
import type { Json } from './client.js';
import type { Stores } from './suite.js';

type Target = Pick<Stores, 'databaseUrl'>;

/** The context of a command without input and without an interruption. */
export const ADMIN_CONTEXT: AdminContext = {
  readPassword: async () => '',
  baseUrl: 'http://127.0.0.1',
  print: () => undefined,
  signal: new AbortController().signal,
};

/** Runs `npm run admin -- …`. Returns the JSON that it prints; rejects with what it refuses. */
export async function runAdmin({ databaseUrl }: Target, ...args: string[]): Promise<Json> {
  openDatabase({ url: databaseUrl, poolMax: 1, name: 'admin' });
  try {
    return JSON.parse(JSON.stringify(await runAdminCommand(args, ADMIN_CONTEXT)));
  } finally {
    await closeDatabase();
  }
}

/** Runs `npm run verify`. */
export async function runVerify({
  databaseUrl,
}: Target): Promise<Verdict & { found: readonly Violation[] }> {
  const found: Violation[] = [];
  const connect = () => connectClient(databaseUrl, 'verify', COMMAND_LIMITS);
  const verdict = await verifyAll(connect, violation => found.push(violation));
  return { ...verdict, found };
}

/** Expects every invariant to hold. */
export async function expectVerified(target: Target): Promise<void> {
  const { checked, found } = await runVerify(target);
  expect(found).to.deep.equal([]);
  expect(checked).to.be.above(0);
}
