// The demo company of `npm start`: a distributor with three months of invoices, payments, credit
// notes and deliveries. All of it is settled like any other write, with fixed keys, so an
// interrupted start is completed later.
import type { Actor } from '../companies/actor.js';
import { Settlement } from '../jobs/settle/settlement.js';
import { fingerprintOf, jobId } from '../jobs/submit/submission.js';
import { kindsByQueue, type QueueKinds, type Submission } from '../jobs/write-kind.js';
import { plainArray } from '../platform/db/arrays.js';
import { closeDatabase, openDatabase, query, queryOne } from '../platform/db/connection.js';
import { createLog, type Log } from '../platform/process/log.js';
import { refreshSummary } from '../summary/refresh.js';
import { WRITE_KINDS } from '../write-kinds.js';
import { type DemoSignIn, ensureDemoKey, ensureDemoSignIn, findDemoOwner } from './credentials.js';
import { CUSTOMERS } from './customers.js';
import { dateHistory } from './date-history.js';
import { demoHistory, firstDay } from './history.js';
import { PRODUCTS, priceOf } from './products.js';
import { DEMO_SETTINGS } from './sales.js';
import { referencesOf, type Step, type Write } from './steps.js';

const COMPANY_ID = '01900000-0000-7000-8000-00000000de30';
const COMPANY_NAME = 'Harbour Street Supply';
/** Above the writes of any step: each is settled as one batch. */
const BATCH = 100;

export interface Demo {
  readonly key: string;
  /** Null once the owner's password was changed. */
  readonly signIn: DemoSignIn | null;
  /** An item with plenty on hand, for a first invoice. */
  readonly item: { readonly name: string; readonly price: number };
  readonly customer: string;
}

/** Creates or completes the demo company; null if the database has only other companies. */
export async function ensureDemoCompany(
  databaseUrl: string,
  dataDir: string,
): Promise<Demo | null> {
  openDatabase({ url: databaseUrl, poolMax: 2, modelsMax: 1, name: 'tradepost-start' });
  try {
    return await prepareDemo(dataDir, createLog('start', 'warn'));
  } finally {
    await closeDatabase();
  }
}

async function prepareDemo(dataDir: string, log: Log): Promise<Demo | null> {
  const state = await queryOne<{ others: boolean; present: boolean; complete: boolean }>(
    `SELECT
       EXISTS (SELECT FROM companies WHERE id <> $1) AS others,
       EXISTS (SELECT FROM companies WHERE id = $1) AS present,
       -- Dating the company is the last step.
       EXISTS (
         SELECT FROM companies WHERE id = $1 AND created_at < now() - interval '1 month'
       ) AS complete`,
    [COMPANY_ID],
  );
  if (state?.others && !state.present) return null;
  const { currency, termsDays, defaultTaxRate } = DEMO_SETTINGS;
  await query(
    `INSERT INTO companies (
       id, name, currency, time_zone, first_steps_hidden, terms_days, default_tax_rate
     )
     VALUES ($1, $2, $3, 'UTC', true, $4, $5)
     ON CONFLICT DO NOTHING`,
    [COMPANY_ID, COMPANY_NAME, currency, termsDays, defaultTaxRate],
  );
  // Before the records, which are the owner's.
  const signIn = await ensureDemoSignIn(COMPANY_ID, dataDir);
  if (!state?.complete) await writeDemo(log);
  const [name = '', , cost = 0] = PRODUCTS[0] ?? [];
  return {
    key: await ensureDemoKey(COMPANY_ID, dataDir),
    signIn,
    item: { name, price: priceOf(cost) },
    customer: CUSTOMERS[0]?.name ?? '',
  };
}

async function writeDemo(log: Log): Promise<void> {
  const owner = await findDemoOwner(COMPANY_ID);
  const queues = Array.from(kindsByQueue(WRITE_KINDS).values(), kinds => {
    const options = { batchMax: BATCH, reply: async () => undefined, log };
    return { kinds, settlement: new Settlement(kinds, options) };
  });
  const now = new Date();
  const steps = demoHistory(now);
  for (const step of steps) {
    const queue = queues.find(({ kinds }) =>
      kinds.all().some(({ type }) => type === step[0]?.type),
    );
    if (!queue) throw new Error(`no queue has writes of type ${step[0]?.type}`);
    await queue.settlement.take(await submissions(step, queue.kinds, owner));
  }
  await dateHistory(
    COMPANY_ID,
    firstDay(now),
    steps.flat().map(({ key, at }) => ({ submissionId: jobId(COMPANY_ID, key), at })),
  );
  // Not left to the scheduler's sweep: the banner's first curl line must show every invoice.
  await refreshSummary(COMPANY_ID);
}

async function submissions(
  step: Step,
  kinds: QueueKinds,
  createdBy: Actor | null,
): Promise<Submission[]> {
  const ids = await findIds(step);
  return step.map(write => {
    const { key, at, type } = write;
    const id = jobId(COMPANY_ID, key);
    const named = referencesOf(write).map(([member, record]) => [member, ids.get(record)]);
    const payload = { ...write.request, ...Object.fromEntries(named) };
    return {
      companyId: COMPANY_ID,
      type,
      id,
      fingerprint: fingerprintOf(kinds.of(write).path(payload), payload),
      submissionId: id,
      requestId: key,
      acceptedAt: at.toISOString(),
      payload,
      createdBy,
      replyTo: '',
    };
  });
}

/** The ids of the records that the writes name, by the keys of the writes that created them. */
async function findIds(step: readonly Write[]): Promise<ReadonlyMap<string, string>> {
  const keys = step.flatMap(write => referencesOf(write).map(([, key]) => key));
  if (keys.length === 0) return new Map();
  const rows = await query<{ id: string; resultId: string | null }>(
    'SELECT id, result_id AS "resultId" FROM jobs WHERE company_id = $1 AND id = ANY ($2::uuid[])',
    [COMPANY_ID, plainArray(keys.map(key => jobId(COMPANY_ID, key)))],
  );
  const idOf = new Map(rows.map(({ id, resultId }) => [id, resultId]));
  return new Map(
    keys.map(key => {
      const id = idOf.get(jobId(COMPANY_ID, key));
      if (!id) throw new Error(`the demo's record ${key} is missing`);
      return [key, id];
    }),
  );
}
