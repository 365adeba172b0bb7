// The command's options and help.
import { parseArgs } from 'node:util';
import type { Mode } from '../support/suite.js';
import type { Program } from './testbed.js';
import { KOA_CEILINGS, WORKLOADS } from './workloads.js';

const CEILINGS = ['sql-batch', 'sql-list', ...KOA_CEILINGS.map(({ name }) => name)];

export const HELP = `
npm run bench -- [--mode redis|postgres] [--seconds 10] [--only NAME,…] [--turns 2]
                 [--invoices 100000] [--items 1000] [--companies 10] [--web 1] [--worker 1]
                 [--against INVOICES | --soak MINUTES] [--data DIR] [--out DIR]

Starts its own Postgres, redis-server (mode redis), the product's processes and a baseline: a lean
server that carries out each request by itself. Each workload runs on both alternately, then come
the ceilings. Prints one line per workload and writes a table (bench-MODE.md) and every run
(bench-MODE.json) to DIR, by default a new temporary directory. Exits 1 if a response was unexpected
or the data violates an invariant afterwards.

--against  compares the product with itself on this many invoices, instead of with the baseline.
--data     keeps the filled database and reuses it: filling millions of invoices takes minutes.
--soak     runs the workload "mixed" this long and prints the memory of each process every 15 s.

Columns are product / baseline: responses per second, their ratio, p50 and p99 of the response time,
processor time of all server processes per request, peak memory of the largest process, unexpected
responses.

Workloads: ${WORKLOADS.map(({ name }) => name).join(', ')}.
Ceilings:  ${CEILINGS.join(', ')}.
`.trim();

const { values } = parseArgs({
  options: {
    mode: { type: 'string', default: 'redis' },
    seconds: { type: 'string', default: '10' },
    only: { type: 'string' },
    turns: { type: 'string', default: '2' },
    invoices: { type: 'string', default: '100000' },
    items: { type: 'string', default: '1000' },
    companies: { type: 'string', default: '10' },
    web: { type: 'string', default: '1' },
    worker: { type: 'string', default: '1' },
    against: { type: 'string' },
    soak: { type: 'string' },
    data: { type: 'string' },
    out: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});

const only = values.only?.split(',');
const unknown =
  only?.filter(
    name => ![...WORKLOADS.map(workload => workload.name), ...CEILINGS].includes(name),
  ) ?? [];
if (unknown.length > 0)
  throw new Error(`there is no workload or ceiling ${unknown.join(', ')}; see --help`);

export const options = {
  mode: values.mode as Mode,
  seconds: Number(values.seconds),
  turns: Number(values.turns),
  invoices: Number(values.invoices),
  world: { companies: Number(values.companies), items: Number(values.items) },
  /** Invoices of the other side; null if the other side is the baseline. */
  against: values.against === undefined ? null : Number(values.against),
  soakMinutes: values.soak === undefined ? null : Number(values.soak),
  data: values.data,
  out: values.out,
  help: values.help,
} as const;

export function isChosen(name: string): boolean {
  return only === undefined || only.includes(name);
}

/** The product's processes, the baseline, and the processes of the chosen ceilings. */
export function programs(): Program[] {
  const several = (name: Program, count: string) =>
    Array.from({ length: Number(count) }, () => name);
  const product: Program[] = [
    ...several('web', values.web),
    ...several('worker', values.worker),
    'scheduler',
  ];
  if (options.against !== null || options.soakMinutes !== null) return product;
  return [
    ...product,
    'baseline',
    ...(KOA_CEILINGS.some(({ name }) => isChosen(name)) ? (['koa'] as const) : []),
  ];
}
