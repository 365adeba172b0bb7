// Plans payments and their reversals.
import type { Decision } from '../../jobs/write-kind.js';
import { Problem } from '../../platform/errors.js';
import { validationFailed } from '../../platform/field-errors.js';
import { fromMinor, toMinor } from '../../platform/values/money.js';
import { matchKey } from '../../platform/values/text.js';
import { PAYMENT, reversed } from '../entry-json.js';
import type { PaymentPayload, ReversalPayload } from '../payload.js';
import { distribute } from './distribution.js';
import { type LedgerPlan, type LedgerWrite, moveMoney, takeSequence } from './entry-plan.js';
import {
  exceedingInvoices,
  findRecipients,
  type NamedInvoice,
  otherCustomers,
} from './recipients.js';
import { exceedsDue, otherCustomer, transferExists } from './refusals.js';
import { type LedgerState, usageOf } from './state.js';

/**
 * Refusals: validation_failed (unknown_invoice and mixed_customers), already_exists,
 * amount_exceeds_due.
 */
export function planPayment(
  write: LedgerWrite<PaymentPayload>,
  state: LedgerState,
): Decision<LedgerPlan> {
  const { companyId, payload } = write;
  const { invoices = [], externalId } = payload;
  const { decimals } = state.company(companyId);
  const { named, errors } = findRecipients(companyId, invoices, new Map(), state);
  const invalid = [...errors, ...differingCustomers(companyId, named, payload, state)];
  if (invalid.length > 0) return { refusal: validationFailed(invalid) };
  const existing = externalId && state.transfer(companyId, 'payment', externalId);
  if (existing) return { refusal: transferExists(existing) };
  const amount = toMinor(payload.amount, decimals);
  const exceeding = exceedingInvoices(named, amount, decimals);
  if (exceeding.length > 0) return { refusal: exceedsDue(exceeding) };
  return { plan: recordPayment(write, named, state) };
}

/** Errors if the invoices have different customers, or another one than the request names. */
function differingCustomers(
  companyId: string,
  named: readonly NamedInvoice[],
  { customerName, namedBy }: PaymentPayload,
  state: LedgerState,
) {
  const key = named[0]?.invoice.customerKey;
  const mixed = otherCustomers(companyId, named, key, state);
  if (mixed.length > 0 || key === undefined || customerName === undefined) return mixed;
  return state.isOneCustomer(companyId, matchKey(customerName), key)
    ? []
    : [otherCustomer(namedBy ?? 'customerName')];
}

function recordPayment(
  { companyId, resultId, payload }: LedgerWrite<PaymentPayload>,
  named: readonly NamedInvoice[],
  state: LedgerState,
): LedgerPlan {
  const company = state.company(companyId);
  const { date, method, reference, externalId, note } = payload;
  const amount = toMinor(payload.amount, company.decimals);
  const amounts = distribute(
    amount,
    named.map(({ recipient }) => recipient),
  );
  const changes = named.map(({ invoice }, index) => ({ invoice, amount: amounts[index] ?? 0n }));
  const funds = { id: resultId, type: 'payment', date, effectiveDate: date } as const;
  const { rows, allocations, effectiveDate } = moveMoney(funds, changes, date);
  const unallocated = amounts.reduce((left, each) => left - each, amount);
  const customerName = payload.customerName ?? named[0]?.invoice.customerName ?? '';
  const { sequence, currency, createdAt } = takeSequence(company);
  if (externalId !== undefined) state.addTransfer(companyId, 'payment', externalId, resultId);
  const amountText = fromMinor(amount, company.decimals);
  const body = PAYMENT.json({
    id: resultId,
    amount: amountText,
    date,
    currency,
    customerName,
    method: method ?? null,
    reference: reference ?? null,
    externalId: externalId ?? null,
    note: note ?? null,
    status: 'recorded',
    ...usageOf({ allocations, refunded: 0n, unallocated }, company.decimals),
    createdAt: createdAt.toISOString(),
  });
  return {
    entry: {
      sequence,
      type: 'payment',
      date,
      effectiveDate,
      currency,
      customerName,
      customerKey: matchKey(customerName),
      amount: amountText,
      unallocated: fromMinor(unallocated, company.decimals),
      method,
      reference,
      externalId,
      note,
      createdAt,
      body,
    },
    allocations: rows,
    movements: [],
  };
}

/** Refusals: not_found; invalid_state if the payment is reversed or refunded in part. */
export function planReversal(
  { companyId, payload }: LedgerWrite<ReversalPayload>,
  state: LedgerState,
): Decision<LedgerPlan> {
  const payment = state.funds(companyId, payload.paymentId);
  if (payment?.type !== 'payment') return { refusal: noSuchPayment() };
  const { customerName, customerKey, refunded } = payment;
  if (payment.isReversed) return { refusal: paymentState('The payment is reversed already.') };
  if (refunded > 0n)
    return { refusal: paymentState('The payment is refunded, in whole or in part.') };
  const company = state.company(companyId);
  const changes = Array.from(payment.allocations, ([id, { amount }]) => {
    const invoice = state.invoice(companyId, id);
    if (!invoice) throw new Error(`invoice ${id} of a payment is not locked`);
    return { invoice, amount: -amount };
  });
  const { rows, allocations, effectiveDate } = moveMoney(payment, changes, payload.date);
  payment.allocations = allocations;
  payment.unallocated = 0n;
  payment.isReversed = true;
  payment.body = reversed(payment.body);
  payment.isChanged = true;
  return {
    plan: {
      entry: {
        ...takeSequence(company),
        type: 'reversal',
        date: payload.date,
        effectiveDate,
        fundsId: payment.id,
        explanation: payload.reason,
        customerName,
        customerKey,
        amount: fromMinor(payment.amount, company.decimals),
        body: payment.body,
      },
      allocations: rows,
      movements: [],
    },
  };
}

export function noSuchPayment(): Problem {
  return new Problem('not_found', 'There is no such payment.');
}

function paymentState(detail: string): Problem {
  return new Problem('invalid_state', detail);
}
