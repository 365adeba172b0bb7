// Examples of payments, credit notes and refunds. They continue the story of examples.ts.
import { type Example, INVOICE_ID, SERVICE_ID, TAXED_ID, VALVE_ID } from '../invoices/examples.js';

export const PAYMENT_ID = '01932d71-40c2-7e19-8d5f-6a2b9c1e7f03';
const BOUNCED_ID = '01932d73-2f61-7d84-b3a5-7c9e0f1d2b46';
export const REFUND_ID = '01932d75-1d08-7a3c-b9c4-8e1f0d6a5b27';
export const CREDIT_NOTE_ID = '01932d7a-9b15-7c48-a1e0-2f7d3b5c8e64';

type Examples = Readonly<Record<string, Example>>;

const allocations = [
  { invoiceId: INVOICE_ID, invoiceNumber: 'INV-000042', amount: 33.2 },
  { invoiceId: TAXED_ID, invoiceNumber: 'INV-000043', amount: 340.33 },
];

const payment = {
  id: PAYMENT_ID,
  amount: 400,
  date: '2026-11-24',
  currency: 'USD',
  customerName: 'Bright & Sons',
  method: 'bank_transfer',
  reference: null,
  externalId: 'BANK-20261124-0017',
  note: null,
  status: 'recorded',
  allocations,
  refunded: 0,
  unallocated: 26.47,
  createdAt: '2026-11-24T10:31:55.204Z',
};

/** One that bounced. */
const reversed = {
  ...payment,
  id: BOUNCED_ID,
  amount: 340.33,
  date: '2026-11-25',
  method: 'direct_debit',
  externalId: null,
  status: 'reversed',
  allocations: [],
  unallocated: 0,
  createdAt: '2026-11-25T07:00:12.418Z',
};

const refund = {
  id: REFUND_ID,
  paymentId: PAYMENT_ID,
  creditNoteId: null,
  amount: 26.47,
  date: '2026-11-25',
  currency: 'USD',
  customerName: 'Bright & Sons',
  method: 'bank_transfer',
  reference: null,
  externalId: null,
  note: null,
  createdAt: '2026-11-25T08:12:03.551Z',
};

const creditNote = {
  id: CREDIT_NOTE_ID,
  number: 'CN-000003',
  invoiceId: INVOICE_ID,
  invoiceNumber: 'INV-000042',
  customerName: 'Bright & Sons',
  date: '2026-11-26',
  currency: 'USD',
  reason: 'return',
  items: [
    {
      line: 1,
      name: 'Ball valve 1/2"',
      sku: 'BV-12',
      qty: 1,
      amount: 7.35,
      itemId: VALVE_ID,
      restocked: true,
    },
  ],
  subtotal: 7.35,
  taxTotal: 0,
  taxes: [],
  total: 7.35,
  allocations: [],
  refunded: 0,
  unallocated: 7.35,
  reference: null,
  note: null,
  createdAt: '2026-11-26T09:00:41.870Z',
};

const voidingNote = {
  ...creditNote,
  id: '01932d7c-5e40-7b12-9d83-0a4c6e8f1b57',
  number: 'CN-000004',
  invoiceId: SERVICE_ID,
  invoiceNumber: 'INV-000045',
  reason: 'cancelled',
  items: [
    {
      line: 1,
      name: 'Consulting',
      sku: null,
      qty: 1.5,
      amount: 142.5,
      itemId: null,
      restocked: false,
    },
  ],
  subtotal: 142.5,
  total: 142.5,
  allocations: [
    {
      invoiceId: SERVICE_ID,
      invoiceNumber: 'INV-000045',
      amount: 142.5,
    },
  ],
  unallocated: 0,
  createdAt: '2026-11-26T11:20:08.933Z',
};

export const ledgerAnswers: Readonly<Record<string, Examples>> = {
  Payment: { payment: { summary: 'A payment with a rest', value: payment } },
  ReversedPayment: { reversed: { summary: 'A direct debit that bounced', value: reversed } },
  Payments: { page: { summary: 'A page', value: [payment] } },
  PaymentOrCreditNote: {
    payment: {
      summary: 'A payment after its rest was allocated',
      value: {
        ...payment,
        allocations: [
          ...allocations,
          {
            invoiceId: '01932d6f-52e7-7b90-9c3d-4f8a1e6b2d05',
            invoiceNumber: 'INV-000044',
            amount: 26.47,
          },
        ],
        unallocated: 0,
      },
    },
  },
  Refund: { refund: { summary: 'A refund', value: refund } },
  Refunds: { page: { summary: 'A page', value: [refund] } },
  CreditNote: { creditNote: { summary: 'A return after payment', value: creditNote } },
  VoidingNote: { void: { summary: 'Over the whole invoice', value: voidingNote } },
  CreditNotes: { page: { summary: 'A page', value: [creditNote] } },
  InvoiceEntries: {
    entries: {
      summary: 'A payment, and a credit note that is unallocated',
      value: [
        {
          sequence: 17,
          type: 'payment',
          id: PAYMENT_ID,
          number: null,
          date: '2026-11-24',
          amount: -33.2,
          createdAt: '2026-11-24T10:31:55.204Z',
        },
        {
          sequence: 19,
          type: 'creditNote',
          id: CREDIT_NOTE_ID,
          number: 'CN-000003',
          date: '2026-11-26',
          amount: 0,
          createdAt: '2026-11-26T09:00:41.870Z',
        },
      ],
    },
  },
};
