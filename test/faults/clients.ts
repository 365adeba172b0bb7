// Seeded clients. Each records a request in the journal, sends it, and records the answer.
import { request as httpRequest } from 'node:http';
import type { TestCompany } from '../support/factories.js';
import type { Answer, Entry, Journal } from './journal.js';
import type { Random } from './random.js';

const HOT = 3;
const COLD = 60;
const PAUSE_AFTER_FAILURE_MS = 100;

/** Item names of a company: a few hot ones that all clients use, and many cold ones. */
export function itemNames(): string[] {
  return [
    ...Array.from({ length: HOT }, (_, index) => `Hot ${index}`),
    ...Array.from({ length: COLD }, (_, index) => `Cold ${index}`),
  ];
}

/** Runs one client until `isStopped`. */
export async function runClient(
  name: string,
  companies: readonly TestCompany[],
  ports: readonly number[],
  journal: Journal,
  random: Random,
  state: {
    readonly isStopped: () => boolean;
    readonly hangUpShare: () => number;
    /** How long an answer may take beyond the request's wait. */
    readonly graceMs: number;
  },
): Promise<void> {
  for (let turn = 1; !state.isStopped(); turn += 1) {
    const company = random.pick(companies);
    const port = random.pick(ports);
    if (random.next() < 0.25) {
      await read(port, company, random, journal);
      continue;
    }
    const entry = makeEntry(`${name}-${turn}`, company, port, state.graceMs, random);
    journal.sends(entry);
    // Some clients hang up, some while they still send: the outcome of their key stays unknown.
    const hangUpMs = random.next() < state.hangUpShare() ? random.between(0, 40) : null;
    const answer = await send(port, entry, hangUpMs);
    if (answer) journal.receives(entry, answer);
    if (!answer || answer.status >= 500)
      await new Promise(resolve => setTimeout(resolve, PAUSE_AFTER_FAILURE_MS));
  }
}

function makeEntry(
  key: string,
  company: TestCompany,
  port: number,
  graceMs: number,
  random: Random,
): Entry {
  const prefer = random.pick([null, null, 'wait=3', 'wait=1', 'respond-async']);
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

async function read(
  port: number,
  company: TestCompany,
  random: Random,
  journal: Journal,
): Promise<void> {
  const path = random.pick(['/summary', '/invoices?limit=20', '/inventory?low=1']);
  const answer = await call(
    port,
    'GET',
    `/api/external${path}`,
    { 'x-api-key': company.key },
    null,
    12_000,
    null,
  );
  if (!answer) return;
  if (answer.status !== 200 && answer.status !== 503)
    journal.badReads.push(`GET ${path}: ${answer.status} ${answer.text}`);
}

/** Sends an entry's request. Null if there was no answer. */
export function send(
  port: number,
  entry: Entry,
  hangUpMs: number | null = null,
): Promise<Answer | null> {
  const headers = {
    'x-api-key': entry.companyKey,
    'content-type': 'application/json',
    'idempotency-key': entry.key,
    ...(entry.prefer === null ? {} : { prefer: entry.prefer }),
  };
  return call(
    port,
    'POST',
    entry.path,
    headers,
    JSON.stringify(entry.body),
    entry.limitMs + 10_000,
    hangUpMs,
  );
}

function call(
  port: number,
  method: string,
  path: string,
  headers: Record<string, string>,
  body: string | null,
  timeoutMs: number,
  hangUpMs: number | null,
): Promise<Answer | null> {
  const started = performance.now();
  return new Promise(resolve => {
    const outgoing = httpRequest(
      { host: '127.0.0.1', port, method, path, headers, agent: false },
      incoming => {
        let text = '';
        incoming.setEncoding('utf8').on('data', (chunk: string) => {
          text += chunk;
        });
        incoming.on('error', () => resolve(null));
        incoming.on('aborted', () => resolve(null));
        incoming.on('end', () =>
          resolve({
            status: incoming.statusCode ?? 0,
            text,
            ms: performance.now() - started,
          }),
        );
      },
    );
    outgoing.on('error', () => resolve(null));
    outgoing.setTimeout(timeoutMs, () => outgoing.destroy(new Error('no answer')));
    if (hangUpMs !== null) setTimeout(() => outgoing.destroy(new Error('hung up')), hangUpMs);
    // Hang up in the middle of the body if there is no time for all of it.
    if (hangUpMs !== null && hangUpMs < 5) {
      outgoing.setHeader('content-length', String(body?.length ?? 0));
      outgoing.write(body?.slice(0, body.length / 2) ?? '');
    } else outgoing.end(body ?? undefined);
  });
}
