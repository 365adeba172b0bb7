// How soon after its event a webhook starts: with all endpoints in order, beside some that hang,
// and beside many that are far behind. And how many a worker delivers per second.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { v7 as uuidv7 } from 'uuid';
import { appendEvents } from '../../src/feed/append.js';
import { closeDatabase, inTransaction, openDatabase } from '../../src/platform/db/connection.js';
import { makeCompany } from '../support/factories.js';
import { until } from '../support/processes.js';
import { memoryNow } from './measure.js';
import { rounded } from './numbers.js';
import type { Testbed } from './testbed.js';
import { type BenchCompany, itemName } from './world.js';

const ENDPOINTS_PER_COMPANY = 10;
/** Of each company's endpoints. */
const HANGING = 2;
const WRITE_EVERY_MS = 100;
const BACKLOG_EVENTS = 10_000;
const BEHIND = { companies: 1_000, events: 100 };
const REQUESTS_AT_ONCE = 16;
const TIMEOUT_MS = 120_000;

export interface WebhookFigure {
  readonly what: string;
  readonly webhooks: number;
  /** From the event's time, which is shortly before its commit, to the arrival. */
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly workerMib: number;
}

export async function measureWebhooks(
  testbed: Testbed,
  seconds: number,
  say: (text: string) => void,
): Promise<WebhookFigure[]> {
  const receiver = await startReceiver();
  const pool = new pg.Pool({ connectionString: testbed.databaseUrl, max: 4 });
  openDatabase({ url: testbed.databaseUrl, poolMax: 4, name: 'tradepost-bench' });
  try {
    return await measureAll(testbed, { seconds, receiver, pool, say });
  } finally {
    await closeDatabase();
    await pool.end();
    receiver.close();
  }
}

type Receiver = Awaited<ReturnType<typeof startReceiver>>;

interface Run {
  readonly seconds: number;
  readonly receiver: Receiver;
  readonly pool: pg.Pool;
  readonly say: (text: string) => void;
}

async function measureAll(
  testbed: Testbed,
  { seconds, receiver, pool, say }: Run,
): Promise<WebhookFigure[]> {
  const { companies } = testbed.world;
  const port = testbed.processes.find(({ name }) => name === 'web')?.port;
  const call = async (key: string, method: string, path: string, body: object) => {
    const response = await fetch(`http://127.0.0.1:${port}/api/external${path}`, {
      method,
      headers: { 'x-api-key': key, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as { id: string };
  };
  const subscribe = (key: string, path: string, fields: object) =>
    call(key, 'POST', '/webhook-endpoints', { url: receiver.url + path, ...fields });
  const measure = async (what: string): Promise<WebhookFigure> => {
    receiver.delays.splice(0);
    const writes: Promise<unknown>[] = [];
    for (let count = 0; count * WRITE_EVERY_MS < seconds * 1000; count += 1) {
      const { key } = companies[count % companies.length] as BenchCompany;
      writes.push(call(key, 'POST', '/invoices', newInvoice(count)));
      await delay(WRITE_EVERY_MS);
    }
    await Promise.all(writes);
    const expected = writes.length * (ENDPOINTS_PER_COMPANY - HANGING);
    await until(
      () => `${receiver.delays.length} of ${expected} webhooks`,
      async () => receiver.delays.length >= expected,
      TIMEOUT_MS,
    );
    const sorted = receiver.delays.toSorted((a, b) => a - b);
    const at = (share: number) => sorted[Math.floor(share * sorted.length)] ?? Number.NaN;
    const workerMib = memoryNow(testbed).worker ?? Number.NaN;
    const figure = { what, webhooks: sorted.length, p50Ms: at(0.5), p99Ms: at(0.99), workerMib };
    say(
      `${what}: ${sorted.length} webhooks, p50 ${rounded(at(0.5))} ms, ` +
        `p99 ${rounded(at(0.99))} ms; worker ${rounded(workerMib)} MiB`,
    );
    return figure;
  };

  const hanging: { readonly key: string; readonly id: string }[] = [];
  for (const { key } of companies) {
    for (let index = 0; index < ENDPOINTS_PER_COMPANY; index += 1) {
      const hangs = index < HANGING;
      const { id } = await subscribe(key, `${hangs ? '/hang' : ''}/${index}`, {
        types: ['invoice.*'],
      });
      if (hangs) hanging.push({ key, id });
    }
  }
  const setHanging = (status: string) =>
    Promise.all(
      hanging.map(({ key, id }) => call(key, 'PATCH', `/webhook-endpoints/${id}`, { status })),
    );
  await setHanging('paused');
  await measure('warm-up');
  const figures = [await measure('all endpoints answer')];
  await setHanging('active');
  figures.push(await measure(`${hanging.length} of 100 endpoints hang`));
  await setHanging('paused');

  const sql = async <Row extends object>(text: string, values: unknown[] = []) =>
    (await pool.query<Row>(text, values)).rows;
  const backlog = await makeCompany({ sql, baseUrl: '' });
  await writeEvents(backlog.companyId, BACKLOG_EVENTS);
  receiver.delays.splice(0);
  await subscribe(backlog.key, '/backlog', { types: ['*'], after: 0 });
  const startedAt = performance.now();
  await until(
    'the backlog is delivered',
    async () => receiver.delays.length >= BACKLOG_EVENTS,
    TIMEOUT_MS,
  );
  const perSecond = BACKLOG_EVENTS / ((performance.now() - startedAt) / 1000);
  say(`a backlog of ${BACKLOG_EVENTS}: ${rounded(perSecond)} webhooks per second`);

  const many = Array.from({ length: BEHIND.companies }, (_, index) => index).values();
  await Promise.all(
    Array.from({ length: REQUESTS_AT_ONCE }, async () => {
      for (const index of many) {
        const { companyId, key } = await makeCompany({ sql, baseUrl: '' });
        await writeEvents(companyId, BEHIND.events);
        for (let at = 0; at < ENDPOINTS_PER_COMPANY; at += 1)
          await subscribe(key, `/hang/${index}/${at}`, { types: ['*'], after: 0 });
      }
    }),
  );
  const count = BEHIND.companies * ENDPOINTS_PER_COMPANY;
  figures.push(await measure(`${count} endpoints are ${BEHIND.events} events behind`));
  return figures;
}

const newInvoice = (count: number) => ({
  customerName: 'Castle',
  date: new Date().toISOString().slice(0, 10),
  items: [1, 2, 3].map(at => ({ name: itemName(1 + ((3 * count + at) % 500)), qty: 1, price: 2 })),
});

function writeEvents(companyId: string, count: number): Promise<void> {
  const events = Array.from({ length: count }, () => {
    const id = uuidv7();
    const data = { id, name: 'Till', scopes: [], expiresAt: null, revokedAt: null };
    return { type: 'key.updated', subjectId: id, actor: null, data };
  });
  return inTransaction(tx => appendEvents(companyId, events, tx));
}

/** Answers all but paths below /hang, and notes how old the event of each request is. */
async function startReceiver() {
  const delays: number[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request.setEncoding('utf8')) body += chunk;
    if (request.url?.startsWith('/hang')) return;
    delays.push(Date.now() - Date.parse(JSON.parse(body).timestamp));
    response.writeHead(204).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    delays,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
