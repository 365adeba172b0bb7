// How soon after its event a webhook starts: with all endpoints in order, beside some that hang,
// and beside many that are far behind. And how many a worker delivers per second.

import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { closeDatabase, openDatabase } from '../../src/platform/db/connection.js';
import { today } from '../support/days.js';
import { makeCompany } from '../support/factories.js';
import { until } from '../support/processes.js';
import type { Stack } from '../support/suite.js';
import { writeEvents } from '../support/webhooks.js';
import { memoryNow } from './measure.js';
import { rounded } from './numbers.js';
import { itemName } from './row-names.js';
import type { Testbed } from './testbed.js';
import type { BenchCompany } from './world.js';

const ENDPOINTS_PER_COMPANY = 10;
/** Of each company's endpoints. */
const HANGING = 2;
const WRITE_EVERY_MS = 100;
const BACKLOG_EVENTS = 10_000;
const BEHIND = { companies: 1_000, events: 100 };
const REQUESTS_AT_ONCE = 16;
const TIMEOUT_MS = 120_000;

/** Paths below it get no answer. */
const HANG = '/hang';

interface EndpointRef {
  readonly key: string;
  readonly id: string;
}

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
  const sql = async <Row extends object>(text: string, values: unknown[] = []) =>
    (await pool.query<Row>(text, values)).rows;
  try {
    return await new WebhookBench({ testbed, seconds, say, receiver, sql }).run();
  } finally {
    await closeDatabase();
    await pool.end();
    receiver.close();
  }
}

interface Parts {
  readonly testbed: Testbed;
  readonly seconds: number;
  readonly say: (text: string) => void;
  readonly receiver: Awaited<ReturnType<typeof startReceiver>>;
  readonly sql: Stack['sql'];
}

class WebhookBench {
  readonly #parts: Parts;
  readonly #api: string;

  constructor(parts: Parts) {
    this.#parts = parts;
    const port = parts.testbed.processes.find(({ name }) => name === 'web')?.port;
    this.#api = `http://127.0.0.1:${port}/api/external`;
  }

  async run(): Promise<WebhookFigure[]> {
    const hanging = await this.#subscribeCompanies();
    const all = ENDPOINTS_PER_COMPANY * this.#parts.testbed.world.companies.length;
    await this.#setStatus(hanging, 'paused');
    await this.#measure('warm-up');
    const figures = [await this.#measure('all endpoints answer')];
    await this.#setStatus(hanging, 'active');
    figures.push(await this.#measure(`${hanging.length} of ${all} endpoints hang`));
    await this.#setStatus(hanging, 'paused');
    await this.#deliverBacklog();
    const behind = await this.#subscribeBehind();
    const what = `${behind} endpoints are ${BEHIND.events} events behind`;
    return [...figures, await this.#measure(what)];
  }

  async #call(key: string, method: string, path: string, body: object): Promise<{ id: string }> {
    const response = await fetch(this.#api + path, {
      method,
      headers: { 'x-api-key': key, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as { id: string };
  }

  #subscribe(key: string, path: string, fields: object): Promise<{ id: string }> {
    const url = this.#parts.receiver.url + path;
    return this.#call(key, 'POST', '/webhook-endpoints', { url, ...fields });
  }

  /** Returns those that hang. */
  async #subscribeCompanies(): Promise<EndpointRef[]> {
    const hanging: EndpointRef[] = [];
    for (const { key } of this.#parts.testbed.world.companies) {
      for (let index = 0; index < ENDPOINTS_PER_COMPANY; index += 1) {
        const path = `${index < HANGING ? HANG : ''}/${index}`;
        const { id } = await this.#subscribe(key, path, { types: ['invoice.*'] });
        if (index < HANGING) hanging.push({ key, id });
      }
    }
    return hanging;
  }

  async #setStatus(endpoints: readonly EndpointRef[], status: string): Promise<void> {
    for (const { key, id } of endpoints)
      await this.#call(key, 'PATCH', `/webhook-endpoints/${id}`, { status });
  }

  /** Creates invoices, and waits for the webhooks of those that do not hang. */
  async #measure(what: string): Promise<WebhookFigure> {
    const { testbed, seconds, receiver, say } = this.#parts;
    const { companies, items } = testbed.world;
    receiver.delays.splice(0);
    const writes: Promise<unknown>[] = [];
    for (let count = 0; count * WRITE_EVERY_MS < seconds * 1000; count += 1) {
      const { key } = companies[count % companies.length] as BenchCompany;
      writes.push(this.#call(key, 'POST', '/invoices', newInvoice(count, items)));
      await delay(WRITE_EVERY_MS);
    }
    await Promise.all(writes);
    await this.#untilArrived(writes.length * (ENDPOINTS_PER_COMPANY - HANGING));
    const sorted = receiver.delays.toSorted((a, b) => a - b);
    const at = (share: number) => sorted[Math.floor(share * sorted.length)] ?? Number.NaN;
    const workerMib = memoryNow(testbed).worker ?? Number.NaN;
    const figure = { what, webhooks: sorted.length, p50Ms: at(0.5), p99Ms: at(0.99), workerMib };
    say(
      `${what}: ${sorted.length} webhooks, p50 ${rounded(at(0.5))} ms, ` +
        `p99 ${rounded(at(0.99))} ms; worker ${rounded(workerMib)} MiB`,
    );
    return figure;
  }

  #untilArrived(count: number): Promise<void> {
    const { delays } = this.#parts.receiver;
    const text = () => `${delays.length} of ${count} webhooks`;
    return until(text, async () => delays.length >= count, TIMEOUT_MS);
  }

  async #deliverBacklog(): Promise<void> {
    const { receiver, say, sql } = this.#parts;
    const company = await makeCompany({ sql, baseUrl: '' });
    await writeEvents(company, BACKLOG_EVENTS);
    receiver.delays.splice(0);
    await this.#subscribe(company.key, '/backlog', { types: ['*'], after: 0 });
    const startedAt = performance.now();
    await this.#untilArrived(BACKLOG_EVENTS);
    const perSecond = BACKLOG_EVENTS / ((performance.now() - startedAt) / 1000);
    say(`a backlog of ${BACKLOG_EVENTS}: ${rounded(perSecond)} webhooks per second`);
  }

  /** Returns how many endpoints these are. */
  async #subscribeBehind(): Promise<number> {
    const { sql } = this.#parts;
    const left = Array.from({ length: BEHIND.companies }, (_, index) => index).values();
    const lane = async () => {
      for (const index of left) {
        const company = await makeCompany({ sql, baseUrl: '' });
        await writeEvents(company, BEHIND.events);
        for (let at = 0; at < ENDPOINTS_PER_COMPANY; at += 1)
          await this.#subscribe(company.key, `${HANG}/${index}/${at}`, { types: ['*'], after: 0 });
      }
    };
    await Promise.all(Array.from({ length: REQUESTS_AT_ONCE }, lane));
    return BEHIND.companies * ENDPOINTS_PER_COMPANY;
  }
}

const newInvoice = (count: number, items: number) => ({
  customerName: 'Castle',
  date: today(),
  items: [1, 2, 3].map(at => ({
    name: itemName(1 + ((3 * count + at) % items)),
    qty: 1,
    price: 2,
  })),
});

/** Answers all paths but those below HANG, and notes how old the event of each request is. */
async function startReceiver() {
  const delays: number[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request.setEncoding('utf8')) body += chunk;
    if (request.url?.startsWith(HANG)) return;
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
