// The demo company of `npm start`: a distributor with two months of invoices and low stock. All of
// it is settled like any other write, with fixed keys, so an interrupted start is completed later.
import { stockWrites } from '../inventory/adjust.js';
import type { AdjustmentRequest } from '../inventory/schema.js';
import { invoiceWrites } from '../invoices/post.js';
import type { InvoiceRequest } from '../invoices/schema.js';
import { Settlement } from '../jobs/settle/settlement.js';
import { fingerprintOf, jobId } from '../jobs/submit/submission.js';
import type { Submission, WriteKind } from '../jobs/write-kind.js';
import { closeDatabase, openDatabase, query, queryOne } from '../platform/db/connection.js';
import { createLog, type Log } from '../platform/process/log.js';
import { refreshSummary } from '../summary/refresh.js';
import { type DemoSignIn, ensureDemoKey, ensureDemoSignIn } from './credentials.js';

const COMPANY_ID = '01900000-0000-7000-8000-00000000de30';
const COMPANY_NAME = 'Harbour Street Supply';
const INVOICES = 300;
/** Invoices per batch. Numbers follow the order of the batches. */
const BATCH = 100;

const PRODUCTS: readonly (readonly [name: string, unit: string, cost: number])[] = [
  ['Copper pipe 15 mm', 'm', 3.4],
  ['Copper pipe 22 mm', 'm', 5.85],
  ['Elbow 15 mm', 'pc', 0.42],
  ['Elbow 22 mm', 'pc', 0.78],
  ['Tee 15 mm', 'pc', 0.65],
  ['Ball valve 1/2"', 'pc', 4.9],
  ['Ball valve 3/4"', 'pc', 6.75],
  ['Pressure gauge', 'pc', 8.2],
  ['Circulation pump', 'pc', 84.5],
  ['Expansion vessel 18 l', 'pc', 31.9],
  ['Radiator 600 × 1000', 'pc', 74],
  ['Radiator bracket', 'pair', 3.1],
  ['Thermostat head', 'pc', 9.35],
  ['Insulation 15 mm', 'm', 0.55],
  ['Insulation 22 mm', 'm', 0.7],
  ['Solder 250 g', 'pc', 11.2],
  ['Flux 100 ml', 'pc', 3.95],
  ['PTFE tape', 'pc', 0.35],
  ['Hose 1/2"', 'm', 1.6],
  ['Hose clamp', 'pc', 0.28],
  ['Cable 3 × 1.5 mm²', 'm', 0.62],
  ['Cable 5 × 2.5 mm²', 'm', 1.85],
  ['Socket, white', 'pc', 2.3],
  ['Switch, white', 'pc', 2.1],
  ['Junction box', 'pc', 0.9],
  ['Circuit breaker B16', 'pc', 3.75],
  ['RCD 40 A', 'pc', 24.8],
  ['Cable tie 200 mm', 'pack', 1.45],
  ['LED lamp 9 W', 'pc', 1.95],
  ['LED panel 600 × 600', 'pc', 22.4],
  ['Screw 4 × 40', 'box', 3.2],
  ['Screw 5 × 60', 'box', 4.4],
  ['Wall plug 8 mm', 'box', 2.6],
  ['Drill bit 8 mm', 'pc', 1.8],
  ['Cutting disc 125 mm', 'pc', 0.85],
  ['Silicone, clear', 'pc', 2.75],
  ['Mounting foam', 'pc', 3.6],
  ['Work gloves', 'pair', 1.7],
  ['Safety goggles', 'pc', 2.95],
  ['Dust mask FFP2', 'pack', 6.1],
];

const CUSTOMERS = [
  'Adler Heating',
  'Bright & Sons',
  'Castle Renovation',
  'Delta Electric',
  'Eastgate Builders',
  'Fischer Haustechnik',
  'Green Roof Ltd',
  'Hillside Homes',
  'Ivory Interiors',
  'Jansen Installatie',
  'Kingsway Contractors',
  'Lopez Obras',
  'Martin Plomberie',
  'Northern Property',
  'Oak Lane Housing',
  'Park View Hotel',
  'Quality Kitchens',
  'Riverside School',
  'Smith Plumbing',
  'Tanaka Setsubi',
  'Union Workshop',
  'Valley Farm',
  'Westend Clinic',
  'Yards & Docks',
  'Zenith Facilities',
];

/** Indexes of the products that the stock-take counts low. */
const COUNTED_LOW = [2, 7, 8, 16, 21, 26, 33, 36];

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
  const state = await queryOne<{ others: boolean; invoices: string | null }>(
    `SELECT
       EXISTS (SELECT 1 FROM companies WHERE id <> $1) AS others,
       (SELECT next_invoice_number - 1 FROM companies WHERE id = $1) AS invoices`,
    [COMPANY_ID],
  );
  if (state?.others && state.invoices === null) return null;
  if (Number(state?.invoices ?? 0) < INVOICES) await writeDemo(log);
  const [name = '', , cost = 0] = PRODUCTS[0] ?? [];
  return {
    key: await ensureDemoKey(COMPANY_ID, dataDir),
    signIn: await ensureDemoSignIn(COMPANY_ID, dataDir),
    item: { name, price: priceOf(cost) },
    customer: CUSTOMERS[0] ?? '',
  };
}

async function writeDemo(log: Log): Promise<void> {
  await query(
    `INSERT INTO companies (id, name, currency, time_zone)
     VALUES ($1, $2, 'USD', 'UTC')
     ON CONFLICT DO NOTHING`,
    [COMPANY_ID, COMPANY_NAME],
  );
  const settlement = (kind: WriteKind) =>
    new Settlement(kind, {
      batchMax: BATCH,
      reply: async () => undefined,
      log,
    });
  const stock = settlement(stockWrites);
  const invoices = settlement(invoiceWrites);
  await stock.take([submission(stockWrites.path, 'demo-opening-stock', openingStock())]);
  const requests = demoInvoices(new Date());
  for (let start = 0; start < requests.length; start += BATCH) {
    const batch = requests.slice(start, start + BATCH);
    await invoices.take(
      batch.map((request, index) =>
        submission(invoiceWrites.path, `demo-invoice-${start + index + 1}`, request),
      ),
    );
  }
  await stock.take([submission(stockWrites.path, 'demo-stock-take', stockTake())]);
  // Not left to the scheduler's sweep: the banner's first curl line must show every invoice.
  await refreshSummary(COMPANY_ID);
}

function submission(
  path: string,
  key: string,
  payload: AdjustmentRequest | InvoiceRequest,
): Submission {
  const id = jobId(COMPANY_ID, key);
  const fingerprint = fingerprintOf(path, payload);
  return {
    companyId: COMPANY_ID,
    id,
    fingerprint,
    submissionId: id,
    requestId: key,
    acceptedAt: new Date().toISOString(),
    payload,
    createdBy: null,
    replyTo: '',
  };
}

function openingStock(): AdjustmentRequest {
  const items = PRODUCTS.map(([name, unit, cost], index) => ({
    name,
    unit,
    sku: `HS-${String(index + 1).padStart(3, '0')}`,
    delta: cost < 10 ? 4000 : 400,
    reorderPoint: cost < 10 ? 200 : 20,
    unitCost: cost,
    unitPrice: priceOf(cost),
  }));
  return { reason: 'received', reference: 'Opening stock', items };
}

function stockTake(): AdjustmentRequest {
  const items = COUNTED_LOW.map((product, index) => ({
    name: PRODUCTS[product]?.[0] ?? '',
    count: index * 2,
  }));
  return { reason: 'count', reference: 'Stock take', items };
}

/** Invoices from the first of last month to today, oldest first. Depends only on the date. */
function demoInvoices(today: Date): InvoiceRequest[] {
  const random = pseudoRandom(7);
  const pick = <Value>(values: readonly Value[]) =>
    values[Math.floor(random() * values.length)] as Value;
  const first = Date.UTC(today.getUTCFullYear(), today.getUTCMonth() - 1, 1);
  const dayMs = 86_400_000;
  const days = Math.floor((today.getTime() - first) / dayMs) + 1;
  return Array.from({ length: INVOICES }, (_, index) => {
    const lines = Array.from({ length: 1 + Math.floor(random() * 5) }, () => pick(PRODUCTS));
    const day = new Date(first + Math.floor((index * days) / INVOICES) * dayMs);
    return {
      customerName: pick(CUSTOMERS),
      date: day.toISOString().slice(0, 10),
      items: [
        ...lines.map(([name, , cost]) => ({
          name,
          qty: cost < 10 ? 1 + Math.floor(random() * 20) : 1 + Math.floor(random() * 3),
          price: priceOf(cost),
        })),
        ...(random() < 0.25 ? [{ name: 'Delivery', qty: 1, price: 18.5 }] : []),
      ],
      ...(random() < 0.5 ? { reference: `PO-${1000 + index}` } : {}),
    };
  });
}

function priceOf(cost: number): number {
  return Math.round(cost * 160) / 100;
}

/** Park and Miller's generator, so that the demo is the same on every machine. */
function pseudoRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}
