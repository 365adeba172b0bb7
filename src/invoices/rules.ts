// An invoice's amounts and its effect on stock. Pure, and the only place that decides either.
import { insufficientStock, shortage } from '../inventory/rules.js';
import { MAX_ON_HAND, type Stock, type StockItem } from '../inventory/stock.js';
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
import type { InvoiceLine } from './invoice-json.js';
import { type InvoiceLineRequest, type InvoiceRequest, MAX_PRICE, MAX_QTY } from './schema.js';

/** The contract's maximum total, 99,999,999,999.99, in hundredths. */
const MAX_TOTAL_HUNDREDTHS = 9_999_999_999_999n;

export interface StockDeduction {
  readonly itemId: string;
  /** Negative ten-thousandths. */
  readonly delta: bigint;
  readonly after: bigint;
}

export interface InvoicePlan {
  readonly lines: readonly InvoiceLine[];
  readonly total: string;
  readonly deductions: readonly StockDeduction[];
}

export interface Terms {
  readonly currency: string;
  readonly allowNegativeStock: boolean;
}

/**
 * Range-checks the total. The body may be otherwise invalid: lines without a valid qty and price
 * are ignored.
 */
export function checkTotal(body: unknown, currency: string): FieldError[] {
  const places = minorUnits(currency);
  const { items } = (body ?? {}) as { items?: unknown };
  const lines = Array.isArray(items) ? items.filter(hasAmount) : [];
  const total = lines.reduce((sum, line) => sum + amountOf(line, places), 0n);
  return total * 100n > MAX_TOTAL_HUNDREDTHS * 10n ** BigInt(places)
    ? [fieldError(['items'], 'too_large', 'The total must be at most 99,999,999,999.99.')]
    : [];
}

function hasAmount(line: unknown): line is InvoiceLineRequest {
  const { qty, price } = (line ?? {}) as { qty?: unknown; price?: unknown };
  const isAmount = (value: unknown, max: number) =>
    typeof value === 'number' && value >= 0 && value <= max && decimalPlaces(value) <= DECIMALS;
  return isAmount(qty, MAX_QTY) && isAmount(price, MAX_PRICE);
}

/**
 * Plans one invoice and deducts its quantities from `stock`; a refused invoice leaves `stock`
 * unchanged. Refusals: validation_failed (unknown_item at a sku), then insufficient_stock (one
 * error per line of each short item).
 */
export function planInvoice(
  companyId: string,
  request: InvoiceRequest,
  terms: Terms,
  stock: Stock,
): Decision<InvoicePlan> {
  const lines = request.items.map(line => ({ line, item: matchLine(companyId, line, stock) }));
  const unknown = lines.flatMap(({ line, item }, index) =>
    line.sku !== undefined && !item ? [unknownSku(index)] : [],
  );
  if (unknown.length > 0) return { refusal: validationFailed(unknown) };

  const requested = new Map<StockItem, bigint>();
  for (const { line, item } of lines)
    if (item) requested.set(item, (requested.get(item) ?? 0n) + toUnits(line.qty));
  const lowest = terms.allowNegativeStock ? -MAX_ON_HAND : 0n;
  const short = lines.flatMap(({ line, item }, index) =>
    item && item.onHand - (requested.get(item) ?? 0n) < lowest
      ? [shortage(['items', index, 'qty'], item, toUnits(line.qty), item.onHand)]
      : [],
  );
  if (short.length > 0) return { refusal: insufficientStock(short) };

  const deductions = Array.from(requested, ([item, qty]) => {
    item.onHand -= qty;
    return { itemId: item.id, delta: -qty, after: item.onHand };
  });
  return { plan: { ...priceLines(lines, minorUnits(terms.currency)), deductions } };
}

function unknownSku(index: number): FieldError {
  const sentence = 'There is no stock item with this sku.';
  return fieldError(['items', index, 'sku'], 'unknown_item', sentence);
}

function priceLines(
  lines: readonly { readonly line: InvoiceLineRequest; readonly item: StockItem | undefined }[],
  places: number,
): Pick<InvoicePlan, 'lines' | 'total'> {
  let total = 0n;
  const priced = lines.map(({ line, item }) => {
    const amount = amountOf(line, places);
    total += amount;
    return {
      name: line.name,
      sku: item?.sku ?? null,
      // A valid number's shortest form is its decimal text: it has no exponent.
      ...{ qty: String(line.qty), price: String(line.price), amount: fromMinor(amount, places) },
      itemId: item?.id ?? null,
    };
  });
  return { lines: priced, total: fromMinor(total, places) };
}

/** The stock item of a line, by SKU if given, else by folded name; undefined for a plain line. */
function matchLine(
  companyId: string,
  line: InvoiceLineRequest,
  stock: Stock,
): StockItem | undefined {
  return line.sku === undefined
    ? stock.byName(companyId, matchKey(line.name))
    : stock.bySku(companyId, line.sku);
}

function amountOf(line: InvoiceLineRequest, places: number): bigint {
  return lineAmount(toUnits(line.qty), toUnits(line.price), places);
}
