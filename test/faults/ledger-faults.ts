// Faults at the steps of the ledger's batches, while clients write nothing but the ledger: payments,
// credit notes and voids that race for the same invoices and items.
import type { FailStep } from '../../config/fail-points.js';
import { sendRequest } from './exchange.js';
import { BOTH, type Fault, pause, REDIS } from './fault.js';
import { LEDGER_KINDS, type LedgerKind } from './ledger-writes.js';
import { flushRedis } from './redis-faults.js';
import { killAtSteps, stopAtSteps, WORKER_STEPS } from './steps.js';
import type { System } from './system.js';

/** Per company and request, and how many of these: more than are voided while a fault lasts. */
const BATCH = 100;
const BATCHES = 2;
const LIMIT_MS = 12_000;

/** To kill workers at each step of one kind. */
const SECONDS_PER_KIND = 10;

/** SIGKILL at each step of each kind; of fewer kinds in a quick run. */
const kill: Fault = {
  name: 'kill-at-ledger-steps',
  modes: BOTH,
  parts: ['web', 'worker'],
  seconds: SECONDS_PER_KIND * LEDGER_KINDS.length,
  run: (system, random, seconds) =>
    withLedgerOnly(system, async () => {
      const count = Math.ceil(seconds / SECONDS_PER_KIND);
      for (const kind of random.shuffle(LEDGER_KINDS).slice(0, count)) {
        await supplyInvoices(system);
        system.ledgerKinds = [kind];
        await killAtSteps(system, stepsOf([kind]), random);
      }
    }),
};

/** SIGSTOP at each step. The process resumes when others have done its work. */
const stop: Fault = {
  name: 'stop-at-ledger-steps',
  modes: BOTH,
  parts: ['web', 'worker'],
  seconds: 4,
  needsItsTime: true,
  run: (system, random, seconds) =>
    withLedgerOnly(system, async () => {
      await supplyInvoices(system);
      await stopAtSteps(system, stepsOf(LEDGER_KINDS), random, () => pause(seconds));
    }),
};

/** Redis loses everything at each step. */
const flush: Fault = {
  name: 'flush-at-ledger-steps',
  modes: REDIS,
  parts: ['web', 'worker', 'redis'],
  seconds: 15,
  needsItsTime: true,
  run: (system, random) =>
    withLedgerOnly(system, async () => {
      await supplyInvoices(system);
      await stopAtSteps(system, stepsOf(LEDGER_KINDS), random, () => flushRedis(system));
    }),
};

export const LEDGER_FAULTS: readonly Fault[] = [kill, stop, flush];

/** The steps of a batch. Only credit notes, and so voids, move stock. */
function stepsOf(kinds: readonly LedgerKind[]): readonly FailStep[] {
  const movesStock = kinds.includes('creditNote') || kinds.includes('void');
  return WORKER_STEPS.filter(step => step !== 'stock-moved' || movesStock);
}

async function withLedgerOnly(system: System, work: () => Promise<void>): Promise<void> {
  system.ledgerKinds = LEDGER_KINDS;
  await work().finally(() => {
    system.ledgerKinds = null;
  });
}

/** Invoices to be credited and voided, since clients create none meanwhile. */
async function supplyInvoices(system: System): Promise<void> {
  const invoices = Array.from({ length: BATCH }, (_, index) => ({
    customerName: `Customer ${1 + (index % 6)}`,
    date: '2026-11-20',
    items: ['Hot 0', 'Hot 1', `Cold ${index % 60}`].map(name => ({ name, qty: 4, price: 9.99 })),
  }));
  const [port = 0] = system.webPorts;
  for (const { companyId, key } of system.companies)
    for (let count = 0; count < BATCHES; count += 1) {
      const end = await sendRequest({
        method: 'POST',
        port,
        path: '/api/external/invoices/batch',
        headers: { 'x-api-key': key, 'content-type': 'application/json' },
        limitMs: LIMIT_MS,
        body: JSON.stringify({ invoices }),
      });
      // Another fault may disturb this request. The earlier invoices must then do.
      if (!('status' in end) || end.status !== 200) continue;
      for (const { invoice } of JSON.parse(end.text).results)
        if (invoice) system.targets.addInvoice(companyId, invoice);
    }
}
