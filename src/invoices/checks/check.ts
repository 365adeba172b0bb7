// The rules of an invoice request that no schema can express: about its dates, taxes, discounts
// and totals together. The body may be invalid elsewhere; a part that is invalid by itself is left
// out.
import { isTaxCategory, isTaxRate } from '../../companies/tax-category.js';
import { MAX_TERMS_DAYS } from '../../companies/terms.js';
import type { FieldError } from '../../platform/errors.js';
import { fieldError } from '../../platform/field-errors.js';
import { isCalendarDate, LAST_DAY, MAX_ITEMS } from '../../platform/http/input/validate.js';
import { addDays } from '../../platform/values/days.js';
import { DECIMALS, decimalPlaces, fromMinor, minorUnits } from '../../platform/values/money.js';
import type { InvoiceSettings } from '../defaults.js';
import { discountToPrice, lineToPrice } from '../line-to-price.js';
import { type LineToPrice, type Pricing, priceInvoice } from '../pricing.js';
import {
  type DiscountRequest,
  type InvoiceLineRequest,
  MAX_PERCENT,
  MAX_PRICE,
  MAX_QTY,
  MAX_TOTAL,
} from '../schema.js';
import { checkTaxes, isGiven } from '../tax.js';

/** Tax groups per invoice. The lines with one category and rate are a group. */
export const MAX_TAX_GROUPS = 20;
/** The terms of an invoice up to this day, of at most a year, end within the range of dates. */
const LAST_WITH_TERMS = addDays(LAST_DAY, -MAX_TERMS_DAYS);
/** Half of the maximum total, in major units. */
const FAR_BELOW_MAXIMUM = MAX_TOTAL / 2;

type Unchecked<Fields> = { readonly [field in keyof Fields]?: unknown };
type UncheckedLine = Unchecked<InvoiceLineRequest>;

/**
 * The errors of a request that its schema does not find. `unknownSkus` are the lines, counted from
 * 0, that leave their name or price to an item that does not exist.
 */
export function checkInvoice(
  body: unknown,
  settings: InvoiceSettings,
  unknownSkus: ReadonlySet<number> = new Set(),
): FieldError[] {
  const request = objectOf(body);
  if (!request || isSimple(request, settings)) return [];
  const { date, dueDate, discount } = request;
  const lines = Array.isArray(request.items) ? request.items.map(objectOf) : [];
  const { taxed, taxReason } = withDefaultTax(lines, request.taxReason, settings);
  return [
    ...lines.flatMap((line, index) => checkNamed(line, index, unknownSkus.has(index))),
    ...checkDueDate(date, dueDate, settings.termsDays),
    ...checkTaxes(taxed, taxReason),
    ...checkAmounts(taxed, discount, minorUnits(settings.currency)),
  ];
}

/** A line has a name and a price: its own, or the ones of the item with its SKU. */
function checkNamed(line: UncheckedLine | null, index: number, isUnknown: boolean): FieldError[] {
  if (!line) return [];
  if (isUnknown) return [fieldError(['items', index, 'sku'], 'unknown_item')];
  // The items of lines above the limit are not looked up.
  if (index >= MAX_ITEMS && isGiven(line.sku)) return [];
  return (Object.keys(NAMED) as (keyof typeof NAMED)[])
    .filter(field => !isGiven(line[field]) && (field === 'price' || !isGiven(line.sku)))
    .map(field =>
      line[field] === null && !isGiven(line.sku)
        ? fieldError(['items', index, field], 'wrong_type', { type: NAMED[field] })
        : fieldError(['items', index, field], 'required'),
    );
}

const NAMED = { name: 'a string', price: 'a number' } as const;

/** True if a rough sum is at most half of the maximum total, so the exact sums are not needed. */
function isSimple(request: Record<string, unknown>, settings: InvoiceSettings): boolean {
  const { date, items, dueDate, discount } = request;
  if (isGiven(dueDate) || isGiven(discount) || settings.defaultTaxRate !== null) return false;
  if (settings.termsDays !== null && String(date) > LAST_WITH_TERMS) return false;
  if (!Array.isArray(items)) return true;
  let sum = 0;
  for (const line of items) {
    if (!isGiven(line?.name) || !isGiven(line?.price)) return false;
    if (isGiven(line?.taxRate) || isGiven(line?.taxCategory) || isGiven(line?.discount))
      return false;
    sum += Math.abs(line?.qty * line?.price);
  }
  return sum < FAR_BELOW_MAXIMUM;
}

/** The lines and the reason with the tax of the settings, if no line has a rate. */
function withDefaultTax(
  lines: readonly (UncheckedLine | null)[],
  taxReason: unknown,
  { defaultTaxRate: taxRate, defaultTaxCategory, defaultTaxReason }: InvoiceSettings,
): { readonly taxed: readonly (UncheckedLine | null)[]; readonly taxReason: unknown } {
  if (taxRate === null || lines.some(line => isGiven(line?.taxRate)))
    return { taxed: lines, taxReason };
  const taxed = lines.map(
    line => line && { ...line, taxRate, taxCategory: line.taxCategory ?? defaultTaxCategory },
  );
  return { taxed, taxReason: taxReason ?? defaultTaxReason };
}

/** The due date of the request, or the one that the terms give. */
function checkDueDate(date: unknown, dueDate: unknown, termsDays: number | null): FieldError[] {
  if (typeof date !== 'string' || !isCalendarDate(date)) return [];
  if (!isGiven(dueDate)) {
    if (termsDays === null || isCalendarDate(addDays(date, termsDays))) return [];
    const sentence = `Required: ${termsDays} days after the invoice date is after ${LAST_DAY}.`;
    return [fieldError(['dueDate'], 'invalid_date', sentence)];
  }
  if (typeof dueDate !== 'string' || !isCalendarDate(dueDate) || dueDate >= date) return [];
  return [fieldError(['dueDate'], 'invalid_date', 'Must not be before the invoice date.')];
}

function checkAmounts(
  lines: readonly (UncheckedLine | null)[],
  discount: unknown,
  decimals: number,
): FieldError[] {
  const errors = [
    ...lines.flatMap((line, index) => checkDecimals(line?.discount, ['items', index], decimals)),
    ...checkDecimals(discount, [], decimals),
  ];
  const valid = lines.flatMap((line, index) => (isLine(line, decimals) ? [{ line, index }] : []));
  const priced: LineToPrice[] = valid.map(({ line }) => lineToPrice(line, decimals));
  const isWhole = valid.length === lines.length;
  const reduction =
    isWhole && isDiscount(discount, decimals) ? discountToPrice(discount, decimals) : undefined;
  const pricing = priceInvoice(priced, reduction, decimals);
  const excessive = pricing.lines.flatMap(({ gross, amount }, at) =>
    amount < 0n ? [exceeds(['items', valid[at]?.index ?? 0], gross, decimals)] : [],
  );
  if (excessive.length > 0) return [...errors, ...excessive];
  if (pricing.subtotal < 0n) errors.push(exceeds([], pricing.amounts, decimals));
  return [...errors, ...checkSums(pricing, decimals)];
}

function checkSums({ lines, amounts, total, groups }: Pricing, decimals: number): FieldError[] {
  const errors: FieldError[] = [];
  if (groups.length > MAX_TAX_GROUPS)
    errors.push(fieldError(['items'], 'too_many_items', TOO_MANY_GROUPS));
  const isOver = (minor: bigint) => minor * 100n > MAX_TOTAL_HUNDREDTHS * 10n ** BigInt(decimals);
  if (isOver(amounts) || isOver(total) || lines.some(({ gross }) => isOver(gross)))
    errors.push(fieldError(['items'], 'too_large', OVER_MAX_TOTAL));
  return errors;
}

const TOO_MANY_GROUPS = `At most ${MAX_TAX_GROUPS} different pairs of tax category and rate.`;
const OVER_MAX_TOTAL = 'The total must be at most 99,999,999,999.99, even before discounts.';
const MAX_TOTAL_HUNDREDTHS = BigInt(Math.round(MAX_TOTAL * 100));

function isLine(
  line: UncheckedLine | null,
  decimals: number,
): line is UncheckedLine & InvoiceLineRequest {
  if (!line) return false;
  const { qty, price, discount, taxRate, taxCategory } = line;
  return (
    isDecimal(qty, MAX_QTY) &&
    isDecimal(price, MAX_PRICE) &&
    (!isGiven(discount) || isDiscount(discount, decimals)) &&
    (!isGiven(taxRate) || isTaxRate(taxRate)) &&
    (!isGiven(taxCategory) || isTaxCategory(taxCategory))
  );
}

function isDecimal(value: unknown, max: number): value is number {
  return (
    typeof value === 'number' && value >= 0 && value <= max && decimalPlaces(value) <= DECIMALS
  );
}

function isDiscount(value: unknown, decimals: number): value is DiscountRequest {
  const { percent, amount } = objectOf(value) ?? {};
  if (isGiven(percent) === isGiven(amount)) return false;
  if (isGiven(percent)) return isDecimal(percent, MAX_PERCENT) && percent > 0;
  return isDecimal(amount, MAX_TOTAL) && amount > 0 && decimalPlaces(amount) <= decimals;
}

/** Checks an amount's decimals, which depend on the currency. The schema checks the maximum. */
function checkDecimals(
  discount: unknown,
  path: readonly (string | number)[],
  decimals: number,
): FieldError[] {
  const { amount } = objectOf(discount) ?? {};
  if (!isDecimal(amount, MAX_TOTAL) || decimalPlaces(amount) <= decimals) return [];
  const sentence =
    decimals === 0 ? 'Must be a whole number.' : `Must have at most ${decimals} decimals.`;
  return [fieldError([...path, 'discount', 'amount'], 'too_many_decimals', sentence)];
}

function exceeds(path: readonly (string | number)[], limit: bigint, decimals: number): FieldError {
  const sentence = `Must be at most ${fromMinor(limit, decimals)}, which it reduces.`;
  return fieldError([...path, 'discount', 'amount'], 'too_large', sentence);
}

function objectOf(value: unknown): Record<string, unknown> | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : null;
}
