// `npm run migrate`, which is also the Procfile's `release`.
import { migrateWhenReady } from '../platform/db/migrate.js';
import { refuseArguments, runCommand } from './command.js';
import { explainInterruption } from './interruption.js';

const HELP = `
npm run migrate

Applies the pending migrations, including BullMQ's own if the queue is in Postgres (no REDIS_URL).
Runs beside the processes of the release before, and continues where an interrupted run stopped.
Safe to run repeatedly and concurrently. Waits up to a minute for Postgres.
Uses DATABASE_URL, else the embedded database in DATA_DIR.
`;

const say = (message: string) => process.stdout.write(`${message}\n`);

await runCommand(
  HELP,
  () => refuseArguments('migrate'),
  async ({ config, databaseUrl }) => {
    const queueInPostgres = config.redisUrl === undefined;
    const options = { databaseUrl, queueInPostgres };
    const applied = await explainInterruption('steps', () => migrateWhenReady(options, say));
    say(applied.length === 0 ? 'The schema is current.' : `Applied ${applied.join(', ')}.`);
    return 0;
  },
  say,
);
