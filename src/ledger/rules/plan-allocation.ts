// Plans allocations and refunds of a payment's or credit note's unallocated amount.
import type { Decision } from '../../jobs/write-kind.js';
import type { FieldError } from '../../platform/errors.js';
import { fieldError, validationFailed } from '../../platform/field-errors.js';
import { fromMinor, toMinor } from '../../platform/values/money.js';
import { REFUND, withUsage } from '../entry-json.js';
import { type AllocationPayload, namedFunds, type RefundPayload } from '../payload.js';
import type { FundsRequest } from '../schema.js';
import { distribute } from './distribution.js';
import { takeEffectiveDate } from './effective-date.js';
import { type LedgerPlan, type LedgerWrite, moveMoney, takeSequence } from './entry-plan.js';
import {
  exceedingInvoices,
  findRecipients,
  type NamedInvoice,
  otherCustomers,
} from './recipients.js';
import {
  exceedsDue,
  exceedsUnallocated,
  invoiceState,
  transferExists,
  unknownFunds,
} from './refusals.js';
import { type Funds, type LedgerState, usageOf } from './state.js';

/** Limit per payment or credit note. Includes invoices from which it took everything back. */
const MAX_INVOICES = 1_000;

/**
 * Refusals: validation_failed (unknown payment, credit note or invoice, too_many_items,
 * mixed_customers), invalid_state for a void invoice's credit note,
 * amount_exceeds_due, amount_exceeds_unallocated.
 */
export function planAllocation(
  { companyId, payload }: LedgerWrite<AllocationPayload>,
  state: LedgerState,
): Decision<LedgerPlan> {
  const company = state.company(companyId);
  const { decimals } = company;
  const funds = findFunds(companyId, payload, state);
  const earlier = funds?.allocations ?? new Map();
  const { named, errors } = findRecipients(companyId, payload.invoices, earlier, state);
  if (!funds) return { refusal: validationFailed([unknownFunds(fundsField(payload)), ...errors]) };
  const invalid = [
    ...errors,
    ...tooManyInvoices(named, funds),
    ...otherCustomers(companyId, named, funds.customerKey, state),
  ];
  if (invalid.length > 0) return { refusal: validationFailed(invalid) };
  const refusal = refuseAmounts(named, funds, decimals);
  if (refusal) return { refusal };

  const { customerName, customerKey } = funds;
  const date = payload.date ?? company.today;
  const amounts = distribute(
    funds.unallocated,
    named.map(({ recipient }) => recipient),
  );
  const changes = named.map(({ invoice }, index) => ({ invoice, amount: amounts[index] ?? 0n }));
  const { rows, allocations, effectiveDate } = moveMoney(funds, changes, date);
  funds.allocations = allocations;
  const moved = amounts.reduce((sum, amount) => sum + amount, 0n);
  funds.unallocated -= moved;
  showUsage(funds, decimals);
  return {
    plan: {
      entry: {
        ...takeSequence(company),
        type: 'allocation',
        date,
        effectiveDate,
        customerName,
        customerKey,
        fundsId: funds.id,
        amount: fromMinor(moved, decimals),
        body: funds.body,
      },
      allocations: rows,
      movements: [],
    },
  };
}

/** Bounds the size of the JSON, which lists the invoices and is written at each change. */
function tooManyInvoices(named: readonly NamedInvoice[], { allocations }: Funds): FieldError[] {
  const added = named.filter(({ invoice }) => !allocations.has(invoice.id)).length;
  if (added === 0 || allocations.size + added <= MAX_INVOICES) return [];
  const sentence =
    `A payment or credit note can be allocated to at most ${MAX_INVOICES} invoices in all. ` +
    `This one was allocated to ${allocations.size}.`;
  return [fieldError(['invoices'], 'too_many_items', sentence)];
}

function refuseAmounts(named: readonly NamedInvoice[], funds: Funds, decimals: number) {
  const isVoid = ({ invoice, recipient }: NamedInvoice) =>
    invoice.status === 'void' && (recipient.wanted ?? 0n) < 0n;
  const final = named.find(isVoid);
  if (final) return invoiceState('A void invoice keeps its credit note.', final.invoice, decimals);
  const available = funds.unallocated;
  const exceeding = exceedingInvoices(named, available, decimals);
  if (exceeding.length > 0) return exceedsDue(exceeding);
  const wanted = named.reduce((sum, { recipient }) => sum + (recipient.wanted ?? 0n), 0n);
  const text = (amount: bigint) => fromMinor(amount, decimals);
  if (wanted > available) return exceedsUnallocated(['invoices'], text(wanted), text(available));
  if (named.some(({ recipient }) => recipient.wanted !== null)) return null;
  // A request without amounts must move some money.
  const due = named.reduce((sum, { recipient }) => sum + recipient.due, 0n);
  return available === 0n ? exceedsUnallocated(['invoices'], text(due), '0') : null;
}

/**
 * Refusals: validation_failed (unknown payment or credit note), already_exists,
 * amount_exceeds_unallocated.
 */
export function planRefund(
  { companyId, resultId, payload }: LedgerWrite<RefundPayload>,
  state: LedgerState,
): Decision<LedgerPlan> {
  const company = state.company(companyId);
  const { decimals, currency } = company;
  const { date, method, reference, externalId, note } = payload;
  const funds = findFunds(companyId, payload, state);
  if (!funds) return { refusal: validationFailed([unknownFunds(fundsField(payload))]) };
  const existing = externalId && state.transfer(companyId, 'refund', externalId);
  if (existing) return { refusal: transferExists(existing) };
  const minor = toMinor(payload.amount, decimals);
  const amount = fromMinor(minor, decimals);
  if (minor > funds.unallocated) {
    const available = fromMinor(funds.unallocated, decimals);
    return { refusal: exceedsUnallocated(['amount'], amount, available) };
  }

  funds.unallocated -= minor;
  funds.refunded += minor;
  showUsage(funds, decimals);
  if (externalId !== undefined) state.addTransfer(companyId, 'refund', externalId, resultId);
  const { customerName, customerKey } = funds;
  const body = REFUND.json({
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
  const effectiveDate = takeEffectiveDate(date, [funds]);
  const columns = { date, effectiveDate, customerName, customerKey, amount, fundsId: funds.id };
  const taken = takeSequence(company);
  return {
    plan: {
      entry: { ...taken, type: 'refund', ...columns, method, reference, externalId, note, body },
      allocations: [],
      movements: [],
    },
  };
}

function showUsage(funds: Funds, decimals: number): void {
  funds.body = withUsage(funds.body, usageOf(funds, decimals));
  funds.isChanged = true;
}

function findFunds(
  companyId: string,
  request: FundsRequest,
  state: LedgerState,
): Funds | undefined {
  const funds = state.funds(companyId, namedFunds(request));
  const type = request.paymentId === undefined ? 'creditNote' : 'payment';
  return funds?.type === type ? funds : undefined;
}

function fundsField({ paymentId }: FundsRequest): 'paymentId' | 'creditNoteId' {
  return paymentId === undefined ? 'creditNoteId' : 'paymentId';
}
