// A sample of each type's data, for tests of webhooks in a company that has no such event yet.
import { type CUSTOMER_JSON, EMPTY_FIELDS } from '../customers/record.js';
import type { EmailJson } from '../emails/email.js';
import type { InvoiceJson } from '../invoices/issued/invoice-shape.js';
import type { CREDIT_NOTE, PAYMENT, REFUND } from '../ledger/entry-json.js';
import type { ParsedJson } from '../platform/values/json-shape.js';
import { EVENT_TYPES, type EventTypeName } from './types.js';

type Schema = (typeof EVENT_TYPES)[EventTypeName]['schema'];

const INVOICE_ID = '01932d5c-8a3b-7f21-b4f6-5b0d5a3c9e42';
const ITEM_ID = '01932d5c-8a3b-7f21-b4f6-5b0d5a3c9e40';
const PAYMENT_ID = '01932d5c-8a3b-7f21-b4f6-5b0d5a3c9e47';
const INVOICE_NUMBER = 'INV-000042';
const ITEM = { sku: 'BV-12', name: 'Ball valve 1/2"' };
const CUSTOMER = 'Bright & Sons';
const DAY = '2026-11-24';
const TIME = '2026-11-24T09:14:07.113Z';
const TOTAL = 14.7;

/** The members that payments and refunds share. */
const TRANSFER = {
  date: DAY,
  currency: 'USD',
  customerName: CUSTOMER,
  method: 'bank_transfer',
  reference: null,
  externalId: null,
  note: null,
  createdAt: TIME,
} as const;

const INVOICE: InvoiceJson = {
  id: INVOICE_ID,
  number: INVOICE_NUMBER,
  status: 'open',
  customerName: CUSTOMER,
  date: DAY,
  currency: 'USD',
  items: [{ ...ITEM, qty: 2, price: 7.35, amount: TOTAL, itemId: ITEM_ID }],
  total: TOTAL,
  reference: 'SO-5012',
  createdAt: TIME,
  dueDate: '2026-12-24',
  orderReference: null,
  deliveryDate: null,
  note: null,
  discount: null,
  subtotal: TOTAL,
  taxTotal: 0,
  taxes: [],
  amountPaid: 0,
  amountCredited: 0,
  amountDue: TOTAL,
  settledOn: null,
};

const PAID: ParsedJson<typeof PAYMENT> = {
  id: PAYMENT_ID,
  ...TRANSFER,
  amount: TOTAL,
  status: 'recorded',
  allocations: [{ invoiceId: INVOICE_ID, invoiceNumber: INVOICE_NUMBER, amount: TOTAL }],
  refunded: 0,
  unallocated: 0,
};

const CREDITED: ParsedJson<typeof CREDIT_NOTE> = {
  id: '01932d5c-8a3b-7f21-b4f6-5b0d5a3c9e48',
  number: 'CN-000003',
  invoiceId: INVOICE_ID,
  invoiceNumber: INVOICE_NUMBER,
  customerName: CUSTOMER,
  date: DAY,
  currency: 'USD',
  reason: 'return',
  items: [{ line: 1, ...ITEM, qty: 1, amount: 7.35, itemId: ITEM_ID, restocked: true }],
  subtotal: 7.35,
  taxTotal: 0,
  taxes: [],
  total: 7.35,
  allocations: [],
  refunded: 0,
  unallocated: 7.35,
  reference: null,
  note: null,
  createdAt: TIME,
};

const REFUNDED: ParsedJson<typeof REFUND> = {
  id: '01932d5c-8a3b-7f21-b4f6-5b0d5a3c9e4b',
  paymentId: PAYMENT_ID,
  creditNoteId: null,
  ...TRANSFER,
  amount: 5,
};

const RECORD = { id: '01932d5c-8a3b-7f21-b4f6-5b0d5a3c9e5c', number: 'C-00001', name: CUSTOMER };
const CUSTOMER_RECORD: ParsedJson<typeof CUSTOMER_JSON> = {
  ...RECORD,
  ...EMPTY_FIELDS,
  email: 'accounts@bright.example',
  termsDays: 30,
  currency: 'USD',
  mergedInto: null,
  createdAt: TIME,
  updatedAt: TIME,
};

const EMAIL: EmailJson = {
  id: '01932d5c-8a3b-7f21-b4f6-5b0d5a3c9e64',
  type: 'invoice',
  documentId: INVOICE_ID,
  number: INVOICE_NUMBER,
  to: ['accounts@bright.example'],
  cc: [],
  subject: `Invoice ${INVOICE_NUMBER}`,
  status: 'sent',
  attempts: 1,
  error: null,
  createdAt: TIME,
  sentAt: TIME,
};

/** A sample per schema, except for endpoints: the tested endpoint is one. */
const SAMPLES: Readonly<Record<Exclude<Schema, 'WebhookEndpoint'>, object>> = {
  Invoice: INVOICE,
  Payment: PAID,
  CreditNote: CREDITED,
  Refund: REFUNDED,
  Customer: CUSTOMER_RECORD,
  DeletedCustomer: RECORD,
  Item: {
    id: ITEM_ID,
    ...ITEM,
    unit: 'pc',
    onHand: 48,
    reorderPoint: 10,
    low: false,
    unitCost: 4.9,
    unitPrice: 7.35,
    updatedAt: TIME,
    archived: false,
  },
  AdjustmentDetails: {
    id: '01932d5c-8a3b-7f21-b4f6-5b0d5a3c9e41',
    reason: 'received',
    reference: 'DN-2087',
    note: null,
    createdAt: TIME,
  },
  StockLevels: { items: [{ itemId: ITEM_ID, onHand: 48 }] },
  StockAlert: { itemId: ITEM_ID, ...ITEM, onHand: 8, reorderPoint: 10 },
  ImportEnd: {
    id: '01932d5c-8a3b-7f21-b4f6-5b0d5a3c9e43',
    kind: 'stock',
    fileName: 'stock.csv',
    status: 'done',
    rowsTotal: 120,
    rowsDone: 120,
    rowsFailed: 0,
  },
  KeyState: {
    id: '01932d5c-8a3b-7f21-b4f6-5b0d5a3c9e44',
    name: 'Online shop',
    scopes: ['invoices:read', 'invoices:write'],
    expiresAt: null,
    revokedAt: null,
  },
  Email: EMAIL,
};

/** The members in which a type differs from the sample of its schema. */
const CHANGES: Partial<Record<EventTypeName, object>> = {
  'invoice.paid': { status: 'paid', amountPaid: TOTAL, amountDue: 0, settledOn: DAY },
  'invoice.voided': { status: 'void', amountDue: 0 },
  'invoice.updated': { amountPaid: 10, amountDue: 4.7 },
  'payment.reversed': { status: 'reversed', allocations: [] },
  'stock.out': { onHand: 0 },
  'stock.recovered': { onHand: 48 },
  'key.revoked': { revokedAt: TIME },
  'email.failed': {
    status: 'failed',
    error: { code: 'smtp_refused', detail: 'The mail server refused the e-mail.', rejected: [] },
    sentAt: null,
  },
};

/** A sample of the type's data; null for the types whose data is a webhook endpoint. */
export function sampleData(type: EventTypeName): object | null {
  const { schema } = EVENT_TYPES[type];
  return schema === 'WebhookEndpoint' ? null : { ...SAMPLES[schema], ...CHANGES[type] };
}
