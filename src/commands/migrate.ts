// `npm run migrate`, and the Procfile's release.
import { migrate } from '../platform/db/migrate.js';
import { refuseArguments, runCommand } from './command.js';

const HELP = `
npm run migrate

Brings the database's schema up to date, and BullMQ's own where the queue lives in Postgres (no REDIS_URL).
Uses DATABASE_URL, else the embedded database in DATA_DIR. Safe to run again and at several places at once.
`;

const say = (message: string) => process.stdout.write(`${message}\n`);

await runCommand(
  HELP,
  async ({ config, databaseUrl }) => {
    refuseArguments('migrate');
    const applied = await migrate({ databaseUrl, queueInPostgres: config.redisUrl === undefined });
    say(applied.length === 0 ? 'The schema is current.' : `Applied ${applied.join(', ')}.`);
    return 0;
  },
  say,
);
