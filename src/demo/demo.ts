// The demo company of `npm start`: a distributor with three months of invoices, payments, credit
// notes and deliveries, and records of its customers. All of it is written like any other write,
// with fixed keys, so an interrupted start is completed later.
import type { Actor } from '../companies/actor.js';
import { Settlement } from '../jobs/settle/settlement.js';
import { fingerprintOf, jobId } from '../jobs/submit/submission.js';
import { kindOf, type Submission, type WriteQueue } from '../jobs/write-kind.js';
import { plainArray } from '../platform/db/arrays.js';
import { closeDatabase, openDatabase, query, queryOne } from '../platform/db/connection.js';
import { COMMAND_LIMITS } from '../platform/db/limits.js';
import { createLog, type Log } from '../platform/process/log.js';
import { refreshSummary } from '../summary/refresh.js';
import { WRITE_QUEUES } from '../write-kinds.js';
import { type DemoSignIn, ensureDemoKey, ensureDemoSignIn, findDemoOwner } from './credentials.js';
import { writeDemoCustomers } from './customers.js';
import { dateHistory } from './date-history.js';
import { DEMO_SETTINGS, demoHistory, type Step, type Write } from './history.js';
import { writeDemoProfile } from './profile.js';

const COMPANY_ID = '01900000-0000-7000-8000-00000000de30';
const COMPANY_NAME = 'Harbour Street Supply';
const FIRST_INVOICE = {
  item: { name: 'Copper pipe 15 mm', price: 5.44 },
  customer: 'Adler Heating',
};
/** More than any step has, so that each step is settled as one batch. */
const BATCH = 100;
/** Members of a request that name a record. */
const REFERENCES = ['invoiceId', 'paymentId', 'creditNoteId'] as const;

export interface Demo {
  readonly companyId: string;
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
  openDatabase({ url: databaseUrl, poolMax: 2, name: 'tradepost-start', limits: COMMAND_LIMITS });
  try {
    // Batches of the one company wait for each other. On a busy machine one is retried, with a
    // warning that is no news here.
    return await prepareDemo(dataDir, createLog('start', 'error'));
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
  // The owner must exist before the records that name them.
  const signIn = await ensureDemoSignIn(COMPANY_ID, dataDir);
  if (!state?.complete) await writeDemo(log);
  const key = await ensureDemoKey(COMPANY_ID, dataDir);
  return { companyId: COMPANY_ID, key, signIn, ...FIRST_INVOICE };
}

async function writeDemo(log: Log): Promise<void> {
  const owner = await findDemoOwner(COMPANY_ID);
  const queues = WRITE_QUEUES.map(queue => {
    const options = { batchMax: BATCH, reply: async () => undefined, log };
    return { queue, settlement: new Settlement(queue, options) };
  });
  const steps = demoHistory(new Date());
  for (const step of steps) {
    const found = queues.find(({ queue }) =>
      queue.kinds.some(({ type }) => type === step[0]?.type),
    );
    if (!found) throw new Error(`no queue has writes of type ${step[0]?.type}`);
    await found.settlement.take(await submissions(step, found.queue, owner));
  }
  await writeDemoCustomers(COMPANY_ID, owner);
  await writeDemoProfile(COMPANY_ID, owner);
  await dateHistory(
    COMPANY_ID,
    steps.flat().map(({ key, at }) => ({ submissionId: jobId(COMPANY_ID, key), at })),
  );
  // The banner's first curl line must show every invoice, without a wait for the scheduler.
  await refreshSummary(COMPANY_ID);
}

async function submissions(
  step: Step,
  queue: WriteQueue,
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
      fingerprint: fingerprintOf(kindOf(queue, write).path(payload), payload),
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

/** The records that a write names: the members of its request, and the keys of their writes. */
function referencesOf({ request }: Write): [member: string, key: string][] {
  const members: Readonly<Record<string, unknown>> = { ...request };
  return REFERENCES.flatMap((name): [string, string][] =>
    typeof members[name] === 'string' ? [[name, members[name]]] : [],
  );
}
