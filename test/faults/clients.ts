// Seeded clients. Each records a request in the journal, sends it, and records the answer.
import { setTimeout as delay } from 'node:timers/promises';
import type { TestCompany } from '../support/factories.js';
import { keyInBatch, sendBatch, sendRead, sendWrite } from './exchange.js';
import type { Entry, Journal } from './journal.js';
import {
  advance,
  LEDGER_KINDS,
  type LedgerKind,
  ledgerWrite,
  type Request,
} from './ledger-writes.js';
import type { Random } from './random.js';
import { adjustment, invoice } from './stock-writes.js';
import type { Known, Targets } from './targets.js';

const PAUSE_AFTER_FAILURE_MS = 100;
/** Payments and credit notes are as common as the rest together. */
const USUAL_KINDS: readonly LedgerKind[] = [
  ...LEDGER_KINDS,
  ...['payment', 'payment', 'creditNote', 'creditNote'],
] as LedgerKind[];
/** The share of writes that create several invoices in one request. */
const BATCHES = 0.05;
const BATCH_MAX = 12;
const PREFERENCES = [null, null, 'wait=3', 'wait=1', 'respond-async'];
const READS = [
  '/summary',
  '/invoices?limit=20',
  '/invoices?status=open&limit=20',
  '/payments?limit=20',
  '/credit-notes?limit=20',
  '/inventory?low=1',
  '/customers?limit=20',
  '/receivables?limit=20',
  '/receivables?asOf=2026-11-14&limit=20',
  '/statements?customerName=Customer%202&limit=20',
  '/statements?customerName=Customer%203&type=open&to=2026-11-14&limit=20',
];
/** A read waits for a connection, for its statement, and answers 503 within this time. */
const READ_LIMIT_MS = 12_000;

export interface LoadState {
  readonly isStopped: () => boolean;
  readonly hangUpShare: () => number;
  /** The only kinds to write while a fault concerns them; null: all, invoices and stock as well. */
  readonly ledgerKinds: () => readonly LedgerKind[] | null;
  readonly targets: Targets;
  /** How long an answer may take beyond the request's wait. */
  readonly graceMs: number;
  /** The mean of the pauses of a client between two requests. */
  readonly pauseMs: number;
}

/** Runs one client until `isStopped`. */
export async function runClient(
  name: string,
  companies: readonly TestCompany[],
  ports: readonly number[],
  journal: Journal,
  random: Random,
  state: LoadState,
): Promise<void> {
  for (let turn = 1; !state.isStopped(); turn += 1) {
    if (state.pauseMs > 0) await delay(random.between(0, 2 * state.pauseMs));
    const company = random.pick(companies);
    const port = random.pick(ports);
    if (random.next() < 0.25) {
      await read(port, company, random, journal);
      continue;
    }
    const prefer = random.pick(PREFERENCES);
    const key = `${name}-${turn}`;
    const kinds = state.ledgerKinds();
    const make = (ownKey: string, request: Request) =>
      makeEntry(ownKey, request, company, port, prefer, state.graceMs);
    const isBatch = kinds === null && random.next() < BATCHES;
    const entries: readonly [Entry, ...Entry[]] = isBatch
      ? chooseBatch(key, state.targets.of(company.companyId), random, make)
      : [make(key, chooseWrite(key, company, state.targets, random, kinds))];
    // Some clients hang up, some while they still send: the outcome of their key stays unknown.
    const hangUpMs = random.next() < state.hangUpShare() ? random.between(0, 40) : null;
    await journal.write(entries, async () =>
      isBatch
        ? sendBatch(port, key, entries, hangUpMs)
        : [await sendWrite(port, entries[0], hangUpMs)],
    );
    for (const entry of entries) state.targets.learn(entry);
    const isFailure = ({ answer }: Entry) => !answer || answer.status >= 500;
    if (entries.some(isFailure)) await delay(PAUSE_AFTER_FAILURE_MS);
  }
}

/** The invoices of one request, each a write of its own. */
function chooseBatch(
  key: string,
  known: Known,
  random: Random,
  make: (ownKey: string, request: Request) => Entry,
): [Entry, ...Entry[]] {
  const makeInvoice = (index: number) => {
    const ownKey = keyInBatch(key, index);
    return make(ownKey, { path: '/invoices', body: invoice(ownKey, known, random) });
  };
  const others = Array.from({ length: random.between(1, BATCH_MAX - 1) }, (_, at) => at + 1);
  return [makeInvoice(0), ...others.map(makeInvoice)];
}

async function read(
  port: number,
  { companyId, key }: TestCompany,
  random: Random,
  journal: Journal,
): Promise<void> {
  const target = random.pick(READS);
  const path = `/api/external${target}`;
  const exchange = { companyId, path, startedAt: Date.now(), port, limitMs: READ_LIMIT_MS };
  await journal.read(exchange, () => sendRead(exchange, key));
}

/** A seeded write: of these kinds of the ledger, or of all kinds. */
export function chooseWrite(
  key: string,
  { companyId }: TestCompany,
  targets: Targets,
  random: Random,
  ledgerKinds: readonly LedgerKind[] | null = null,
): Request {
  const known = targets.of(companyId);
  if (ledgerKinds !== null)
    return random.next() < 0.6
      ? ledgerWrite(random.pick(ledgerKinds), key, known, random)
      : advance(key, known, random);
  const draw = random.next();
  if (draw < 0.4) return { path: '/invoices', body: invoice(key, known, random) };
  if (draw < 0.52) return { path: '/inventory/adjustments', body: adjustment(key, known, random) };
  return ledgerWrite(random.pick(USUAL_KINDS), key, known, random);
}

/** The request as an entry of the journal. `prefer` is its Prefer header. */
export function makeEntry(
  key: string,
  { path, body }: Request,
  company: TestCompany,
  port: number,
  prefer: string | null,
  graceMs: number,
): Entry {
  const waitMs =
    prefer === null ? 10_000 : prefer === 'respond-async' ? 0 : Number(prefer.slice(5)) * 1000;
  return {
    key,
    companyKey: company.key,
    companyId: company.companyId,
    path: `/api/external${path}`,
    body,
    prefer,
    startedAt: Date.now(),
    port,
    limitMs: waitMs + graceMs,
  };
}
