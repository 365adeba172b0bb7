// The amounts of the demo's invoices and credit notes, in minor units, by the product's own rules.
import { discountToPrice, lineToPrice } from '../invoices/line-to-price.js';
import { type Pricing, priceInvoice } from '../invoices/pricing.js';
import type { InvoiceRequest } from '../invoices/schema.js';
import {
  allThatIsLeft,
  type CreditPart,
  creditParts,
  nothingCredited,
} from '../ledger/rules/proportion.js';
import type { CreditItemRequest } from '../ledger/schema.js';
import { fromMinor, minorUnits, toMinor, toUnits } from '../platform/values/money.js';
import type { Credit } from './exceptions.js';
import { DEMO_SETTINGS } from './sales.js';

const PLACES = minorUnits(DEMO_SETTINGS.currency);
/** Of the first line, if a customer gets a better price afterwards. */
const PRICE_CUT_PERCENT = 8n;

export interface PlannedCredit {
  /** Undefined for all that is left. */
  readonly items: readonly CreditItemRequest[] | undefined;
  readonly total: bigint;
  /** The goods, by the product's name. */
  readonly goods: readonly { readonly name: string; readonly qty: number }[];
}

export function priceOfInvoice({ items, discount }: InvoiceRequest): Pricing {
  const lines = items.map(line => lineToPrice(line, PLACES));
  return priceInvoice(lines, discount && discountToPrice(discount, PLACES), PLACES);
}

/** The only credit note of an invoice. Every line has a tax group. */
export function planCredit(
  { items: lines }: InvoiceRequest,
  { lines: priced, groups }: Pricing,
  { of }: Pick<Credit, 'of'>,
): PlannedCredit {
  const invoice = {
    lines: priced.map(({ amount, group }, index) => ({
      qty: toUnits(lines[index]?.qty ?? 0),
      amount,
      group,
    })),
    groups,
  };
  const nothing = nothingCredited(invoice);
  const items =
    of === 'all' ? undefined : [itemOf(of, lines[0]?.qty ?? 0, priced[0]?.amount ?? 0n)];
  const parts = items?.map(toPart) ?? allThatIsLeft(invoice, nothing);
  const credit = creditParts(invoice, nothing, parts);
  if ('excess' in credit) throw new Error('a credit note of the demo exceeds its invoice');
  const goods = lines.map(({ name, qty }) => ({ name, qty }));
  return {
    items,
    total: credit.subtotal + credit.taxTotal,
    goods: items ? goods.slice(0, 1).map(({ name }) => ({ name, qty: items[0]?.qty ?? 0 })) : goods,
  };
}

export function fromMajor(amount: number): bigint {
  return toMinor(amount, PLACES);
}

export function toMajor(amount: bigint): number {
  return Number(fromMinor(amount, PLACES));
}

function itemOf(of: 'some' | 'line' | 'price', qty: number, amount: bigint): CreditItemRequest {
  if (of === 'price') return { line: 1, amount: toMajor((amount * PRICE_CUT_PERCENT) / 100n) };
  return { line: 1, qty: of === 'line' ? qty : Math.ceil(qty / 3) };
}

function toPart({ line, qty, amount = 0 }: CreditItemRequest): CreditPart {
  return qty === undefined
    ? { line: line - 1, amount: fromMajor(amount) }
    : { line: line - 1, qty: toUnits(qty) };
}
