// What all operator commands share: their database (the configured one, else the embedded one of the data directory),
// --help, one JSON value on stdout, and one sentence on stderr with exit 1 where something goes wrong.
import { type Config, configOrExit } from '../../config/index.js';
import { holdEmbeddedPostgres } from '../embedded-postgres/hold.js';
import { closeDatabase, openDatabase } from '../platform/db/connection.js';
import { NO_STATEMENT_LIMIT } from '../platform/db/limits.js';
import { schemaIsCurrent } from '../platform/db/migrate.js';
import { connectionFailure } from '../platform/postgres-errors.js';

export interface CommandContext {
  readonly config: Config;
  /** Postgres itself, not a pooler. */
  readonly databaseUrl: string;
}

/** Something the person at the keyboard can put right. */
export class CommandError extends Error {}

/**
 * Runs a command with the database's URL; prints help where asked, an error as one sentence, and sets the exit code. `say`
 * is told what is done for an embedded database: only where stdout is for people.
 */
export async function runCommand(
  help: string,
  command: (context: CommandContext) => Promise<number>,
  say: (message: string) => void = () => undefined,
): Promise<void> {
  if (process.argv.includes('--help') || process.argv.includes('-h')) {
    process.stdout.write(`${help.trim()}\n`);
    return;
  }
  const config = configOrExit();
  try {
    process.exitCode = await withDatabase(config, command, say);
  } catch (error) {
    process.stderr.write(`${sentenceOf(error).replaceAll(/\s*\n\s*/gu, ' ')}\n`);
    process.exitCode = 1;
  }
}

/** For commands that take none. */
export function refuseArguments(command: string): void {
  const [argument] = process.argv.slice(2);
  if (argument !== undefined)
    throw new CommandError(`${command} takes no ${argument}; see npm run ${command} -- --help.`);
}

/** Prints one JSON value and nothing else. */
export function print(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value)}\n`);
}

/** Opens the database for a command that needs the current schema, and closes it afterwards. */
export async function withOpenDatabase<Result>(
  { databaseUrl }: CommandContext,
  work: () => Promise<Result>,
): Promise<Result> {
  // Not the queue's schema: no command uses it, and where the queue is in Redis there is none.
  if (!(await schemaIsCurrent({ databaseUrl, queueInPostgres: false }))) {
    throw new CommandError('The database schema is not current. Run `npm run migrate`.');
  }
  openDatabase({
    url: databaseUrl,
    poolMax: 1,
    modelsMax: 1,
    name: 'tradepost-command',
    limits: NO_STATEMENT_LIMIT,
  });
  try {
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
  const reason = connectionFailure(error);
  if (reason !== null) return `Postgres cannot be used: ${reason}.`;
  return error instanceof Error ? error.message : String(error);
}
