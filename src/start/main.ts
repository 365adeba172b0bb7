// `npm start` runs everything on one machine: the embedded Postgres if no database is configured,
// migrations, the demo company, then the Procfile's processes with one log. Postgres stops last.
import { fileURLToPath } from 'node:url';
import {
  type Config,
  childEnvironment,
  configOrExit,
  startedByNpm,
  variablesGivenToNpm,
} from '../../config/index.js';
import { LOOPBACK_RANGES } from '../../config/webhook-variables.js';
import { type EmbeddedPostgres, holdEmbeddedPostgres } from '../embedded-postgres/hold.js';
import { httpUrl, isLoopback } from '../platform/http/address.js';
import { redirectConsole } from '../platform/process/console.js';
import { banner } from './banner.js';
import { lineFormat } from './log-format.js';
import { waitForPort } from './port.js';
import { readProcfile, Supervisor } from './supervisor.js';

const HELP = `
npm start

Starts Tradepost on this machine: an embedded Postgres in DATA_DIR (.data) unless DATABASE_URL
names a database, the migrations, a demo company if the database is empty, and every process of the
Procfile with one log. Prints the base URL, the dashboard's URL and sign-in, an API key and a curl
line for each main request. Ctrl-C stops everything; the data stays.
Environment: see docs/operations.md.
`;

const LOCAL_HOST = '127.0.0.1';
const PROCFILE = fileURLToPath(new URL('../../../Procfile', import.meta.url));
/** Web first, so that workers still run the writes that its requests wait for. */
const STOP_ORDER = ['web', 'worker', 'scheduler'];
const PARENT_CHECK_MS = 300;

/** Most of this process's modules. They load while Postgres starts. */
const migrateModule = import('../platform/db/migrate.js');
const demoModule = import('../demo/demo.js');
const lifecycleModule = import('../platform/process/lifecycle.js');

const format = lineFormat(process.stdout.isTTY === true);
const print = (name: string, line: string) => process.stdout.write(format(name, line));
const say = (message: string) => print('start', message);
const supervisor = new Supervisor(print);
let postgres: EmbeddedPostgres | undefined;
let stopping: Promise<never> | undefined;

function stop(code: number, reason: string): Promise<never> {
  stopping ??= (async () => {
    say(`stopping (${reason})`);
    await supervisor.stop(STOP_ORDER);
    await postgres?.release();
    say('stopped');
    process.exit(code);
  })();
  return stopping;
}

/** Holds the embedded server while this process runs, and restarts it if it dies. */
async function holdPostgres(dataDir: string): Promise<string> {
  postgres = await holdEmbeddedPostgres({ dataDir, say });
  const restartWhenLost = async (held: EmbeddedPostgres): Promise<void> => {
    await held.lost;
    if (stopping) return;
    say('Postgres exited; restarting it');
    postgres = await holdEmbeddedPostgres({ dataDir, say });
    if (postgres.url !== held.url)
      return stop(1, 'Postgres restarted at another address; run npm start again');
    await restartWhenLost(postgres);
  };
  restartWhenLost(postgres).catch(error => void stop(1, (error as Error).message));
  return postgres.url;
}

/** Starts the Procfile's processes; resolves to web's port when all of them are ready. */
async function startProcesses(config: Config, databaseUrl: string): Promise<number> {
  const host = config.host ?? LOCAL_HOST;
  const nodeEnv = config.nodeEnv ?? 'development';
  const env = childEnvironment({
    DATABASE_URL: databaseUrl,
    HOST: host,
    NODE_ENV: nodeEnv,
    ...(mayReachLoopback(config, host) ? { WEBHOOK_ALLOW: LOOPBACK_RANGES } : {}),
  });
  const lines = await readProcfile(PROCFILE);
  const ready = await Promise.all(lines.map(line => supervisor.start(line, env)));
  return ready.find(({ port }) => port !== undefined)?.port ?? config.port;
}

/** An installation that only this machine reaches may deliver to receivers on it. */
function mayReachLoopback({ webhooks }: Config, host: string): boolean {
  return webhooks.allow.length === 0 && (isLoopback(host) || host === 'localhost');
}

async function start(config: Config): Promise<void> {
  await waitForPort(config.host ?? LOCAL_HOST, config.port);
  const databaseUrl = config.databaseUrl ?? (await holdPostgres(config.dataDir));
  const directUrl = config.databaseDirectUrl ?? databaseUrl;
  const { migrateWhenReady } = await migrateModule;
  const queueInPostgres = config.redisUrl === undefined;
  const applied = await migrateWhenReady({ databaseUrl: directUrl, queueInPostgres }, say);
  if (applied.length > 0) say(`applied ${applied.length} migrations`);
  const { ensureDemoCompany } = await demoModule;
  const { retryStart } = await lifecycleModule;
  const [demo, port] = await Promise.all([
    retryStart(
      () => ensureDemoCompany(directUrl, config.dataDir),
      reason => void say(`waiting for Postgres: ${reason}`),
    ),
    startProcesses(config, databaseUrl),
  ]);
  const baseUrl = config.publicUrl ?? httpUrl(config.host ?? LOCAL_HOST, port);
  if (!stopping) process.stdout.write(banner(baseUrl, demo, postgres ? config.dataDir : null));
}

/** Stops when npm is killed outright: its death sends no signal. */
function watchParent(): void {
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) void stop(0, 'npm exited');
  }, PARENT_CHECK_MS).unref();
}

/** The sentence that refuses the command's arguments; null if it has none. */
function refuseArguments([argument]: readonly string[]): string | null {
  // npm keeps options for itself, unless they follow `--`.
  const [variable] = variablesGivenToNpm();
  if (variable !== undefined)
    return `npm start has no options: set the variable, as in ${variable}=VALUE npm start.`;
  return argument === undefined
    ? null
    : `npm start does not accept ${argument}; see npm start -- --help.`;
}

const refusal = refuseArguments(process.argv.slice(2));
if (process.argv.includes('--help')) process.stdout.write(`${HELP.trim()}\n`);
else if (refusal !== null) {
  process.stderr.write(`${refusal}\n`);
  process.exitCode = 1;
} else {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => void stop(0, signal));
  redirectConsole((_level, text) => say(text));
  // The terminal was closed. Stopping continues, without output.
  process.stdout.on('error', () => void stop(0, 'output closed'));
  if (startedByNpm()) watchParent();
  start(configOrExit()).catch(error => {
    if (!stopping) process.stderr.write(`${(error as Error).message}\n`);
    void stop(1, 'start failed');
  });
}
