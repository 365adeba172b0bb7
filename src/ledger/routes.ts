// The endpoints of payments, allocations, refunds and credit notes, and of voiding an invoice. The
// endpoints of an invoice's entries and an item's movements are declared beside their queries.
import type { ObjectSchema } from 'joi';
import type { Checked } from '../api/answer-write.js';
import { type Endpoint, listEndpoint, readEndpoint, writeEndpoint } from '../api/endpoint.js';
import type { Auth } from '../api-keys/authenticate.js';
import type { Scope } from '../api-keys/model.js';
import { BY_NUMBER } from '../invoices/schema.js';
import { type FieldError, notFound } from '../platform/errors.js';
import { withFoundErrors } from '../platform/http/input/refused-body.js';
import type { QuerySchema, SchemaOf } from '../platform/http/input/typed-schema.js';
import { validateBody } from '../platform/http/input/validate.js';
import {
  allocationWrites,
  creditNoteWrites,
  paymentWrites,
  refundWrites,
  reversalWrites,
  voidWrites,
} from './batch/kinds.js';
import {
  checkAllocation,
  checkCreditNote,
  checkMoneyDate,
  checkRefund,
} from './checks/body-checks.js';
import {
  type FindErrors,
  findAllocationErrors,
  findCreditErrors,
  findRefundErrors,
  findVoidErrors,
} from './checks/look-ups.js';
import { checkPaymentRequest } from './checks/payment-request.js';
import { invoiceEntriesEndpoint } from './invoice-entries.js';
import { itemMovementsEndpoint } from './item-movements.js';
import { creditNoteQuery, type EntryQuery, paymentQuery, refundQuery } from './list-schema.js';
import { listEntries } from './lists/entries.js';
import { invoiceListEndpoint } from './lists/invoices.js';
import { itemListEndpoint } from './lists/items.js';
import { LIST_ADVICE } from './lists/selection.js';
import type { LedgerPayload } from './payload.js';
import { findEntry, hasInvoice, hasPayment, type ListedType } from './queries.js';
import {
  type AllocationRequest,
  allocationRequest,
  BY_CREDIT_NOTE_NUMBER,
  creditNoteRequest,
  paymentRequest,
  refundRequest,
  reversalRequest,
  voidRequest,
} from './schema.js';

/** The list that finds a payment by the id that a bank or a shop gave it. */
const BY_EXTERNAL_ID = '/payments?externalId=';

const payments: readonly Endpoint[] = [
  ...entryReads('payment', 'Payments', 'payments:read', paymentQuery, {
    path: '/payments',
    noun: 'payment',
    search: BY_EXTERNAL_ID,
    schema: 'Payment',
    description: 'The payment as it is now, with the invoices that have its money.',
  }),
  writeEndpoint({
    path: '/payments',
    id: 'recordPayment',
    tag: 'Payments',
    summary: 'Record a payment',
    description:
      'Records money from a customer and allocates it to invoices, in the order given. The ' +
      'remainder stays unallocated: allocate it to other invoices later, or refund it. An ' +
      'invoice on which nothing is due, and an `amount` above the balance of its invoice, are ' +
      'refused with `amount_exceeds_due`: send money without an invoice without `invoices`.',
    scope: 'payments:write',
    body: { name: 'PaymentRequest', schema: paymentRequest },
    answer: 'The payment.',
    schema: 'Payment',
    conflicts: { PaymentRefused: ['already_exists', 'amount_exceeds_due', 'invalid_state'] },
    kind: paymentWrites,
    check: checkPaymentRequest,
    location: id => `/payments/${id}`,
  }),
  writeEndpoint({
    path: '/payments/{id}/reversal',
    id: 'reversePayment',
    tag: 'Payments',
    summary: 'Reverse a payment',
    description:
      'For a payment that bounced or was a mistake. Ends all its allocations, so the invoices ' +
      'are due again.',
    scope: 'payments:write',
    noun: 'payment',
    search: BY_EXTERNAL_ID,
    body: { name: 'ReversalRequest', schema: reversalRequest },
    answer: 'The reversed payment.',
    schema: 'Payment',
    conflicts: { ReversalRefused: ['invalid_state'] },
    kind: reversalWrites,
    check: async (body, auth, paymentId) => {
      const request = validateBody(reversalRequest, body, value => checkMoneyDate(value, auth));
      if (!(await hasPayment(auth.companyId, paymentId))) throw notFound('payment');
      const payload: LedgerPayload = { type: 'payment.reverse', paymentId, ...request };
      return { payload };
    },
    location: (_, payload) => `/payments/${(payload as { paymentId: string }).paymentId}`,
  }),
  writeEndpoint({
    path: '/allocations',
    id: 'allocate',
    tag: 'Payments',
    summary: 'Allocate unallocated money',
    description:
      'Allocates the unallocated money of a payment or credit note to invoices of the same ' +
      'customer. A negative amount takes money back from an invoice.',
    scope: 'payments:write',
    body: { name: 'AllocationRequest', schema: allocationRequest },
    answer: 'The payment or credit note after the allocation.',
    schema: ['Payment', 'CreditNote'],
    conflicts: {
      AllocationRefused: ['invalid_state', 'amount_exceeds_due', 'amount_exceeds_unallocated'],
    },
    kind: allocationWrites,
    check: withAmounts(allocationRequest, checkAllocation, findAllocationErrors, request => ({
      type: 'allocation.make',
      ...request,
    })),
    location: (_, payload) => {
      const { paymentId, creditNoteId } = payload as AllocationRequest;
      return paymentId === undefined ? `/credit-notes/${creditNoteId}` : `/payments/${paymentId}`;
    },
  }),
  ...entryReads('refund', 'Payments', 'payments:read', refundQuery, {
    path: '/refunds',
    noun: 'refund',
    schema: 'Refund',
    description: 'The same object that recording it returned.',
  }),
  writeEndpoint({
    path: '/refunds',
    id: 'recordRefund',
    tag: 'Payments',
    summary: 'Record a refund',
    description: 'Records that unallocated money went back to the customer.',
    scope: 'payments:write',
    body: { name: 'RefundRequest', schema: refundRequest },
    answer: 'The refund.',
    schema: 'Refund',
    conflicts: { RefundRefused: ['already_exists', 'amount_exceeds_unallocated', 'invalid_state'] },
    kind: refundWrites,
    check: withAmounts(refundRequest, checkRefund, findRefundErrors, request => ({
      type: 'refund.record',
      ...request,
    })),
    location: id => `/refunds/${id}`,
  }),
];

const corrections: readonly Endpoint[] = [
  ...entryReads('creditNote', 'Credit notes', 'invoices:read', creditNoteQuery, {
    path: '/credit-notes',
    noun: 'credit note',
    search: BY_CREDIT_NOTE_NUMBER,
    schema: 'CreditNote',
    description: 'The credit note as it is now, with the invoices that have its money.',
  }),
  writeEndpoint({
    path: '/credit-notes',
    id: 'createCreditNote',
    tag: 'Credit notes',
    summary: 'Credit an invoice',
    description:
      'Credits quantities or amounts of lines, or all of the remainder. The discount and the ' +
      'tax are credited in proportion; once everything is credited, the sums equal ' +
      "the invoice's to the cent. The credit note reduces the amount due on its invoice; any " +
      'excess is unallocated.',
    scope: 'credits:write',
    body: { name: 'CreditNoteRequest', schema: creditNoteRequest },
    answer: 'The credit note.',
    schema: 'CreditNote',
    conflicts: { CreditRefused: ['invalid_state', 'credit_exceeds_invoice'] },
    kind: creditNoteWrites,
    check: withAmounts(creditNoteRequest, checkCreditNote, findCreditErrors, request => ({
      type: 'creditNote.create',
      ...request,
    })),
    location: id => `/credit-notes/${id}`,
  }),
  writeEndpoint({
    path: '/invoices/{id}/void',
    id: 'voidInvoice',
    tag: 'Credit notes',
    summary: 'Void an invoice',
    description:
      'For an invoice that was a mistake, while nothing on it is paid or credited. Creates a ' +
      'credit note for the whole invoice, which keeps its number and lines.',
    scope: 'credits:write',
    noun: 'invoice',
    search: BY_NUMBER,
    body: { name: 'VoidRequest', schema: voidRequest },
    answer: 'The credit note.',
    schema: 'CreditNote',
    conflicts: { VoidRefused: ['invalid_state'] },
    kind: voidWrites,
    check: async (body, auth, invoiceId) => {
      const request = await withFoundErrors(
        () => validateBody(voidRequest, body, value => checkMoneyDate(value, auth)),
        () => findVoidErrors(auth.companyId, invoiceId, body),
      );
      if (!(await hasInvoice(auth.companyId, invoiceId))) throw notFound('invoice');
      const payload: LedgerPayload = { type: 'invoice.void', invoiceId, ...request };
      return { payload };
    },
    location: id => `/credit-notes/${id}`,
  }),
];

export const ledgerEndpoints: readonly Endpoint[] = [
  ...payments,
  ...corrections,
  invoiceListEndpoint,
  invoiceEntriesEndpoint,
  itemListEndpoint,
  itemMovementsEndpoint,
];

/** The list of one type of entry, and GET of a single one. */
function entryReads(
  type: ListedType,
  tag: string,
  scope: Scope,
  query: QuerySchema<EntryQuery>,
  one: { path: string; noun: string; search?: string; schema: string; description: string },
): Endpoint[] {
  const { path, noun, schema } = one;
  return [
    listEndpoint({
      path,
      id: `list${schema}s`,
      tag,
      summary: `List ${noun}s`,
      description: `Newest first: by date, then by creation. ${LIST_ADVICE}`,
      scope,
      query,
      answer: `A page of ${noun}s.`,
      schema,
      cursors: `${type} by id`,
      page: ({ companyId }, filter, position) => listEntries(companyId, type, filter, position),
    }),
    readEndpoint({
      ...one,
      path: `${path}/{id}`,
      id: `get${schema}`,
      tag,
      summary: `Get a ${noun}`,
      scope,
      answer: `The ${noun}.`,
      find: ({ companyId }, id) => findEntry(companyId, type, id),
    }),
  ];
}

/** Validates a body whose amounts and date also depend on the company. */
function withAmounts<Request>(
  schema: SchemaOf<Request, ObjectSchema>,
  check: (body: unknown, company: Auth) => FieldError[],
  find: FindErrors,
  toPayload: (request: Request) => LedgerPayload,
): (body: unknown, auth: Auth) => Promise<Checked> {
  return async (body, auth) => {
    const request = await withFoundErrors(
      () => validateBody(schema, body, value => check(value, auth)),
      () => find(auth.companyId, body),
    );
    return { payload: toPayload(request) };
  };
}
