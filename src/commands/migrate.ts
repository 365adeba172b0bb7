// `npm run migrate`, and the Procfile's release.
import { migrate } from '../platform/migrate.js';
import { refuseArguments, runCommand } from './command.js';

const HELP = `
npm run migrate

Brings the database's schema up to date, and BullMQ's own where the queue lives in Postgres (no REDIS_URL).
Uses DATABASE_URL, else the embedded database in DATA_DIR. Safe to run again and at several places at once.
`;

await runCommand(HELP, async ({ config, databaseUrl }) => {
  refuseArguments('migrate');
  const applied = await migrate({ databaseUrl, queueInPostgres: config.redisUrl === undefined });
  process.stdout.write(applied.length === 0 ? 'The schema is current.\n' : `Applied ${applied.join(', ')}.\n`);
  return 0;
});
