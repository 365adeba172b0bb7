// Seeded clients. Each records a request in the journal, sends it, and records the answer.
import { setTimeout as delay } from 'node:timers/promises';
import type { TestCompany } from '../support/factories.js';
import { sendRead, sendWrite } from './exchange.js';
import type { Entry, Journal } from './journal.js';
import type { Random } from './random.js';

const HOT = 3;
const COLD = 60;
const PAUSE_AFTER_FAILURE_MS = 100;
const PREFERENCES = [null, null, 'wait=3', 'wait=1', 'respond-async'];
/** A read waits for a connection, for its statement, and answers 503 within this time. */
const READ_LIMIT_MS = 12_000;

/** Item names of a company: a few hot ones that all clients use, and many cold ones. */
export function itemNames(): string[] {
  return [
    ...Array.from({ length: HOT }, (_, index) => `Hot ${index}`),
    ...Array.from({ length: COLD }, (_, index) => `Cold ${index}`),
  ];
}

export interface LoadState {
  readonly isStopped: () => boolean;
  readonly hangUpShare: () => number;
  /** How long an answer may take beyond the request's wait. */
  readonly graceMs: number;
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
    const company = random.pick(companies);
    const port = random.pick(ports);
    if (random.next() < 0.25) {
      await read(port, company, random, journal);
      continue;
    }
    const prefer = random.pick(PREFERENCES);
    const entry = makeEntry(`${name}-${turn}`, company, port, prefer, state.graceMs, random);
    // Some clients hang up, some while they still send: the outcome of their key stays unknown.
    const hangUpMs = random.next() < state.hangUpShare() ? random.between(0, 40) : null;
    await journal.write(entry, () => sendWrite(port, entry, hangUpMs));
    if (!entry.answer || entry.answer.status >= 500) await delay(PAUSE_AFTER_FAILURE_MS);
  }
}

async function read(
  port: number,
  { companyId, key }: TestCompany,
  random: Random,
  journal: Journal,
): Promise<void> {
  const target = random.pick(['/summary', '/invoices?limit=20', '/inventory?low=1']);
  const path = `/api/external${target}`;
  const exchange = { companyId, path, startedAt: Date.now(), port, limitMs: READ_LIMIT_MS };
  await journal.read(exchange, () => sendRead(exchange, key));
}

/** A seeded write. `prefer` is its Prefer header. */
export function makeEntry(
  key: string,
  company: TestCompany,
  port: number,
  prefer: string | null,
  graceMs: number,
  random: Random,
): Entry {
  const waitMs =
    prefer === null ? 10_000 : prefer === 'respond-async' ? 0 : Number(prefer.slice(5)) * 1000;
  const isInvoice = random.next() < 0.8;
  return {
    key,
    companyKey: company.key,
    companyId: company.companyId,
    path: `/api/external/${isInvoice ? 'invoices' : 'inventory/adjustments'}`,
    body: isInvoice ? invoice(key, random) : adjustment(key, random),
    prefer,
    startedAt: Date.now(),
    port,
    limitMs: waitMs + graceMs,
  };
}

function invoice(key: string, random: Random): Record<string, unknown> {
  const items = Array.from({ length: random.between(1, 4) }, () => {
    const draw = random.next();
    const name =
      draw < 0.4
        ? `Hot ${random.between(0, HOT - 1)}`
        : draw < 0.8
          ? `Cold ${random.between(0, COLD - 1)}`
          : 'Delivery';
    // A few lines ask for more than the stock.
    return {
      name,
      qty: random.next() < 0.03 ? 900_000 : random.between(1, 40) / 4,
      price: random.between(0, 99_999) / 100,
    };
  });
  return {
    customerName: `Customer ${random.between(1, 20)}`,
    date: `2026-11-${String(random.between(1, 28)).padStart(2, '0')}`,
    items,
    reference: key,
  };
}

function adjustment(key: string, random: Random): Record<string, unknown> {
  const receives = random.next() < 0.7;
  const items = Array.from({ length: random.between(1, 3) }, () => ({
    name:
      receives && random.next() < 0.1 ? `New ${random.between(1, 50)}` : random.pick(itemNames()),
    delta: receives ? random.between(1, 80) / 2 : -random.between(1, 20) / 2,
  }));
  return { reason: receives ? 'received' : 'damaged', reference: key, items };
}
