// The operations of the ledger: payments, allocations, refunds, credit notes.
import type Joi from 'joi';
import { invoiceEntryQuery } from '../../ledger/invoice-entries.js';
import { creditNoteQuery, paymentQuery, refundQuery } from '../../ledger/list-schema.js';
import {
  allocationRequest,
  creditNoteRequest,
  paymentRequest,
  refundRequest,
  reversalRequest,
  voidRequest,
} from '../../ledger/schema.js';
import { list, listOf, read, type Spec, write } from '../operation.js';
import { created, success } from '../responses.js';
import { ref } from '../schema-parts.js';
import {
  allocationRequests,
  creditNoteRequests,
  paymentRequests,
  refundRequests,
  reversalRequests,
  voidRequests,
} from './request-examples.js';

export const ledgerBodies: Readonly<Record<string, Joi.Schema>> = {
  PaymentRequest: paymentRequest,
  ReversalRequest: reversalRequest,
  AllocationRequest: allocationRequest,
  RefundRequest: refundRequest,
  CreditNoteRequest: creditNoteRequest,
  VoidRequest: voidRequest,
};

const LIST_ORDER =
  'Newest first: by date, then by creation. A plain array; the `Link` header leads to the next ' +
  'page.';
const PAGE = ['ETag', 'Link'];

const payments: Readonly<Record<string, Readonly<Record<string, Spec>>>> = {
  '/payments': {
    get: list('listPayments', 'Payments', 'List payments', ['payments:read'], paymentQuery, {
      description: LIST_ORDER,
      success: success('A page of payments.', listOf('Payment'), 'Payments', PAGE),
    }),
    post: write('recordPayment', 'Payments', 'Record a payment', ['payments:write'], {
      description:
        'Records money from a customer and allocates it to invoices, in the order given. What is ' +
        'left stays unallocated: allocate it to other invoices later, or refund it.',
      body: 'PaymentRequest',
      examples: paymentRequests,
      success: created('The payment.', 'Payment', ['Location']),
      problems: ['PaymentRefused'],
    }),
  },
  '/payments/{id}': {
    get: read('getPayment', 'Payments', 'Get a payment', ['payments:read'], {
      description: 'The payment as it is now, with the invoices that have its money.',
      path: ['Id'],
      success: success('The payment.', ref('Payment'), 'Payment', ['ETag']),
      problems: ['NotFound'],
    }),
  },
  '/payments/{id}/reversal': {
    post: write('reversePayment', 'Payments', 'Reverse a payment', ['payments:write'], {
      description:
        'For a payment that bounced or was a mistake. All its allocations end, and the invoices ' +
        'are due again.',
      path: ['Id'],
      body: 'ReversalRequest',
      examples: reversalRequests,
      success: created('The reversed payment.', 'Payment', ['Location'], 'ReversedPayment'),
      problems: ['NotFound', 'ReversalRefused'],
    }),
  },
  '/allocations': {
    post: write('allocate', 'Payments', 'Allocate what is left', ['payments:write'], {
      description:
        'Allocates what is left of a payment or credit note to invoices of the same customer. A ' +
        'negative amount takes money back from an invoice.',
      body: 'AllocationRequest',
      examples: allocationRequests,
      success: success(
        'The payment or credit note as it then is.',
        { anyOf: [ref('Payment'), ref('CreditNote')] },
        'PaymentOrCreditNote',
        ['Preference-Applied', 'Idempotency-Replayed', 'Location'],
      ),
      problems: ['AllocationRefused'],
    }),
  },
  '/refunds': {
    get: list('listRefunds', 'Payments', 'List refunds', ['payments:read'], refundQuery, {
      description: LIST_ORDER,
      success: success('A page of refunds.', listOf('Refund'), 'Refunds', PAGE),
    }),
    post: write('recordRefund', 'Payments', 'Record a refund', ['payments:write'], {
      description: 'Records that unallocated money went back to the customer.',
      body: 'RefundRequest',
      examples: refundRequests,
      success: created('The refund.', 'Refund', ['Location']),
      problems: ['RefundRefused'],
    }),
  },
  '/refunds/{id}': {
    get: read('getRefund', 'Payments', 'Get a refund', ['payments:read'], {
      description: 'The same object that recording it returned.',
      path: ['Id'],
      success: success('The refund.', ref('Refund'), 'Refund', ['ETag']),
      problems: ['NotFound'],
    }),
  },
};

const corrections: Readonly<Record<string, Readonly<Record<string, Spec>>>> = {
  '/credit-notes': {
    get: list(
      'listCreditNotes',
      'Credit notes',
      'List credit notes',
      ['invoices:read'],
      creditNoteQuery,
      {
        description: LIST_ORDER,
        success: success('A page of credit notes.', listOf('CreditNote'), 'CreditNotes', PAGE),
      },
    ),
    post: write('createCreditNote', 'Credit notes', 'Credit an invoice', ['credits:write'], {
      description:
        'Credits quantities or amounts of lines, or all that is left. The discount and the tax ' +
        'are credited in proportion; once everything is credited, they equal those of the ' +
        'invoice to the cent. The credit note lowers what is due on its invoice; what exceeds ' +
        'that is unallocated.',
      body: 'CreditNoteRequest',
      examples: creditNoteRequests,
      success: created('The credit note.', 'CreditNote', ['Location']),
      problems: ['CreditRefused'],
    }),
  },
  '/credit-notes/{id}': {
    get: read('getCreditNote', 'Credit notes', 'Get a credit note', ['invoices:read'], {
      description: 'The credit note as it is now, with the invoices that have its money.',
      path: ['Id'],
      success: success('The credit note.', ref('CreditNote'), 'CreditNote', ['ETag']),
      problems: ['NotFound'],
    }),
  },
  '/invoices/{id}/void': {
    post: write('voidInvoice', 'Credit notes', 'Void an invoice', ['credits:write'], {
      description:
        'For an invoice that was a mistake, while nothing on it is paid or credited. Creates a ' +
        'credit note for the whole invoice, which keeps its number and lines.',
      path: ['Id'],
      body: 'VoidRequest',
      examples: voidRequests,
      success: created('The credit note.', 'CreditNote', ['Location'], 'VoidingNote'),
      problems: ['NotFound', 'VoidRefused'],
    }),
  },
  '/invoices/{id}/entries': {
    get: list(
      'listInvoiceEntries',
      'Credit notes',
      "List an invoice's entries",
      ['invoices:read'],
      invoiceEntryQuery,
      {
        description:
          'What has changed what is due on the invoice, by sequence, the earliest first. A plain ' +
          'array; the `Link` header leads to the next page.',
        path: ['Id'],
        success: success('A page of entries.', listOf('InvoiceEntry'), 'InvoiceEntries', PAGE),
        problems: ['NotFound'],
      },
    ),
  },
};

export const ledgerPaths = { ...payments, ...corrections };
