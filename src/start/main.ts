// `npm start`: everything on one machine with one command. The embedded Postgres where no database is configured,
// migrations, the demo company, then the Procfile's processes under one log; stopped in order, Postgres last.
import { fileURLToPath } from 'node:url';
import { type Config, childEnvironment, configOrExit, startedByNpm } from '../../config/index.js';
import type { Demo } from '../demo/demo.js';
import { type EmbeddedPostgres, holdEmbeddedPostgres } from '../embedded-postgres/hold.js';
import { httpUrl } from '../platform/http/address.js';
import { lineFormat } from './log-format.js';
import { isPortFree } from './ports.js';
import { readProcfile, Supervisor } from './supervisor.js';

const HELP = `
npm start

Starts Tradepost on this machine: an embedded Postgres in DATA_DIR (.data) unless DATABASE_URL names one, migrations,
a demo company in an empty database, and every process of the Procfile with one log. Prints the base URL, the
dashboard's URL and sign-in, an API key and a curl line for each main request. Ctrl-C stops everything; the data stays.
Environment: see README.md.
`;

const LOCAL_HOST = '127.0.0.1';
const PROCFILE = fileURLToPath(new URL('../../../Procfile', import.meta.url));
/** Web first, so that what it has in hand is still worked off. */
const STOP_ORDER = ['web', 'worker', 'scheduler'];
const PARENT_CHECK_MS = 300;
/** A run that was killed lets go of its port within this. */
const PORT_WAIT_MS = 3_000;

/** Most of this process's modules: loaded while Postgres starts. */
const migrating = import('../platform/db/migrate.js');
const demonstrating = import('../demo/demo.js');

const format = lineFormat(process.stdout.isTTY === true);
const print = (name: string, line: string) => process.stdout.write(format(name, line));
const say = (message: string) => print('start', message);
const supervisor = new Supervisor(print);
let held: EmbeddedPostgres | undefined;
let stopping: Promise<never> | undefined;

function stop(code: number, reason: string): Promise<never> {
  stopping ??= (async () => {
    say(`stopping (${reason})`);
    await supervisor.stop(STOP_ORDER);
    await held?.release();
    say('stopped');
    process.exit(code);
  })();
  return stopping;
}

/** The embedded server, held for as long as this process runs: one that dies is started again, at the same address. */
async function holdPostgres(dataDir: string): Promise<string> {
  held = await holdEmbeddedPostgres({ dataDir, say });
  const keepHeld = async (current: EmbeddedPostgres): Promise<void> => {
    await current.lost;
    if (stopping) return;
    say('Postgres ended; starting it again');
    held = await holdEmbeddedPostgres({ dataDir, say });
    if (held.url !== current.url)
      return stop(1, 'Postgres came back at another address; start again');
    await keepHeld(held);
  };
  keepHeld(held).catch(error => void stop(1, (error as Error).message));
  return held.url;
}

async function waitForPort({ port, host }: Config): Promise<void> {
  const deadline = Date.now() + PORT_WAIT_MS;
  while (port !== 0 && !(await isPortFree(port, host ?? LOCAL_HOST))) {
    if (Date.now() > deadline)
      throw new Error(
        `Port ${port} is in use. Stop what listens there, or set PORT (0 picks a free one).`,
      );
    await new Promise(resolve => setTimeout(resolve, 100));
  }
}

async function startProcesses(config: Config, databaseUrl: string): Promise<number> {
  const host = config.host ?? LOCAL_HOST;
  const env = childEnvironment({ DATABASE_URL: databaseUrl, HOST: host });
  const lines = await readProcfile(PROCFILE);
  const ready = await Promise.all(lines.map(line => supervisor.start(line, env)));
  return ready.find(({ port }) => port !== undefined)?.port ?? config.port;
}

function banner(baseUrl: string, demo: Demo | null): string {
  const lines = [
    '',
    `Tradepost is ready: ${baseUrl}/api/external`,
    `Reference and guides: ${baseUrl}/docs`,
  ];
  if (demo?.signIn)
    lines.push(
      `Dashboard: ${baseUrl}  sign in as ${demo.signIn.email} with ${demo.signIn.password}`,
    );
  else lines.push(`Dashboard: ${baseUrl}`);
  if (demo) {
    const curl = `curl -sS -H 'x-api-key: ${demo.key}'`;
    const invoice = {
      customerName: demo.customer,
      date: new Date().toISOString().slice(0, 10),
      items: [{ name: demo.item.name, qty: 2, price: demo.item.price }],
    };
    lines.push(
      `API key of the demo company: ${demo.key}`,
      '',
      `${curl} '${baseUrl}/api/external/summary'`,
      `${curl} '${baseUrl}/api/external/invoices?limit=5'`,
      `${curl} -H 'content-type: application/json' -d '${JSON.stringify(invoice)}' '${baseUrl}/api/external/invoices'`,
      `${curl} '${baseUrl}/api/external/inventory?low=1'`,
    );
  } else
    lines.push(
      'The database holds other companies, so there is no demo. Make a key with npm run admin.',
    );
  return `${lines.join('\n')}\n\n`;
}

async function start(config: Config): Promise<void> {
  await waitForPort(config);
  const databaseUrl = config.databaseUrl ?? (await holdPostgres(config.dataDir));
  const directUrl = config.databaseDirectUrl ?? databaseUrl;
  const { migrate } = await migrating;
  const applied = await migrate({
    databaseUrl: directUrl,
    queueInPostgres: config.redisUrl === undefined,
  });
  if (applied.length > 0) say(`migrated: ${applied.join(', ')}`);
  const { ensureDemoCompany } = await demonstrating;
  const [demo, port] = await Promise.all([
    ensureDemoCompany(directUrl, config.dataDir),
    startProcesses(config, databaseUrl),
  ]);
  if (!stopping)
    process.stdout.write(
      banner(config.publicUrl ?? httpUrl(config.host ?? LOCAL_HOST, port), demo),
    );
}

/** npm killed outright takes nothing with it: notice, and stop. */
function watchParent(): void {
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) void stop(0, 'npm is gone');
  }, PARENT_CHECK_MS).unref();
}

if (process.argv.includes('--help')) process.stdout.write(`${HELP.trim()}\n`);
else {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => void stop(0, signal));
  // The terminal is gone: keep stopping, there is just nobody left to tell.
  process.stdout.on('error', () => void stop(0, 'output closed'));
  if (startedByNpm()) watchParent();
  start(configOrExit()).catch(error => {
    if (!stopping) process.stderr.write(`${(error as Error).message}\n`);
    void stop(1, 'start failed');
  });
}
