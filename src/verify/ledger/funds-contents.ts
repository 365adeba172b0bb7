// The invariant of a payment or credit note with its later entries: each stored JSON is the one
// that the rows had at that time. It is checked here and not in SQL, because entry-json.ts is the
// one definition of the JSON.
import {
  type Allocation,
  CREDIT_NOTE,
  type CreditNote,
  type FundsUsage,
  PAYMENT,
  REFUND,
  reversed,
} from '../../ledger/entry-json.js';
import type { ParsedJson } from '../../platform/values/json-shape.js';
import { fromUnits, toUnits } from '../../platform/values/money.js';
import type { Violation } from '../violation.js';
import type { StoredEntry, StoredFunds } from './stored-funds.js';

export const FUNDS_BODIES =
  'the JSON of an entry matches its row, the entries before it and the money that they moved';

/** The entries whose JSON or columns differ from what their rows say. */
export function checkFunds(funds: StoredFunds): Violation[] {
  const { companyId, later } = funds;
  const wrong: string[] = [];
  const expect = (entry: StoredEntry, isRight: () => boolean) => {
    if (!holds(isRight)) wrong.push(entry.id);
  };
  const bodyAt = renderer(funds);
  const last = later?.at(-1)?.sequence ?? funds.sequence;
  expect(
    funds,
    () =>
      funds.body === bodyAt(last, funds.body) &&
      funds.firstBody === (later ? bodyAt(funds.sequence, funds.firstBody ?? '') : null) &&
      hasOwnColumns(funds),
  );
  for (const entry of later ?? [])
    expect(
      entry,
      () =>
        entry.body ===
          (entry.type === 'refund'
            ? refundBody(entry, funds)
            : bodyAt(entry.sequence, entry.body)) &&
        entry.firstBody === null &&
        entry.customerName === funds.customerName &&
        entry.currency === funds.currency &&
        hasOwnColumns(entry) &&
        hasAmount(entry, funds),
    );
  return wrong.map(entryId => ({ violation: FUNDS_BODIES, companyId, entryId }));
}

/** A JSON that cannot be read is wrong. */
function holds(isRight: () => boolean): boolean {
  try {
    return isRight();
  } catch {
    return false;
  }
}

/** Only some types have these columns. */
function hasOwnColumns(entry: StoredEntry): boolean {
  const { type, method, reference, externalId, note, reason, explanation } = entry;
  const isMoney = type === 'payment' || type === 'refund';
  const isNote = type === 'creditNote';
  return (
    (isMoney || (method === null && externalId === null)) &&
    (isMoney || isNote || (reference === null && note === null)) &&
    isNote === (reason !== null) &&
    (isNote || !entry.hasCreditedLines) &&
    (explanation === null || type === 'reversal' || isNote)
  );
}

function hasAmount({ type, amount, sequence }: StoredEntry, { moved, ...funds }: StoredFunds) {
  if (type === 'reversal') return amount === funds.amount;
  if (type !== 'allocation') return true;
  const own = (moved ?? []).filter(each => each.sequence === sequence);
  return sumOf(own) === toUnits(amount);
}

const sumOf = (amounts: readonly { readonly amount: number }[]) =>
  amounts.reduce((sum, { amount }) => sum + toUnits(amount), 0n);

/**
 * Renders the JSON as it was after the entry with a sequence. Allocations of one entry have no
 * order of their own, and items and taxes are checked with the invoice: those are taken from
 * `stored`.
 */
function renderer(funds: StoredFunds): (sequence: number, stored: string) => string {
  const moved = funds.moved ?? [];
  const refunds = funds.later?.filter(({ type }) => type === 'refund') ?? [];
  const reversal = funds.later?.find(({ type }) => type === 'reversal');
  const hasOrder = funds.type === 'creditNote' || moved.length > 1;
  return (sequence, stored) => {
    const upTo = <Row extends { sequence: number }>(rows: readonly Row[]) =>
      rows.filter(row => row.sequence <= sequence);
    const json: StoredJson = hasOrder ? JSON.parse(stored) : EMPTY_JSON;
    const given = upTo(moved);
    const refunded = sumOf(upTo(refunds));
    const usage: FundsUsage = {
      allocations: allocationsOf(given, json),
      refunded: fromUnits(refunded),
      unallocated: fromUnits(toUnits(funds.amount) - sumOf(given) - refunded),
    };
    const body = render(funds, usage, json);
    return reversal && reversal.sequence <= sequence ? reversed(body) : body;
  };
}

type StoredJson = Pick<ParsedJson<typeof CREDIT_NOTE>, 'allocations' | 'items' | 'taxes'>;

const EMPTY_JSON: StoredJson = { allocations: [], items: [], taxes: [] };

function allocationsOf(
  given: NonNullable<StoredFunds['moved']>,
  { allocations }: StoredJson,
): Allocation[] {
  const sums = new Map<string, { first: number; number: string; units: bigint }>();
  for (const { sequence, invoiceId, invoiceNumber, amount } of given) {
    const sum = sums.get(invoiceId) ?? { first: sequence, number: invoiceNumber, units: 0n };
    sum.units += toUnits(amount);
    sums.set(invoiceId, sum);
  }
  const places = new Map(allocations.map(({ invoiceId }, index) => [invoiceId, index]));
  return [...sums]
    .filter(([, { units }]) => units !== 0n)
    .sort(
      ([a, one], [b, other]) =>
        one.first - other.first || (places.get(a) ?? 0) - (places.get(b) ?? 0),
    )
    .map(([invoiceId, { number, units }]) => ({
      invoiceId,
      invoiceNumber: number,
      amount: fromUnits(units),
    }));
}

const textOf = (amount: number) => fromUnits(toUnits(amount));

function render(funds: StoredFunds, usage: FundsUsage, json: StoredJson): string {
  if (funds.type === 'payment')
    return PAYMENT.json({ ...funds, ...usage, amount: textOf(funds.amount), status: 'recorded' });
  return CREDIT_NOTE.json({
    ...funds,
    number: funds.number ?? '',
    invoiceId: funds.invoiceId ?? '',
    invoiceNumber: funds.invoiceNumber ?? '',
    reason: (funds.reason ?? '') as CreditNote['reason'],
    items: json.items.map(({ line, qty, amount, ...item }) => ({
      ...item,
      line: String(line),
      qty: qty === null ? null : textOf(qty),
      amount: textOf(amount),
    })),
    subtotal: textOf(funds.subtotal ?? 0),
    taxTotal: textOf(funds.taxTotal ?? 0),
    taxes: json.taxes.map(({ rate, base, amount, ...tax }) => ({
      ...tax,
      rate: String(rate),
      base: textOf(base),
      amount: textOf(amount),
    })),
    total: textOf(funds.amount),
    ...usage,
  });
}

function refundBody(refund: StoredEntry, { id, type }: StoredFunds): string {
  return REFUND.json({
    ...refund,
    amount: textOf(refund.amount),
    paymentId: type === 'payment' ? id : null,
    creditNoteId: type === 'creditNote' ? id : null,
  });
}
