// The statements that cost most, from pg_stat_statements: those of the product's processes, also
// inside of functions, such as BullMQ's. The time is that of execution and planning in Postgres,
// without that of the connection and of COMMIT's wait for the disk.
import pg from 'pg';
import { measure, type Side, type Times } from './measure.js';
import { rounded } from './numbers.js';
import type { Workload } from './workloads.js';

const SHOWN = 10;
const TEXT_CHARACTERS = 110;

interface Statement {
  readonly text: string;
  readonly calls: number;
  /** Of all calls. */
  readonly ms: number;
  readonly plannedMs: number;
  readonly blocks: number;
  readonly compiled: number;
}

/** PostgreSQL 13 and 14 do not count compiled functions. */
const MOST_EXPENSIVE = `
  SELECT regexp_replace(query, '\\s+', ' ', 'g') AS text,
    calls::float8,
    total_exec_time + total_plan_time AS ms,
    total_plan_time AS "plannedMs",
    (shared_blks_hit + shared_blks_read)::float8 AS blocks,
    COALESCE((to_jsonb(s) ->> 'jit_functions')::float8, 0) AS compiled
  FROM pg_stat_statements s
  WHERE dbid = (SELECT oid FROM pg_database WHERE datname = current_database())
    AND query !~ 'pg_stat_statements'
  ORDER BY ms DESC`;

/** Runs the workload and prints what its writes cost in Postgres. */
export async function countStatements(
  side: Side,
  workload: Workload,
  { warmUpMs, measureMs }: Times,
  say: (text: string) => void,
): Promise<void> {
  const count = await openCounter(side.testbed.databaseUrl);
  // Its end is not part of the counted time: processes fill their caches and Postgres plans.
  await measure(side, workload, { warmUpMs: 0, measureMs: warmUpMs });
  await count.start();
  const { perSecond, cpuShares } = await measure(side, workload, { warmUpMs: 0, measureMs });
  const writes = (perSecond * measureMs) / 1000;
  say(`${workload.title}: ${rounded(writes)} writes, ${rounded(perSecond)} per second`);
  const shares = Object.entries(cpuShares).map(([name, ms]) => `${name} ${rounded(ms)}`);
  say(`processor time per write in ms: ${shares.join(', ')}`);
  await count.end(writes, 'write', say);
}

/** Counts statements from `start` to `end`, which prints the most expensive ones. */
export async function openCounter(databaseUrl: string) {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query('CREATE EXTENSION IF NOT EXISTS pg_stat_statements');
  return {
    start: () => client.query('SELECT pg_stat_statements_reset()'),
    async end(units: number, unit: string, say: (text: string) => void): Promise<void> {
      const { rows } = await client.query<Statement>(MOST_EXPENSIVE);
      await client.end();
      const all = rows.reduce((sum, { ms }) => sum + ms, 0);
      const calls = rows.reduce((sum, statement) => sum + statement.calls, 0);
      say(
        `all statements: ${rounded(all / units)} ms, ${rounded(calls / units)} calls per ${unit}`,
      );
      say(`ms per ${unit} | calls per ${unit} | ms per call | planned ms | blocks | compiled`);
      for (const row of rows.slice(0, SHOWN)) say(render(row, units));
    },
  };
}

function render(row: Statement, units: number): string {
  const { text, calls, ms, plannedMs, blocks, compiled } = row;
  const figures = [ms / units, calls / units, ms / calls, plannedMs / calls, blocks / calls];
  const cells = [...figures.map(rounded), compiled].map(cell => String(cell).padStart(7));
  return `${cells.join(' | ')} | ${text.trim().slice(0, TEXT_CHARACTERS)}`;
}
