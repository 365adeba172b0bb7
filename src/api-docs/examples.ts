// Examples of requests and answers. They tell one small story, so ids and amounts agree between
// them. Tests check each against its schema. Those of invoices are in invoices/examples.ts.
import {
  type Example,
  INVOICE_ID,
  invoice,
  outOfStock,
  REQUEST_ID,
  serviceInvoice,
  taxedInvoice,
  VALVE_ID,
} from './invoices/examples.js';
import { ledgerAnswers } from './ledger/examples.js';

const ADJUSTMENT_ID = '01932d5b-6f10-7a55-8c1e-94d0c2b7a613';
const PIPE_ID = '01932d5c-1f4e-7d02-a6b8-0c4e8f15d9a7';
export const JOB_ID = '01932d5c-8a39-7b64-9e77-2f1d6c8b0a35';

const movements = [
  { itemId: VALVE_ID, name: 'Ball valve 1/2"', delta: 40, onHandBefore: 9.5, onHandAfter: 49.5 },
  { itemId: PIPE_ID, name: 'Copper pipe 15 mm', delta: 120, onHandBefore: 0, onHandAfter: 120 },
];

const adjustment = {
  id: ADJUSTMENT_ID,
  reason: 'received',
  reference: 'DN-2288',
  note: null,
  createdAt: '2026-11-20T08:02:41.006Z',
  movements,
};

const queued = {
  id: JOB_ID,
  type: 'invoice.create',
  status: 'queued',
  createdAt: '2026-11-20T09:14:07.101Z',
  finishedAt: null,
  requestId: REQUEST_ID,
  result: null,
  error: null,
};

export const adjustmentRequests: Readonly<Record<string, Example>> = {
  received: {
    summary: 'A delivery that adds to items and creates new ones',
    value: {
      reason: 'received',
      reference: 'DN-2288',
      items: [
        { name: 'Ball valve 1/2"', sku: 'BV-12', delta: 40 },
        {
          name: 'Copper pipe 15 mm',
          sku: 'CP-15',
          delta: 120,
          unit: 'm',
          unitCost: 3.4,
          reorderPoint: 50,
        },
      ],
    },
  },
  count: {
    summary: 'A stock-take',
    value: { reason: 'count', note: 'Aisle 4', items: [{ sku: 'BV-12', count: 47 }] },
  },
  correction: {
    summary: 'A correction that is refused if the stock has changed meanwhile',
    value: { reason: 'correction', items: [{ itemId: VALVE_ID, delta: -2, expectedOnHand: 47 }] },
  },
};

const valve = {
  id: VALVE_ID,
  sku: 'BV-12',
  name: 'Ball valve 1/2"',
  unit: 'pc',
  onHand: 49.5,
  reorderPoint: 60,
  low: true,
  unitCost: 4.9,
  unitPrice: 7.35,
  updatedAt: '2026-11-20T08:02:41.006Z',
  archived: false,
};

export const itemPatches: Readonly<Record<string, Example>> = {
  rename: {
    summary: 'Another name and price, and no SKU',
    value: { name: 'Ball valve DN 15', unitPrice: 7.9, sku: null },
  },
  archive: { summary: 'Take an item without stock out of use', value: { archived: true } },
};

export const answers: Readonly<Record<string, Readonly<Record<string, Example>>>> = {
  ...ledgerAnswers,
  Invoice: {
    invoice: { summary: 'An invoice', value: invoice },
    taxed: { summary: 'With tax, discounts and a due date', value: taxedInvoice },
  },
  Invoices: { page: { summary: 'A page', value: [taxedInvoice, invoice] } },
  BatchResults: {
    mixed: {
      summary: 'One created, one refused',
      value: {
        results: [
          { status: 201, invoice: serviceInvoice },
          { status: 409, problem: outOfStock },
        ],
      },
    },
    unfinished: {
      summary: 'One not finished yet',
      value: { results: [{ status: 202, job: queued }] },
    },
  },
  Items: { page: { summary: 'A page', value: [valve] } },
  Item: { item: { summary: 'An item', value: valve } },
  ItemMovements: {
    page: {
      summary: 'A sale after a delivery',
      value: [
        {
          id: '6c1f0a52-9d37-8e41-8b06-3f5d27a94c18',
          kind: 'sale',
          delta: -2,
          onHandAfter: 47.5,
          source: { type: 'invoice', id: INVOICE_ID, number: 'INV-000042' },
          createdAt: '2026-11-20T09:14:07.113Z',
        },
        {
          id: 'b7e42d90-15ac-8f63-8d2e-90c4e1b83a57',
          kind: 'received',
          delta: 40,
          onHandAfter: 49.5,
          source: { type: 'adjustment', id: ADJUSTMENT_ID, number: null },
          createdAt: '2026-11-20T08:02:41.006Z',
        },
      ],
    },
  },
  Adjustment: { adjustment: { summary: 'A delivery', value: adjustment } },
  Accepted: { job: { summary: 'The job to poll', value: queued } },
  Job: {
    queued: { summary: 'Still queued', value: queued },
    succeeded: {
      summary: 'Succeeded',
      value: {
        ...queued,
        status: 'succeeded',
        finishedAt: '2026-11-20T09:14:07.120Z',
        result: { type: 'invoice', id: INVOICE_ID, href: `/api/external/invoices/${INVOICE_ID}` },
      },
    },
    adjusted: {
      summary: 'Stock adjusted',
      value: {
        ...queued,
        type: 'inventory.adjust',
        status: 'succeeded',
        finishedAt: '2026-11-20T08:02:41.012Z',
        result: { type: 'adjustment', id: ADJUSTMENT_ID, href: null, movements },
      },
    },
  },
  Summary: {
    month: {
      summary: 'A month so far',
      value: {
        period: {
          month: '2026-11',
          from: '2026-11-01',
          to: '2026-11-30',
          timezone: 'Europe/Berlin',
        },
        currency: 'EUR',
        invoices: { count: 42, total: 18350.4, average: 436.91 },
        previous: {
          month: '2026-10',
          count: 61,
          total: 24870.15,
          toSameDay: { count: 38, total: 16120 },
        },
        change: { countPercent: 10.5, totalPercent: 13.8 },
        topCustomers: [{ name: 'Bright & Sons', count: 7, total: 4210.3 }],
        topItems: [{ name: 'Ball valve 1/2"', qty: 240, total: 1764 }],
        inventory: { items: 66, low: 4, outOfStock: 1, value: 48211.75 },
        computedAt: '2026-11-20T09:14:09.002Z',
        sales: { net: 15420.5, tax: 2929.9 },
        credited: { count: 1, total: 119, net: 100, tax: 19 },
        received: { count: 35, total: 16204.7 },
        refunded: { count: 0, total: 0 },
        outstanding: { count: 11, total: 6480.25 },
        overdue: { count: 2, total: 912.4 },
        unallocated: { total: 250 },
      },
    },
  },
};
