// The companies that an attack must not concern: they write and read at a steady rate, which no
// late answer slows down. Measures their answers, and how long the web process is busy.
import { setTimeout as delay } from 'node:timers/promises';
import type { TestCompany } from '../support/factories.js';
import { sendRequest } from './exchange.js';

const WRITE_EVERY_MS = 100;
const READ_EVERY_MS = 200;
const HEALTH_EVERY_MS = 100;
/** Later answers are failures; the request then ends ten seconds later. */
const LIMIT_MS = 10_000;
const READS = ['/invoices?limit=20', '/summary', '/inventory?low=1', '/invoices?limit=5'];

/** The times of requests in milliseconds, and how many succeeded. */
export interface Measured {
  readonly times: number[];
  succeeded: number;
  /** How often each status, or each cause of a failure, ended a request that did not succeed. */
  readonly failures: Map<string, number>;
}

export interface Others {
  readonly writes: Measured;
  readonly reads: Measured;
  /** The longest answer of /healthz. */
  healthMs: number;
}

/** Items that the companies sell, with their SKUs. */
export const OWN_ITEMS = ['Pump', 'Hose', 'Valve'].map(name => ({
  ...{ name, sku: `SKU-${name}`, delta: 1_000_000, unitPrice: 9.5 },
}));

/** Writes and reads for the companies until `work` is done, and waits for the answers. */
export async function measureOthers(
  port: number,
  companies: readonly TestCompany[],
  work: () => Promise<void>,
): Promise<Others> {
  const none = (): Measured => ({ times: [], succeeded: 0, failures: new Map() });
  const others: Others = { writes: none(), reads: none(), healthMs: 0 };
  const pending = new Set<Promise<void>>();
  let isOver = false;
  const steadily = async (everyMs: number, request: (turn: number) => Promise<void>) => {
    const startedAt = performance.now();
    for (let turn = 1; !isOver; turn += 1) {
      const sent: Promise<void> = request(turn).finally(() => pending.delete(sent));
      pending.add(sent);
      await delay(Math.max(0, startedAt + turn * everyMs - performance.now()));
    }
  };
  const pollHealth = async () => {
    while (!isOver) {
      others.healthMs = Math.max(others.healthMs, await healthMs(port));
      await delay(HEALTH_EVERY_MS);
    }
  };
  const running = [
    pollHealth(),
    ...companies.flatMap(company => [
      steadily(WRITE_EVERY_MS, turn => write(port, company, turn, others.writes)),
      steadily(READ_EVERY_MS, turn => read(port, company, turn, others.reads)),
    ]),
  ];
  await work().finally(() => {
    isOver = true;
  });
  await Promise.all(running);
  await Promise.all(pending);
  return others;
}

/** How long the process takes to say that it is alive. */
export async function healthMs(port: number): Promise<number> {
  const end = await sendRequest({
    ...{ method: 'GET', port, path: '/healthz', headers: {}, limitMs: LIMIT_MS, body: null },
  });
  return end.ms;
}

async function write(port: number, { key }: TestCompany, turn: number, measured: Measured) {
  const items = OWN_ITEMS.map(({ name, sku }, line) => ({
    ...((turn + line) % 2 === 0 ? { name } : { name, sku }),
    ...{ qty: 1, price: 10 },
  }));
  const body = JSON.stringify({ customerName: `Customer ${turn % 9}`, date: '2026-11-20', items });
  const headers = { 'x-api-key': key, 'content-type': 'application/json' };
  const path = '/api/external/invoices';
  const end = await sendRequest({ method: 'POST', port, path, headers, limitMs: LIMIT_MS, body });
  note(measured, 'status' in end ? end.status : end.cause, end.ms, 201);
}

async function read(port: number, { key }: TestCompany, turn: number, measured: Measured) {
  const path = `/api/external${READS[turn % READS.length]}`;
  const headers = { 'x-api-key': key };
  const end = await sendRequest({
    ...{ method: 'GET', port, path, headers, limitMs: LIMIT_MS, body: null },
  });
  note(measured, 'status' in end ? end.status : end.cause, end.ms, 200);
}

function note(measured: Measured, end: number | string, ms: number, expected: number): void {
  measured.times.push(ms);
  if (end === expected) measured.succeeded += 1;
  else measured.failures.set(String(end), (measured.failures.get(String(end)) ?? 0) + 1);
}
