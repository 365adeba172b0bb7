// The demo company of `npm start`: a distributor with two months of invoices and low stock. All of
// it is settled like any other write, with fixed keys, so an interrupted start is completed later.
import type { Actor } from '../companies/actor.js';
import { stockWrites } from '../inventory/adjust.js';
import { invoiceWrites } from '../invoices/post.js';
import { Settlement } from '../jobs/settle/settlement.js';
import { fingerprintOf, jobId } from '../jobs/submit/submission.js';
import { QueueKinds, type Submission, type WriteKind } from '../jobs/write-kind.js';
import { closeDatabase, openDatabase, query, queryOne } from '../platform/db/connection.js';
import { createLog, type Log } from '../platform/process/log.js';
import { refreshSummary } from '../summary/refresh.js';
import { type DemoSignIn, ensureDemoKey, ensureDemoSignIn, findDemoOwner } from './credentials.js';
import { dateHistory } from './date-history.js';
import { demoHistory, firstDay, type Write } from './history.js';
import { CUSTOMERS, PRODUCTS, priceOf } from './products.js';

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
  await query(
    `INSERT INTO companies (id, name, currency, time_zone, first_steps_hidden)
     VALUES ($1, $2, 'USD', 'UTC', true)
     ON CONFLICT DO NOTHING`,
    [COMPANY_ID, COMPANY_NAME],
  );
  // Before the records, which are the owner's.
  const signIn = await ensureDemoSignIn(COMPANY_ID, dataDir);
  if (!state?.complete) await writeDemo(log);
  const [name = '', , cost = 0] = PRODUCTS[0] ?? [];
  return {
    key: await ensureDemoKey(COMPANY_ID, dataDir),
    signIn,
    item: { name, price: priceOf(cost) },
    customer: CUSTOMERS[0] ?? '',
  };
}

async function writeDemo(log: Log): Promise<void> {
  const owner = await findDemoOwner(COMPANY_ID);
  const settlement = (kind: WriteKind) =>
    new Settlement(new QueueKinds([kind]), { batchMax: BATCH, reply: async () => undefined, log });
  const kinds = {
    stock: { kind: stockWrites, settlement: settlement(stockWrites) },
    invoices: { kind: invoiceWrites, settlement: settlement(invoiceWrites) },
  };
  const now = new Date();
  const steps = demoHistory(now);
  for (const { kind: name, writes } of steps) {
    const { kind, settlement } = kinds[name];
    await settlement.take(writes.map(write => submission(kind, write, owner)));
  }
  const dated = steps.flatMap(({ writes }) => writes);
  await dateHistory(
    COMPANY_ID,
    firstDay(now),
    dated.map(({ key, at }) => ({ submissionId: jobId(COMPANY_ID, key), at })),
  );
  // Not left to the scheduler's sweep: the banner's first curl line must show every invoice.
  await refreshSummary(COMPANY_ID);
}

function submission(
  { type, path }: WriteKind,
  { key, at, request }: Write,
  createdBy: Actor | null,
): Submission {
  const id = jobId(COMPANY_ID, key);
  return {
    companyId: COMPANY_ID,
    type,
    id,
    fingerprint: fingerprintOf(path(request), request),
    submissionId: id,
    requestId: key,
    acceptedAt: at.toISOString(),
    payload: request,
    createdBy,
    replyTo: '',
  };
}
