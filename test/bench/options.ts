// The command's options and help.
import { readOptions, refuseOptions } from '../support/options.js';
import type { Mode } from '../support/suite.js';
import type { ServerKind } from '../support/test-cluster.js';
import { GUARD_OPTIONS } from './guard.js';
import { RUNGS, WHOLE } from './ladder/rungs.js';
import type { RecordsName } from './records.js';
import type { Program } from './testbed.js';
import { KOA_CEILINGS, WORKLOADS } from './workloads.js';

const CEILINGS = ['sql-batch', 'sql-list', ...KOA_CEILINGS.map(({ name }) => name)];
const STEPS = [...RUNGS, WHOLE].map(({ name }) => name);

export const HELP = `
npm run bench -- [--mode redis|postgres] [--seconds 10] [--only NAME,…] [--turns 2]
                 [--invoices 100000] [--payments 0] [--items 1000] [--companies 10]
                 [--records none|terms|limits|emails]
                 [--web 1] [--worker 1] [--shards 1] [--postgres embedded|installed] [--statements]
                 [--guard | --against INVOICES | --compare-processes | --soak MINUTES |
                  --ladder | --webhooks | --verify | --idle SECONDS]
                 [--data DIR] [--out DIR]

Starts its own Postgres, redis-server (mode redis), the product's processes and a baseline: a lean
server with its own tables that carries out each request by itself. Each workload runs on both
alternately, "turns" times, then come the ceilings. Prints one line per workload and writes a table
(bench-MODE.md) and every run (bench-MODE.json) to DIR, by default a new temporary directory. Exits
1 if a response was unexpected or the data violates an invariant afterwards.

--guard    runs the main workloads for two minutes, beside the baseline, and exits 1 if a ratio is
           more than 15 % below the recorded one. Run it after a change of the write path.
--against  compares the product with itself on this many invoices, instead of with the baseline.
--compare-processes
           compares the product with --web and --worker processes with one of each, instead of with
           the baseline. Both have a database of their own.
--shards   splits each write queue in Redis, except where one of each process is compared.
--payments fills in this many payments, each of one invoice.
--records  first makes records of the customers that invoices name: 10,000 with payment terms in
           each company, 100 with a credit limit that refuses invoices, or 500 with an e-mail
           address, which create-send needs: it runs with them alone.
--data     keeps the filled database and reuses it: filling millions of invoices takes minutes.
--soak     runs the workload "mixed" this long and prints the memory of each process every 15 s.
--ladder   prints the processor time of each step of a create: the floors (bare node:http, and Koa
           with its usual parts), then the web process with one step more at a time, and the whole
           product. --only chooses among its rungs.
--webhooks prints how soon after their events webhooks start: alone, beside endpoints that hang, and
           beside 10,000 that are far behind, each for so many seconds. And how many a worker sends.
--verify   runs no workload: fills the database and times \`npm run verify\` on it.
--idle     runs no workload: prints the processor time of each process type, and of Postgres, in so
           many seconds without requests, once the rows of the database are summed up and audited.
--postgres uses the PostgreSQL of this machine (installed) instead of the embedded one.
--statements
           runs only the workloads of --only (create-64 by default), on the product alone, and
           prints the ten statements that cost most per write; with --idle, per second.

Columns are product / baseline, medians over the turns: responses per second, their ratio, responses
per second of a Koa route behind the product's key check and rate limit, p50 and p99 of the response
time, processor time of all server processes (Postgres and Redis included) per request, the
product's by process type, peak memory of the largest process, unexpected responses, and the targets
with the measured figures. A ratio is the median of the turns' ratios. Batches, payments and credit
notes are compared with the product's own creates, per invoice, payment and credit note.

Workloads: ${WORKLOADS.map(({ name }) => name).join(', ')}.
Ceilings:  ${CEILINGS.join(', ')}.
Rungs:     ${STEPS.join(', ')}.
`.trim();

const given = readOptions({
  mode: { type: 'string', default: 'redis' },
  seconds: { type: 'string', default: '10' },
  only: { type: 'string' },
  turns: { type: 'string', default: '2' },
  invoices: { type: 'string', default: '100000' },
  payments: { type: 'string', default: '0' },
  items: { type: 'string', default: '1000' },
  companies: { type: 'string', default: '10' },
  records: { type: 'string', default: 'none' },
  web: { type: 'string', default: '1' },
  worker: { type: 'string', default: '1' },
  shards: { type: 'string', default: '1' },
  guard: { type: 'boolean', default: false },
  against: { type: 'string' },
  'compare-processes': { type: 'boolean', default: false },
  soak: { type: 'string' },
  ladder: { type: 'boolean', default: false },
  webhooks: { type: 'boolean', default: false },
  verify: { type: 'boolean', default: false },
  idle: { type: 'string' },
  postgres: { type: 'string', default: 'embedded' },
  statements: { type: 'boolean', default: false },
  data: { type: 'string' },
  out: { type: 'string' },
  help: { type: 'boolean', default: false },
});

const values = given.guard ? { ...given, ...GUARD_OPTIONS } : given;
const only = values.only?.split(',');
const unknown =
  only?.filter(
    name => ![...WORKLOADS.map(workload => workload.name), ...CEILINGS, ...STEPS].includes(name),
  ) ?? [];
if (unknown.length > 0)
  refuseOptions(`There is no workload, ceiling or rung ${unknown.join(', ')}.`);

interface Counts {
  readonly web: number;
  readonly worker: number;
}

export const ONE_OF_EACH: Counts = { web: 1, worker: 1 };

export const options = {
  mode: values.mode as Mode,
  seconds: Number(values.seconds),
  turns: Number(values.turns),
  invoices: Number(values.invoices),
  world: {
    companies: Number(values.companies),
    items: Number(values.items),
    payments: Number(values.payments),
    records: values.records as RecordsName,
  },
  /** Invoices of the other side; null if the other side is the baseline. */
  against: values.against === undefined ? null : Number(values.against),
  processes: { web: Number(values.web), worker: Number(values.worker) } as Counts,
  shards: Number(values.shards),
  /** The other side is the product with one process of each type, and without shards. */
  compareProcesses: values['compare-processes'],
  soakMinutes: values.soak === undefined ? null : Number(values.soak),
  /** Runs the rungs of the ladder instead of workloads. */
  ladder: values.ladder,
  /** Measures webhooks instead of workloads. */
  webhooks: values.webhooks,
  /** Runs no workload. */
  verifyOnly: values.verify,
  /** Runs no workload, and measures for this time. */
  idleSeconds: values.idle === undefined ? null : Number(values.idle),
  postgres: values.postgres as ServerKind,
  statements: values.statements,
  /** Compares the ratios with the recorded ones. */
  guard: values.guard,
  data: values.data,
  out: values.out,
  help: values.help,
} as const;

export function isChosen(name: string): boolean {
  const needed = WORKLOADS.find(workload => workload.name === name)?.needsRecords;
  if (needed !== undefined && needed !== options.world.records) return false;
  return only === undefined || only.includes(name);
}

/** The workloads whose statements are counted. */
export const countedWorkloads = only ?? ['create-64'];

/** True if the product is compared with the baseline. */
export const hasBaseline =
  options.against === null &&
  !options.compareProcesses &&
  options.soakMinutes === null &&
  !options.ladder &&
  !options.webhooks &&
  options.idleSeconds === null &&
  !options.statements;

/** True if a chosen workload runs on the baseline too. */
export const needsBaseline =
  hasBaseline && WORKLOADS.some(({ name, comparedWith }) => isChosen(name) && !comparedWith);

/** The product's processes, the baseline, and the Koa routes if a chosen workload needs them. */
export function programs({ web, worker }: Counts = options.processes): Program[] {
  const several = (name: Program, count: number) => Array.from({ length: count }, () => name);
  const product: Program[] = [...several('web', web), ...several('worker', worker), 'scheduler'];
  if (!hasBaseline) return product;
  const needsKoa =
    KOA_CEILINGS.some(({ name }) => isChosen(name)) ||
    WORKLOADS.some(({ name, isBesideKoa }) => isBesideKoa && isChosen(name));
  return [
    ...product,
    ...(needsBaseline ? (['baseline'] as const) : []),
    ...(needsKoa ? (['koa'] as const) : []),
  ];
}
