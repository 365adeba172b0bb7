// Examples of requests that record payments, credit notes and refunds.
import { type Example, INVOICE_ID } from '../invoices/examples.js';
import { PAYMENT_ID } from './examples.js';

type Examples = Readonly<Record<string, Example>>;

export const paymentRequests: Examples = {
  invoices: {
    summary: 'A bank transfer for two invoices: each gets what is due',
    value: {
      amount: 400,
      date: '2026-11-24',
      invoices: [{ number: 'INV-000042' }, { number: 'INV-000043' }],
      method: 'bank_transfer',
      externalId: 'BANK-20261124-0017',
    },
  },
  advance: {
    summary: 'Money before the invoice',
    value: { amount: 200, date: '2026-11-18', customerName: 'Bright & Sons' },
  },
};

export const reversalRequests: Examples = {
  bounced: { summary: 'A direct debit bounced', value: { date: '2026-11-28', reason: 'Bounced' } },
};

export const allocationRequests: Examples = {
  invoice: {
    summary: 'The rest of a payment to another invoice',
    value: { paymentId: PAYMENT_ID, invoices: [{ number: 'INV-000044' }] },
  },
  move: {
    summary: 'Money from one invoice to another',
    value: {
      paymentId: PAYMENT_ID,
      invoices: [
        { invoiceId: INVOICE_ID, amount: -10 },
        { number: 'INV-000044', amount: 10 },
      ],
    },
  },
};

export const refundRequests: Examples = {
  rest: {
    summary: 'The rest of a payment goes back',
    value: {
      paymentId: PAYMENT_ID,
      amount: 26.47,
      date: '2026-11-25',
      method: 'bank_transfer',
    },
  },
};

export const creditNoteRequests: Examples = {
  returned: {
    summary: 'Goods that go back on the shelf',
    value: {
      invoiceId: INVOICE_ID,
      date: '2026-11-26',
      reason: 'return',
      items: [{ line: 1, qty: 1, restock: true }],
    },
  },
  price: {
    summary: 'A lower price afterwards',
    value: {
      invoiceId: INVOICE_ID,
      date: '2026-11-26',
      reason: 'price',
      items: [{ line: 2, amount: 3.5 }],
    },
  },
  everything: {
    summary: 'All that is left',
    value: { invoiceId: INVOICE_ID, date: '2026-11-26', reason: 'cancelled', restock: true },
  },
};

export const voidRequests: Examples = {
  mistake: { summary: 'An invoice by mistake', value: { reason: 'Wrong customer' } },
};
