// An invoice's amounts and its effect on stock: deterministic, without I/O, and the only place that
// decides either. Planning changes the locked items and the customer's exposure.
import { addToExposure, type CustomerCredit, refuseCredit } from '../customers/credit/credits.js';
import { insufficientStock, shortage } from '../inventory/rules.js';
import { MAX_ON_HAND, type Stock, type StockItem } from '../inventory/stock.js';
import { refuseOtherCurrency } from '../jobs/checked-currency.js';
import type { Decision } from '../jobs/write-kind.js';
import type { FieldError } from '../platform/errors.js';
import { fieldError, validationFailed } from '../platform/field-errors.js';
import { fromMinor, fromUnits, minorUnits, toUnits } from '../platform/values/money.js';
import { matchKey } from '../platform/values/text.js';
import type { InvoiceDetails, InvoiceLine, LineDiscount } from './invoice-json.js';
import { discountToPrice, lineToPrice } from './line-to-price.js';
import { type PricedLine, priceInvoice, type Tax } from './pricing.js';
import type { DiscountRequest, InvoiceLineRequest, InvoiceRequest } from './schema.js';
import { reasonOf } from './tax-reasons.js';

export interface StockDeduction {
  readonly itemId: string;
  /** Negative ten-thousandths. */
  readonly delta: bigint;
  readonly after: bigint;
}

export interface InvoicePlan {
  readonly lines: readonly InvoiceLine[];
  readonly total: string;
  readonly details: InvoiceDetails;
  readonly deductions: readonly StockDeduction[];
}

export interface PostingSettings {
  readonly currency: string;
  readonly allowNegativeStock: boolean;
}

/**
 * Plans one invoice, deducts its quantities from `stock` and adds its total to the exposure of
 * `credit`, which is null for a customer without a hold and a limit; a refused invoice leaves both
 * unchanged. Refusals: invalid_state (checked with another currency), validation_failed
 * (unknown_item at a sku), customer_on_hold, credit_limit_exceeded, then insufficient_stock (one
 * error per line of each short item).
 */
export function planInvoice(
  companyId: string,
  request: InvoiceRequest,
  terms: PostingSettings,
  stock: Stock,
  credit: CustomerCredit | null = null,
): Decision<InvoicePlan> {
  const changed = refuseOtherCurrency(request, terms.currency);
  if (changed) return { refusal: changed };
  const lines = request.items.map(line => ({ line, item: matchLine(companyId, line, stock) }));
  const unknown = lines.flatMap(({ line, item }, index) =>
    line.sku !== undefined && !item ? [unknownSku(index)] : [],
  );
  if (unknown.length > 0) return { refusal: validationFailed(unknown) };
  const content = priced(request, lines, minorUnits(terms.currency));
  const refused = credit && !request.ignoreCredit && refuseCredit(credit, content.total);
  if (refused) return { refusal: refused };

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
  if (credit) addToExposure(credit, content.total);
  return { plan: { ...content, deductions } };
}

/** The total of a request, as its plan will have it; 0 if the plan refuses the currency. */
export function totalOf(request: InvoiceRequest, currency: string): string {
  if (refuseOtherCurrency(request, currency)) return '0';
  const decimals = minorUnits(currency);
  const reduction = request.discount && discountToPrice(request.discount, decimals);
  const toPrice = request.items.map(line => lineToPrice(line, decimals));
  return fromMinor(priceInvoice(toPrice, reduction, decimals).total, decimals);
}

function unknownSku(index: number): FieldError {
  const sentence = 'There is no stock item with this sku.';
  return fieldError(['items', index, 'sku'], 'unknown_item', sentence);
}

/** An invoice that is not issued, without the items of its lines. */
export function priceRequest(
  request: InvoiceRequest,
  currency: string,
): Omit<InvoicePlan, 'deductions'> {
  const lines = request.items.map(line => ({ line, item: undefined }));
  return priced(request, lines, minorUnits(currency));
}

/** The plan without its effect on stock. */
function priced(
  request: InvoiceRequest,
  lines: readonly { readonly line: InvoiceLineRequest; readonly item: StockItem | undefined }[],
  decimals: number,
): Omit<InvoicePlan, 'deductions'> {
  const { discount, taxReason = null } = request;
  const toPrice = lines.map(({ line }) => lineToPrice(line, decimals));
  const reduction = discount && discountToPrice(discount, decimals);
  const pricing = priceInvoice(toPrice, reduction, decimals);
  const text = (minor: bigint) => fromMinor(minor, decimals);
  return {
    lines: lines.map(({ line, item }, index) =>
      invoiceLine(line, item, pricing.lines[index] as PricedLine, toPrice[index]?.tax, text),
    ),
    total: text(pricing.total),
    details: {
      dueDate: request.dueDate ?? null,
      orderReference: request.orderReference ?? null,
      deliveryDate: request.deliveryDate ?? null,
      note: request.note ?? null,
      discount: discount
        ? { ...discountText(discount, text(pricing.discount)), reason: discount.reason ?? null }
        : null,
      subtotal: text(pricing.subtotal),
      taxTotal: text(pricing.taxTotal),
      taxes: pricing.groups.map(({ category, rate, base, tax }) => ({
        category,
        rate: fromUnits(rate),
        base: text(base),
        amount: text(tax),
        reason: reasonOf(category, taxReason),
      })),
      customerId: request.customerId,
    },
  };
}

function invoiceLine(
  line: InvoiceLineRequest,
  item: StockItem | undefined,
  { discount, amount }: PricedLine,
  tax: Tax | undefined,
  text: (minor: bigint) => string,
): InvoiceLine {
  return {
    name: line.name,
    sku: item?.sku ?? null,
    // A valid number's shortest form is its decimal text: it has no exponent.
    qty: String(line.qty),
    price: String(line.price),
    amount: text(amount),
    itemId: item?.id ?? null,
    discount: line.discount && discountText(line.discount, text(discount)),
    tax: tax && { rate: fromUnits(tax.rate), category: tax.category },
  };
}

function discountText({ percent }: DiscountRequest, amount: string): LineDiscount {
  return { percent: percent === undefined ? null : String(percent), amount };
}

/** The stock item of a line, by SKU if given, else by name; undefined for a plain line. */
function matchLine(
  companyId: string,
  line: InvoiceLineRequest,
  stock: Stock,
): StockItem | undefined {
  return line.sku === undefined
    ? stock.byName(companyId, matchKey(line.name))
    : stock.bySku(companyId, matchKey(line.sku));
}
