// The meaning of the ledger's own problems: see problem-guide.ts.
import { fieldError } from '../../platform/field-errors.js';
import type { ProblemExplanation } from '../problem-guide.js';

const INVOICE_ID = '01932d5c-8a3b-7f21-b4f6-5b0d5a3c9e42';
const UNALLOCATED = { requested: 50, available: 26.47 };

export const ledgerProblems: Readonly<
  Record<
    'amount_exceeds_due' | 'amount_exceeds_unallocated' | 'credit_exceeds_invoice',
    ProblemExplanation
  >
> = {
  amount_exceeds_due: {
    means:
      'More is requested for an invoice than is due there, or more is to be taken back than was ' +
      'given. Each entry of errors names an invoice, the amount and the limit.',
    remedy:
      'Leave out the amount: the invoice then gets what is due, and the rest remains ' +
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
      'The payment or credit note has less left than is requested. The members requested and ' +
      'available name both amounts.',
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
      'Less is left of a line, in quantity or money, than is to be credited. Each entry of ' +
      'errors names a line, what is requested and what is left.',
    remedy: "Read the invoice's credit notes, and credit at most the rest. Nothing was written.",
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
  mixed_customers: 'The invoices, or the payment, are of different customers.',
  amount_exceeds_due: 'The invoice has less due than is requested.',
  amount_exceeds_unallocated: 'The payment or credit note has less left than is requested.',
  credit_exceeds_invoice: 'Less is left of the line than is to be credited.',
} as const;

/** The codes with which the ledger's writes are refused, by response. */
export const LEDGER_REFUSALS = {
  PaymentRefused: ['already_exists', 'amount_exceeds_due', 'invalid_state'],
  ReversalRefused: ['invalid_state'],
  AllocationRefused: ['invalid_state', 'amount_exceeds_due', 'amount_exceeds_unallocated'],
  RefundRefused: ['already_exists', 'amount_exceeds_unallocated', 'invalid_state'],
  CreditRefused: ['invalid_state', 'credit_exceeds_invoice'],
  VoidRefused: ['invalid_state'],
} as const;
