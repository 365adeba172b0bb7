// Plans allocations and refunds of a payment's or credit note's unallocated amount.
import type { Decision } from '../../jobs/write-kind.js';
import type { FieldError } from '../../platform/errors.js';
import { fieldError, validationFailed } from '../../platform/field-errors.js';
import { fromMinor } from '../../platform/values/money.js';
import { renderRefund, withRest } from '../entry-json.js';
import { type AllocationPayload, namedSource, type RefundPayload } from '../payload.js';
import type { SourceRequest } from '../schema.js';
import { distribute } from './distribution.js';
import { type LedgerPlan, type LedgerWrite, moveMoney, takeSequence } from './entry-plan.js';
import {
  exceedingInvoices,
  findRecipients,
  type NamedInvoice,
  otherCustomers,
} from './recipients.js';
import {
  exceedingInvoice,
  exceedsDue,
  exceedsUnallocated,
  invoiceState,
  transferExists,
  unknownSource,
} from './refusals.js';
import { type LedgerState, restOf, type Source, toMinor } from './state.js';

/** Limit per payment or credit note. Includes invoices from which it took everything back. */
const MAX_INVOICES = 1_000;

/**
 * Refusals: validation_failed (unknown source or invoice, too_many_items, then mixed_customers),
 * invalid_state for a void invoice's credit note, amount_exceeds_due, amount_exceeds_unallocated.
 */
export function planAllocation(
  { companyId, payload }: LedgerWrite<AllocationPayload>,
  state: LedgerState,
): Decision<LedgerPlan> {
  const company = state.company(companyId);
  const { places } = company;
  const source = findSource(companyId, payload, state);
  if (!source) return { refusal: validationFailed([unknownSource(sourceField(payload))]) };
  const { named, errors } = findRecipients(companyId, payload.invoices, source.given, state);
  const invalid = [...errors, ...tooManyInvoices(named, source)];
  if (invalid.length > 0) return { refusal: validationFailed(invalid) };
  const mixed = otherCustomers(named, source.customerKey);
  if (mixed.length > 0) return { refusal: validationFailed(mixed) };
  const refusal = refuseAmounts(named, source, places);
  if (refusal) return { refusal };

  const { customerName, customerKey } = source;
  const date = payload.date ?? company.today;
  const amounts = distribute(
    source.unallocated,
    named.map(({ recipient }) => recipient),
  );
  const changes = named.map(({ invoice }, index) => ({ invoice, amount: amounts[index] ?? 0n }));
  const { allocations, given } = moveMoney(source, changes, date);
  source.given = given;
  const moved = amounts.reduce((sum, amount) => sum + amount, 0n);
  source.unallocated -= moved;
  showRest(source, places);
  return {
    plan: {
      entry: {
        ...takeSequence(company),
        type: 'allocation',
        date,
        customerName,
        customerKey,
        sourceId: source.id,
        amount: fromMinor(moved, places),
        body: source.body,
      },
      allocations,
      movements: [],
    },
  };
}

/** Bounds the size of the source's JSON, which lists its invoices and is written at each change. */
function tooManyInvoices(named: readonly NamedInvoice[], { given }: Source): FieldError[] {
  const added = named.filter(({ invoice }) => !given.has(invoice.id)).length;
  if (added === 0 || given.size + added <= MAX_INVOICES) return [];
  const sentence =
    `A payment or credit note can be allocated to at most ${MAX_INVOICES} invoices in all. ` +
    `This one was allocated to ${given.size}.`;
  return [fieldError(['invoices'], 'too_many_items', sentence)];
}

function refuseAmounts(named: readonly NamedInvoice[], source: Source, places: number) {
  const isVoid = ({ invoice, recipient }: NamedInvoice) =>
    invoice.status === 'void' && (recipient.wanted ?? 0n) < 0n;
  const final = named.find(isVoid);
  if (final) return invoiceState('A void invoice keeps its credit note.', final.invoice, places);
  const exceeding = exceedingInvoices(named, places);
  if (exceeding.length > 0) return exceedsDue(exceeding);
  const wanted = named.reduce((sum, { recipient }) => sum + (recipient.wanted ?? 0n), 0n);
  const available = source.unallocated;
  const text = (amount: bigint) => fromMinor(amount, places);
  if (wanted > available) return exceedsUnallocated(['invoices'], text(wanted), text(available));
  if (named.some(({ recipient }) => recipient.wanted !== null)) return null;
  // A request without amounts must move some money.
  const due = named.reduce((sum, { recipient }) => sum + recipient.due, 0n);
  if (due === 0n)
    return exceedsDue(
      named.map(({ invoice }, index) =>
        exceedingInvoice(['invoices', index], invoice, text(available), '0'),
      ),
    );
  return available === 0n ? exceedsUnallocated(['invoices'], text(due), '0') : null;
}

/** Refusals: validation_failed (unknown source), already_exists, amount_exceeds_unallocated. */
export function planRefund(
  { companyId, resultId, payload }: LedgerWrite<RefundPayload>,
  state: LedgerState,
): Decision<LedgerPlan> {
  const company = state.company(companyId);
  const { places, currency } = company;
  const { date, method, reference, externalId, note } = payload;
  const source = findSource(companyId, payload, state);
  if (!source) return { refusal: validationFailed([unknownSource(sourceField(payload))]) };
  const existing = externalId && state.transfer(companyId, 'refund', externalId);
  if (existing) return { refusal: transferExists(existing) };
  const minor = toMinor(payload.amount, places);
  const amount = fromMinor(minor, places);
  if (minor > source.unallocated) {
    const available = fromMinor(source.unallocated, places);
    return { refusal: exceedsUnallocated(['amount'], amount, available) };
  }

  source.unallocated -= minor;
  source.refunded += minor;
  showRest(source, places);
  if (externalId !== undefined) state.addTransfer(companyId, 'refund', externalId, resultId);
  const { customerName, customerKey } = source;
  const body = renderRefund({
    id: resultId,
    amount,
    date,
    currency,
    customerName,
    paymentId: payload.paymentId ?? null,
    creditNoteId: payload.creditNoteId ?? null,
    method: method ?? null,
    reference: reference ?? null,
    externalId: externalId ?? null,
    note: note ?? null,
    createdAt: company.now.toISOString(),
  });
  const columns = { date, customerName, customerKey, amount, sourceId: source.id };
  const taken = takeSequence(company);
  return {
    plan: {
      entry: { ...taken, type: 'refund', ...columns, method, reference, externalId, note, body },
      allocations: [],
      movements: [],
    },
  };
}

function showRest(source: Source, places: number): void {
  source.body = withRest(source.body, restOf(source, places));
  source.isChanged = true;
}

function findSource(
  companyId: string,
  request: SourceRequest,
  state: LedgerState,
): Source | undefined {
  const source = state.source(companyId, namedSource(request));
  const type = request.paymentId === undefined ? 'creditNote' : 'payment';
  return source?.type === type ? source : undefined;
}

function sourceField({ paymentId }: SourceRequest): 'paymentId' | 'creditNoteId' {
  return paymentId === undefined ? 'creditNoteId' : 'paymentId';
}
