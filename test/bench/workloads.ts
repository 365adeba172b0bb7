// The workloads: prepared requests for any server with the product's routes.

import { createRandom, type Random } from '../faults/random.js';
import { today } from '../support/days.js';
import type { RecordsName } from './records.js';
import { customerName, itemName } from './row-names.js';
import type { BenchCompany, World } from './world.js';

export interface BenchRequest {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body?: string;
}

export interface Workload {
  readonly name: string;
  readonly title: string;
  readonly clients: number;
  /** Every other status is an error. */
  readonly expected: readonly number[];
  /** Requests of one client, sent in order and repeated. */
  readonly requests: (
    world: World,
    random: Random,
    client: number,
    open: readonly OpenInvoice[],
  ) => BenchRequest[];
  /** Each client gets open invoices of its own. */
  readonly needsOpenInvoices?: boolean;
  /** Per request; 1 by default. Rates and costs are then per write. */
  readonly writes?: number;
  /** The product's own workload that it is compared with, instead of the baseline. */
  readonly comparedWith?: string;
  /** Runs only with these records, as --records names them. */
  readonly needsRecords?: RecordsName;
  /** Every request gets an Idempotency-Key of its own. */
  readonly isKeyed?: boolean;
  /** Every request sends the ETag of an earlier response to its path. */
  readonly revalidates?: boolean;
  /** Measures this many requests, until the last is settled, instead of a fixed time. */
  readonly amount?: number;
  /** The Koa route behind key and limit is measured in each turn, too. */
  readonly isBesideKoa?: boolean;
}

/** An invoice without any payment or credit note. */
export interface OpenInvoice {
  readonly key: string;
  readonly id: string;
  readonly due: number;
}

const API = '/api/external';
/** Prepared requests of one client: enough to mix companies and items. */
const PREPARED = 20;
const LINES = 3;
const MANY_LINES = 250;
/** Earlier than all other invoices, so that lists of the newest have three lines per invoice. */
const LONG_DATE = '2020-01-31';
const BURST = 10_000;
const INVOICES_PER_BATCH = 100;

const creates = (
  name: string,
  title: string,
  clients: number,
  more: Partial<Workload> = {},
): Workload => ({
  name,
  title,
  clients,
  expected: [201],
  requests: spread((company, world, random) =>
    invoice(company, randomLines(world, random, LINES), world, random),
  ),
  ...more,
});

const reads = (
  name: string,
  title: string,
  path: (company: BenchCompany, random: Random) => string,
  more: Partial<Workload> = {},
): Workload => ({
  name,
  title,
  clients: 32,
  expected: [200],
  requests: spread((company, _world, random) => get(company, path(company, random))),
  ...more,
});

const listPath = (limit: number) => () => `/invoices?limit=${limit}`;
const onePath = (company: BenchCompany, random: Random) =>
  `/invoices/${random.pick(company.invoiceIds)}`;

export const WORKLOADS: readonly Workload[] = [
  creates('create-1', 'create, 1 client', 1),
  creates('create-8', 'create, 8 clients', 8),
  creates('create-64', 'create, 64 clients', 64),
  creates('create-256', 'create, 256 clients', 256),
  creates('create-company', 'create, all on one company', 64, {
    requests: onFirst((company, world, random) =>
      invoice(company, randomLines(world, random, LINES), world, random),
    ),
  }),
  creates('create-item', 'create, all on one item', 64, {
    requests: onFirst((company, world, random) =>
      invoice(company, [line(1, random)], world, random),
    ),
  }),
  creates('create-keyed', 'create with Idempotency-Key', 64, { isKeyed: true }),
  creates('create-send', 'create with send / create', 64, {
    comparedWith: 'create-64',
    needsRecords: 'emails',
    requests: spread((company, world, random) => {
      const body = invoiceBody(randomLines(world, random, LINES), world, random);
      return post(company, '/invoices', { ...body, send: true });
    }),
  }),
  creates('create-long', `create with ${MANY_LINES} lines`, 8, {
    requests: spread(
      (company, world, random) =>
        invoice(company, randomLines(world, random, MANY_LINES), world, random, LONG_DATE),
      4,
    ),
  }),
  creates('burst', `${BURST} creates with respond-async`, 64, {
    expected: [201, 202],
    amount: BURST,
    requests: spread((company, world, random) => {
      const request = invoice(company, randomLines(world, random, LINES), world, random);
      return { ...request, headers: { ...request.headers, prefer: 'respond-async' } };
    }),
  }),
  { ...creates('adjust', 'adjustments', 64), requests: spread(adjustment) },
  creates('batch', `invoices in batches of ${INVOICES_PER_BATCH} / create`, 4, {
    expected: [200],
    writes: INVOICES_PER_BATCH,
    comparedWith: 'create-64',
    requests: spread((company, world, random) => {
      const invoices = Array.from({ length: INVOICES_PER_BATCH }, () =>
        invoiceBody(randomLines(world, random, LINES), world, random),
      );
      return post(company, '/invoices/batch', { invoices });
    }, 10),
  }),
  creates('payments', 'payments of one invoice / create', 64, {
    needsOpenInvoices: true,
    comparedWith: 'create-64',
    requests: (_world, _random, _client, open) => [
      ...open.map(payment),
      ...open.slice(0, 1).flatMap(invoice => Array(ADVANCES).fill(advance(invoice))),
    ],
  }),
  creates('credit-notes', 'credit notes of three lines / create', 64, {
    needsOpenInvoices: true,
    comparedWith: 'create-64',
    requests: (_world, _random, _client, open) => open.map(creditNote),
  }),
  reads('list-50', 'list of 50', listPath(50)),
  reads('list-200', 'list of 200', listPath(200)),
  reads('get', 'one invoice', onePath, { isBesideKoa: true }),
  reads('inventory-low', 'inventory, low=1', () => '/inventory?low=1', { isBesideKoa: true }),
  reads('summary', 'summary', () => '/summary', { isBesideKoa: true }),
  reads('not-modified', 'list of 50, not modified', listPath(50), {
    expected: [304],
    revalidates: true,
  }),
  {
    name: 'mixed',
    title: 'mixed, 80 % reads',
    clients: 64,
    expected: [200, 201],
    requests: spread((company, world, random, turn) => {
      if (turn % 5 === 0) return invoice(company, randomLines(world, random, LINES), world, random);
      return get(
        company,
        random.pick([listPath(50), onePath, () => '/summary', () => '/inventory?low=1'])(
          company,
          random,
        ),
      );
    }),
  },
];

/** The Koa route that reads are compared with. */
export const KOA_CHECKED = reads(
  'koa-auth',
  'Koa route that authenticates and rate-limits',
  () => '/checked',
);
/** Bare routes of a Koa server, an upper bound for the product's. */
export const KOA_CEILINGS: readonly Workload[] = [
  reads('koa-empty', 'empty Koa route', () => '/empty'),
  KOA_CHECKED,
];

/** The same requests for every server: workload and client seed them. */
export function requestsOf(
  workload: Workload,
  world: World,
  client: number,
  open: readonly OpenInvoice[] = [],
): BenchRequest[] {
  return workload.requests(world, createRandom(1, `${workload.name}/${client}`), client, open);
}

type Make = (company: BenchCompany, world: World, random: Random, turn: number) => BenchRequest;

/** Distributes requests over the companies; each client starts with another one. */
function spread(make: Make, count = PREPARED): Workload['requests'] {
  return (world, random, client) =>
    Array.from({ length: count }, (_, turn) => {
      const company = world.companies[(client + turn) % world.companies.length] as BenchCompany;
      return make(company, world, random, client + turn);
    });
}

function onFirst(make: Make): Workload['requests'] {
  return (world, random, client, open) =>
    spread(make)({ ...world, companies: world.companies.slice(0, 1) }, random, client, open);
}

function get({ key }: Pick<BenchCompany, 'key'>, path: string): BenchRequest {
  return { method: 'GET', path: API + path, headers: { 'x-api-key': key } };
}

function post({ key }: Pick<BenchCompany, 'key'>, path: string, body: object): BenchRequest {
  const headers = { 'x-api-key': key, 'content-type': 'application/json' };
  return { method: 'POST', path: API + path, headers, body: JSON.stringify(body) };
}

function invoice(
  company: BenchCompany,
  items: object[],
  world: World,
  random: Random,
  date?: string,
): BenchRequest {
  return post(company, '/invoices', invoiceBody(items, world, random, date));
}

function invoiceBody(
  items: object[],
  { customers }: World,
  random: Random,
  date = today(),
): object {
  return { customerName: customerName(random.between(1, customers)), date, items };
}

/** Payments of a client whose run uses up its invoices: a settled one takes no payment. */
const ADVANCES = 2_000;

function advance(invoice: OpenInvoice): BenchRequest {
  return post(invoice, '/payments', {
    amount: invoice.due,
    date: today(),
    customerName: 'Advance',
    method: 'bank_transfer',
  });
}

function payment(invoice: OpenInvoice): BenchRequest {
  return post(invoice, '/payments', {
    amount: invoice.due,
    date: today(),
    invoices: [{ invoiceId: invoice.id }],
    method: 'bank_transfer',
  });
}

/** All goods come back. */
function creditNote(invoice: OpenInvoice): BenchRequest {
  return post(invoice, '/credit-notes', {
    invoiceId: invoice.id,
    date: today(),
    reason: 'return',
    restock: true,
  });
}

function adjustment(company: BenchCompany, world: World, random: Random): BenchRequest {
  const items = distinct(world, random, LINES).map(index => ({
    name: itemName(index),
    delta: random.between(1, 9),
  }));
  return post(company, '/inventory/adjustments', { reason: 'received', items });
}

function randomLines(world: World, random: Random, count: number): object[] {
  return distinct(world, random, count).map(index => line(index, random));
}

function distinct(world: World, random: Random, count: number): number[] {
  const first = random.between(0, world.items - 1);
  const step = random.pick([1, 7, 11, 13]);
  return Array.from({ length: count }, (_, at) => ((first + at * step) % world.items) + 1);
}

function line(item: number, random: Random): object {
  return {
    name: itemName(item),
    qty: random.between(1, 5),
    price: random.between(100, 9_999) / 100,
  };
}
