// What an invoice comes to and what it takes out of stock: pure, and the only place that decides it.
import { insufficientStock, shortage } from '../inventory/rules.js';
import { MAX_ON_HAND, type Stock } from '../inventory/stock.js';
import type { Decision } from '../jobs/write-kind.js';
import type { FieldError } from '../platform/errors.js';
import { fieldError, validationFailed } from '../platform/field-errors.js';
import {
  DECIMALS,
  decimalPlaces,
  fromMinor,
  lineAmount,
  minorUnits,
  toUnits,
} from '../platform/values/money.js';
import { matchKey } from '../platform/values/text.js';
import { type InvoiceLineRequest, type InvoiceRequest, MAX_PRICE, MAX_QTY } from './schema.js';

/** The contract's bound on a total, 99,999,999,999.99, in hundredths. */
const MAX_TOTAL_HUNDREDTHS = 9_999_999_999_999n;

export interface PlannedLine {
  readonly itemId: string | null;
  /** The item's sku where one was matched. */
  readonly sku: string | null;
  /** Decimal text in major units. */
  readonly amount: string;
}

export interface StockDeduction {
  readonly itemId: string;
  /** Negative ten-thousandths. */
  readonly delta: bigint;
  readonly after: bigint;
}

export interface InvoicePlan {
  readonly lines: readonly PlannedLine[];
  readonly total: string;
  readonly deductions: readonly StockDeduction[];
}

export interface Terms {
  readonly currency: string;
  readonly allowNegativeStock: boolean;
}

/** The error of a total out of range, in a body whose other fields may be anything: lines that have no amount count nothing. */
export function checkTotal(body: unknown, currency: string): FieldError[] {
  const places = minorUnits(currency);
  const { items } = (body ?? {}) as { items?: unknown };
  const lines = Array.isArray(items) ? items.filter(hasAmount) : [];
  const total = lines.reduce((sum, line) => sum + amountOf(line, places), 0n);
  return total * 100n > MAX_TOTAL_HUNDREDTHS * 10n ** BigInt(places)
    ? [fieldError(['items'], 'too_large', 'The total is over 99,999,999,999.99.')]
    : [];
}

function hasAmount(line: unknown): line is InvoiceLineRequest {
  const { qty, price } = (line ?? {}) as { qty?: unknown; price?: unknown };
  const counts = (value: unknown, max: number) =>
    typeof value === 'number' && value >= 0 && value <= max && decimalPlaces(value) <= DECIMALS;
  return counts(qty, MAX_QTY) && counts(price, MAX_PRICE);
}

/**
 * Plans one invoice against the stock, which is taken where it is posted and left as it was where it is refused.
 * Refusals: validation_failed (unknown_item at a sku), insufficient_stock (one entry a line of each short item).
 */
export function planInvoice(
  companyId: string,
  request: InvoiceRequest,
  terms: Terms,
  stock: Stock,
): Decision<InvoicePlan> {
  const places = minorUnits(terms.currency);
  const draft = stock.draft();
  const matches = request.items.map(line => matchLine(companyId, line, draft));
  const unknown = request.items.flatMap((line, index) =>
    line.sku !== undefined && !matches[index]
      ? [
          fieldError(
            ['items', index, 'sku'],
            'unknown_item',
            'There is no stock item with this sku.',
          ),
        ]
      : [],
  );
  if (unknown.length > 0) return { refusal: validationFailed(unknown) };

  const wanted = new Map<string, bigint>();
  for (const [index, line] of request.items.entries()) {
    const item = matches[index];
    if (item) wanted.set(item.id, (wanted.get(item.id) ?? 0n) + toUnits(line.qty));
  }
  const short: FieldError[] = [];
  for (const [index, line] of request.items.entries()) {
    const item = matches[index];
    const lowest = terms.allowNegativeStock ? -MAX_ON_HAND : 0n;
    if (item && item.onHand - (wanted.get(item.id) ?? 0n) < lowest) {
      short.push(shortage(['items', index, 'qty'], item, toUnits(line.qty), item.onHand));
    }
  }
  if (short.length > 0) return { refusal: insufficientStock(short) };

  const deductions = [...wanted].map(([itemId, qty]) => {
    const item = draft.byId(companyId, itemId);
    if (!item) throw new Error(`item ${itemId} was matched and is gone`);
    item.onHand -= qty;
    return { itemId, delta: -qty, after: item.onHand };
  });
  draft.commit();
  const amounts = request.items.map(line => amountOf(line, places));
  const lines = amounts.map((amount, index) => ({
    itemId: matches[index]?.id ?? null,
    sku: matches[index]?.sku ?? null,
    amount: fromMinor(amount, places),
  }));
  const total = amounts.reduce((sum, amount) => sum + amount, 0n);
  return { plan: { lines, total: fromMinor(total, places), deductions } };
}

/** The stock item that a line names: by sku where it has one, else by folded name; undefined for an ordinary line. */
function matchLine(companyId: string, line: InvoiceLineRequest, stock: Stock) {
  return line.sku === undefined
    ? stock.byName(companyId, matchKey(line.name))
    : stock.bySku(companyId, line.sku);
}

function amountOf(line: InvoiceLineRequest, places: number): bigint {
  return lineAmount(toUnits(line.qty), toUnits(line.price), places);
}
