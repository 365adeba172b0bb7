// The parts that all operator commands share: the database (the configured one, else the embedded
// one), --help, one JSON value on stdout, and for errors one sentence on stderr and exit 1.
import { type Config, configOrExit } from '../../config/index.js';
import { loadKeptKeys } from '../companies/kept-keys.js';
import { holdEmbeddedPostgres } from '../embedded-postgres/hold.js';
import { closeDatabase, openDatabase } from '../platform/db/connection.js';
import { COMMAND_LIMITS } from '../platform/db/limits.js';
import { schemaIsCurrent } from '../platform/db/migrate.js';
import {
  connectionFailure,
  isRefusedByPooler,
  NEEDS_DIRECT_URL,
} from '../platform/postgres-errors.js';
import { redirectConsole } from '../platform/process/console.js';
import { CommandError } from './interruption.js';

export interface CommandContext {
  readonly config: Config;
  /** Postgres itself, not a pooler. */
  readonly databaseUrl: string;
}

/**
 * Runs a command on its database and sets the exit code that it returns. Prints the help for
 * --help, and an error as one sentence. `checkArguments` throws for bad arguments, before a
 * database is started or asked. `say` reports the start of an embedded database; commands whose
 * stdout is JSON leave it out.
 */
export async function runCommand(
  help: string,
  checkArguments: () => void,
  command: (context: CommandContext) => Promise<number>,
  say: (message: string) => void = () => undefined,
): Promise<void> {
  if (process.argv.includes('--help') || process.argv.includes('-h')) {
    process.stdout.write(`${help.trim()}\n`);
    return;
  }
  const config = configOrExit();
  // Output of libraries is neither the result nor the sentence of an error.
  redirectConsole(() => undefined);
  allowClosedOutput();
  try {
    checkArguments();
    process.exitCode = await withDatabase(config, command, say);
  } catch (error) {
    process.stderr.write(`${sentenceOf(error).replaceAll(/\s*\n\s*/gu, ' ')}\n`);
    process.exitCode = 1;
  }
}

/** A reader such as `head` may close the pipe early. The command still ends in order. */
function allowClosedOutput(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
}

/** Throws CommandError if the command was given an argument. */
export function refuseArguments(command: string): void {
  const [argument] = process.argv.slice(2);
  if (argument !== undefined)
    throw new CommandError(
      `${command} does not accept ${argument}; see npm run ${command} -- --help.`,
    );
}

/** Prints one JSON value on a line. */
export function printJson(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value)}\n`);
}

/** Throws CommandError if the schema is not current. */
export async function requireCurrentSchema(databaseUrl: string): Promise<void> {
  // Commands do not use the queue's schema, which is missing if the queue is in Redis.
  if (!(await schemaIsCurrent({ databaseUrl, queueInPostgres: false })))
    throw new CommandError('The database schema is not current. Run `npm run migrate`.');
}

/** Runs `work` with an open database. Throws CommandError if the schema is not current. */
export async function withOpenDatabase<Result>(
  { databaseUrl }: CommandContext,
  work: () => Promise<Result>,
): Promise<Result> {
  await requireCurrentSchema(databaseUrl);
  openDatabase({
    url: databaseUrl,
    poolMax: 1,
    name: 'tradepost-command',
    limits: COMMAND_LIMITS,
  });
  try {
    await loadKeptKeys();
    return await work();
  } finally {
    await closeDatabase();
  }
}

async function withDatabase(
  config: Config,
  command: (context: CommandContext) => Promise<number>,
  say: (message: string) => void,
): Promise<number> {
  if (config.databaseDirectUrl !== undefined)
    return command({ config, databaseUrl: config.databaseDirectUrl });
  const held = await holdEmbeddedPostgres({ dataDir: config.dataDir, say });
  try {
    return await command({ config, databaseUrl: held.url });
  } finally {
    await held.release();
  }
}

function sentenceOf(error: unknown): string {
  if (isRefusedByPooler(error)) return NEEDS_DIRECT_URL;
  const reason = connectionFailure(error);
  if (reason !== null) return `Postgres is unavailable: ${reason}.`;
  return error instanceof Error ? error.message : String(error);
}
