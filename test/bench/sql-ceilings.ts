// Measures the statements alone, in this one process, without HTTP, queue or rate limit: writing
// batches of 100 invoices as the worker does, and reading pages with the bare driver.
import { createHash } from 'node:crypto';
import pg from 'pg';
import { v7 as uuidv7 } from 'uuid';
import { invoiceListStatement } from '../../src/invoices/list.js';
import { invoiceQueue, invoiceWrites } from '../../src/invoices/post.js';
import { Settlement } from '../../src/jobs/settle/settlement.js';
import type { Submission } from '../../src/jobs/write-kind.js';
import { closeDatabase, openDatabase } from '../../src/platform/db/connection.js';
import { joinedBodies } from '../../src/platform/db/sql.js';
import { createLog } from '../../src/platform/process/log.js';
import type { Times } from './measure.js';
import type { Testbed } from './testbed.js';
import { requestsOf, WORKLOADS } from './workloads.js';
import type { World } from './world.js';

const BATCH = 100;
/** As many as a worker has. */
const BATCHES_IN_FLIGHT = 2;
const LIST_CLIENTS = 32;
const LIST_LIMIT = 50;

/** Invoices per second by the batch statements alone. */
export async function measureBatches(
  { databaseUrl, world }: Testbed,
  { warmUpMs, measureMs }: Times,
): Promise<number> {
  openDatabase({ url: databaseUrl, poolMax: BATCHES_IN_FLIGHT, name: 'tradepost-bench' });
  const settlement = new Settlement(invoiceQueue, {
    batchMax: BATCH,
    reply: async () => undefined,
    log: createLog('bench', 'warn'),
  });
  let turn = 0;
  const post = async () => {
    turn += 1;
    await settlement.take(submissions(world, turn));
    return BATCH;
  };
  await repeat(BATCHES_IN_FLIGHT, warmUpMs, post);
  const done = await repeat(BATCHES_IN_FLIGHT, measureMs, post);
  await closeDatabase();
  return done;
}

/** Lists of 50 per second by the driver alone. */
export async function measureLists(
  { databaseUrl, world }: Testbed,
  { warmUpMs, measureMs }: Times,
): Promise<number> {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: LIST_CLIENTS });
  let turn = 0;
  const read = async () => {
    turn += 1;
    const { companyId } = world.companies[turn % world.companies.length] ?? { companyId: '' };
    const { sql, bind } = invoiceListStatement(companyId, { limit: LIST_LIMIT }, null, undefined);
    await pool.query({ name: 'list', text: joinedBodies(sql), values: bind });
    return 1;
  };
  // Opening all connections takes longer than a short run.
  await repeat(LIST_CLIENTS, warmUpMs, read);
  const done = await repeat(LIST_CLIENTS, measureMs, read);
  await pool.end();
  return done;
}

/** Runs `work` concurrently and returns the sum of its results per second. */
async function repeat(
  concurrency: number,
  forMs: number,
  work: () => Promise<number>,
): Promise<number> {
  const started = performance.now();
  let done = 0;
  const one = async () => {
    while (performance.now() - started < forMs) {
      // Not `done += await …`, which reads `done` before the await.
      const more = await work();
      done += more;
    }
  };
  await Promise.all(Array.from({ length: concurrency }, one));
  return (done / (performance.now() - started)) * 1000;
}

/** The requests of the workload create-64 as the web process would submit them. */
function submissions(world: World, turn: number): Submission[] {
  const workload = WORKLOADS.find(({ name }) => name === 'create-64');
  if (!workload) throw new Error('there is no workload create-64');
  const companies = new Map(world.companies.map(({ key, companyId }) => [key, companyId]));
  const requests = Array.from({ length: BATCH / 20 }, (_, index) =>
    requestsOf(workload, world, turn * 5 + index),
  ).flat();
  return requests.map(({ headers, body = '{}' }) => ({
    companyId: companies.get(headers['x-api-key'] ?? '') ?? '',
    type: invoiceWrites.type,
    id: uuidv7(),
    fingerprint: createHash('sha256').update(body).digest('hex'),
    submissionId: uuidv7(),
    requestId: 'bench',
    acceptedAt: new Date().toISOString(),
    payload: JSON.parse(body),
    createdBy: null,
    replyTo: '',
  }));
}
