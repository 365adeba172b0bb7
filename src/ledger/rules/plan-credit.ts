// Plans credit notes, and the voiding of an invoice, which is a credit note for the whole invoice.
import type { StockMovement } from '../../inventory/stock.js';
import type { TaxGroup } from '../../invoices/invoice-json.js';
import { invoiceNumber } from '../../invoices/invoice-json.js';
import type { Decision } from '../../jobs/write-kind.js';
import { type FieldError, Problem } from '../../platform/errors.js';
import { fieldError, validationFailed } from '../../platform/field-errors.js';
import { fromMinor } from '../../platform/values/money.js';
import { CREDIT_NOTE, type CreditNote, type CreditNoteItem } from '../entry-json.js';
import type { CreditNotePayload, VoidPayload } from '../payload.js';
import {
  creditedSums,
  type PlannedCredit,
  planParts,
  type RequestedPart,
  requestParts,
} from './credit-parts.js';
import { storedLines } from './credited-lines.js';
import { takeEffectiveDate } from './effective-date.js';
import { type LedgerPlan, type LedgerWrite, moveMoney, takeSequence } from './entry-plan.js';
import { mayVoid } from './may-void.js';
import { invoiceState } from './refusals.js';
import {
  dueOf,
  type InvoiceCredit,
  type LedgerInvoice,
  type LedgerState,
  usageOf,
} from './state.js';

/** The members of a credit note besides its amounts. */
interface NoteDetails {
  readonly date: string;
  readonly reason: CreditNote['reason'];
  readonly reference?: string | undefined;
  readonly note?: string | undefined;
  readonly explanation?: string | undefined;
}

/**
 * Refusals: validation_failed (unknown_invoice; invalid_date, lines that do not exist, missing
 * restock), invalid_state for a void invoice, credit_exceeds_invoice, and the refusals of stock.
 */
export function planCreditNote(
  write: LedgerWrite<CreditNotePayload>,
  state: LedgerState,
): Decision<LedgerPlan> {
  const { companyId, payload } = write;
  const invoice = state.invoice(companyId, payload.invoiceId);
  if (!invoice?.credit)
    return { refusal: validationFailed([fieldError(['invoiceId'], 'unknown_invoice')]) };
  const { decimals } = state.company(companyId);
  const requested = requestParts(payload, invoice.credit);
  const invalid = [...checkDate(payload.date, invoice), ...requested.errors];
  if (invoice.status === 'void' && invalid.length === 0)
    return { refusal: invoiceState('The invoice is void.', invoice, decimals) };
  if (invalid.length > 0) {
    const { excess } = creditedSums(requested.parts, invoice.credit, decimals);
    return { refusal: validationFailed([...invalid, ...excess]) };
  }
  const planned = planParts(companyId, requested.parts, invoice.credit, state.stock, decimals);
  if ('refusal' in planned) return planned;
  return { plan: writeNote(write, payload, invoice, invoice.credit, planned.plan, state) };
}

/**
 * Refusals: not_found; invalid_date; invalid_state unless the invoice may be voided (may-void.ts);
 * the refusals of stock.
 */
export function planVoid(
  write: LedgerWrite<VoidPayload>,
  state: LedgerState,
): Decision<LedgerPlan> {
  const { companyId, payload } = write;
  const invoice = state.invoice(companyId, payload.invoiceId);
  if (!invoice?.credit) return { refusal: new Problem('not_found', 'There is no such invoice.') };
  const { decimals, today } = state.company(companyId);
  // The credit note of an invoice with a later date than today gets the invoice's date.
  const date = payload.date ?? (today < invoice.date ? invoice.date : today);
  const invalid = checkDate(date, invoice);
  if (invalid.length > 0) return { refusal: validationFailed(invalid) };
  const { credit } = invoice;
  if (!mayVoid({ ...invoice, hasNotes: credit.hasNotes })) {
    const sentence =
      invoice.status === 'void'
        ? 'The invoice is void already.'
        : 'The invoice is paid or credited, at least in part. Credit the remainder instead.';
    return { refusal: invoiceState(sentence, invoice, decimals) };
  }
  const requested = requestParts({ restock: payload.restock ?? true }, credit);
  const planned = planParts(companyId, requested.parts, credit, state.stock, decimals);
  if ('refusal' in planned) return planned;
  const { note, reason: explanation } = payload;
  const details = { date, reason: 'cancelled', note, explanation } as const;
  const plan = writeNote(write, details, invoice, credit, planned.plan, state);
  invoice.status = 'void';
  invoice.settledOn = null;
  invoice.isChanged = true;
  return { plan };
}

/** A correction is not dated before its invoice. */
export function checkDate(date: string, invoice: Pick<LedgerInvoice, 'date'>): FieldError[] {
  const sentence = `Must not be before the invoice's date, ${invoice.date}.`;
  return date < invoice.date ? [fieldError(['date'], 'invalid_date', sentence)] : [];
}

function writeNote(
  { companyId, resultId }: LedgerWrite,
  { date, reason, reference, note, explanation }: NoteDetails,
  invoice: LedgerInvoice,
  credit: InvoiceCredit,
  { parts, sums, returns }: PlannedCredit,
  state: LedgerState,
): LedgerPlan {
  const company = state.company(companyId);
  const { decimals, creditNotePrefix: numberPrefix, nextCreditNoteNumber: number } = company;
  company.nextCreditNoteNumber += 1n;
  credit.credited = sums.credited;
  credit.hasNotes = true;
  const movements = returns.map(({ item, qty }): StockMovement => {
    item.onHand += qty;
    const { id: itemId, onHand: after } = item;
    return { companyId, itemId, delta: qty, after, kind: 'return', creditNoteId: resultId };
  });
  const total = sums.subtotal + sums.taxTotal;
  const due = dueOf(invoice);
  const applied = total < due ? total : due;
  const funds = { id: resultId, type: 'creditNote', date, effectiveDate: date } as const;
  const moved = moveMoney(funds, [{ invoice, amount: applied }], date);
  // It is an entry of its invoice even if nothing was due there.
  const effectiveDate = takeEffectiveDate(moved.effectiveDate, [invoice]);
  const unallocated = total - applied;
  const { customerName, customerKey } = invoice;
  const text = (amount: bigint) => fromMinor(amount, decimals);
  const { sequence, currency, createdAt } = takeSequence(company);
  const [subtotal, taxTotal] = [text(sums.subtotal), text(sums.taxTotal)];
  const amount = text(total);
  const columns = { invoiceId: invoice.id, number, numberPrefix, subtotal, taxTotal };
  const body = CREDIT_NOTE.json({
    id: resultId,
    number: invoiceNumber(numberPrefix, number),
    invoiceId: invoice.id,
    invoiceNumber: invoice.number,
    customerName,
    date,
    currency,
    reason,
    subtotal,
    taxTotal,
    items: parts.map((part, index) => toItem(part, text(sums.amounts[index] ?? 0n), credit)),
    taxes: taxesOf(credit, sums, text),
    total: amount,
    ...usageOf({ allocations: moved.allocations, refunded: 0n, unallocated }, decimals),
    reference: reference ?? null,
    note: note ?? null,
    createdAt: createdAt.toISOString(),
  });
  return {
    entry: {
      sequence,
      type: 'creditNote',
      date,
      effectiveDate,
      currency,
      customerName,
      customerKey,
      amount,
      unallocated: text(unallocated),
      creditNote: { ...columns, creditedLines: JSON.stringify(storedLines(sums.credited)) },
      reference,
      note,
      reason,
      explanation,
      createdAt,
      body,
    },
    allocations: moved.rows,
    movements,
  };
}

function toItem(part: RequestedPart, amount: string, { issued }: InvoiceCredit): CreditNoteItem {
  const { name = '', sku = null, itemId = null } = issued.lines[part.line] ?? {};
  const { qty, isRestocked: restocked } = part;
  return { line: String(part.line + 1), name, sku, qty, amount, itemId, restocked };
}

/** Empty if the invoice has no tax, since its one group is then not a tax group. */
function taxesOf(
  { issued }: InvoiceCredit,
  { groups }: PlannedCredit['sums'],
  text: (amount: bigint) => string,
): TaxGroup[] {
  return groups.flatMap(({ group, base, tax }) => {
    const ofInvoice = issued.details.taxes[group];
    return ofInvoice ? [{ ...ofInvoice, base: text(base), amount: text(tax) }] : [];
  });
}
