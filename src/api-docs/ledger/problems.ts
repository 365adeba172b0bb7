// The explanations of the ledger's own problems, for problem-guide.ts.
import { fieldError } from '../../platform/field-errors.js';

const INVOICE_ID = '01932d5c-8a3b-7f21-b4f6-5b0d5a3c9e42';
const UNALLOCATED = { requested: 50, available: 26.47 };

export const ledgerProblems = {
  amount_exceeds_due: {
    means:
      "The amount exceeds the invoice's balance, or a negative amount exceeds the allocation. " +
      'Each entry of errors names an invoice, the amount and the limit.',
    remedy:
      'Leave out the amount: the invoice then gets at most its balance, and the remainder stays ' +
      'unallocated. Nothing was written.',
    detail: 'More than is due; nothing was written.',
    errors: [
      {
        ...fieldError(
          ['invoices', 0, 'amount'],
          'amount_exceeds_due',
          'INV-000042: 50 requested, 33.2 available.',
        ),
        invoiceId: INVOICE_ID,
        requested: 50,
        available: 33.2,
      },
    ],
  },
  amount_exceeds_unallocated: {
    means:
      'The amount exceeds the unallocated balance of the payment or credit note. The properties ' +
      'requested and available name both amounts.',
    remedy: 'Read the payment or credit note again. Nothing was written.',
    detail: '50 requested, 26.47 available. Nothing was written.',
    members: UNALLOCATED,
    errors: [
      {
        ...fieldError(['amount'], 'amount_exceeds_unallocated', '50 requested, 26.47 available.'),
        ...UNALLOCATED,
      },
    ],
  },
  credit_exceeds_invoice: {
    means:
      'The quantity or amount exceeds what remains of the line. Each entry of errors names a ' +
      'line, the requested value and the available one.',
    remedy:
      "Read the invoice's credit notes, and credit at most what remains. Nothing was written.",
    detail: 'More than is left of the invoice; nothing was written.',
    errors: [
      {
        ...fieldError(
          ['items', 0, 'qty'],
          'credit_exceeds_invoice',
          'Line 1: 3 requested, 2 available.',
        ),
        line: 1,
        requested: 3,
        available: 2,
      },
    ],
  },
};

export const LEDGER_FIELD_CODES = {
  unknown_invoice: 'There is no invoice with this id or number.',
  mixed_customers: 'The invoices, or the payment, belong to different customers.',
  amount_exceeds_due: "The amount exceeds the invoice's balance.",
  amount_exceeds_unallocated: 'The amount exceeds the unallocated balance.',
  credit_exceeds_invoice: 'The quantity or amount exceeds what remains of the line.',
} as const;
