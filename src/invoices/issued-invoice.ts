// Reads an issued invoice back from its JSON, with everything that posting computed: for verify,
// the audit, and entries that credit the invoice.
import { minorUnits } from '../platform/values/money.js';
import type { DocumentDiscount, InvoiceDetails, InvoiceLine, TaxGroup } from './invoice-json.js';
import type { InvoiceJson } from './issued/invoice-shape.js';
import { discountToPrice, lineToPrice } from './line-to-price.js';
import { type Pricing, priceInvoice } from './pricing.js';

type LineJson = InvoiceJson['items'][number];
type DiscountJson = NonNullable<LineJson['discount']>;

export interface IssuedInvoice {
  /** The lines that the JSON shows. */
  readonly lines: readonly InvoiceLine[];
  readonly total: string;
  readonly details: InvoiceDetails;
  /** The amounts again, computed from the lines, the discounts and the tax rates. */
  readonly pricing: Pricing;
  /** The decimals of the currency. */
  readonly decimals: number;
}

/** Null if the body is not JSON. It may still lack members. */
export function parseInvoice(body: string): InvoiceJson | null {
  try {
    return JSON.parse(body) as InvoiceJson;
  } catch {
    return null;
  }
}

/** Throws if the JSON cannot be read. */
export function readIssuedInvoice(body: string): IssuedInvoice {
  return toIssuedInvoice(JSON.parse(body) as InvoiceJson);
}

/** Throws if a member is missing or is not a decimal. */
export function toIssuedInvoice(invoice: InvoiceJson): IssuedInvoice {
  const decimals = minorUnits(invoice.currency);
  return {
    lines: invoice.items.map(lineOf),
    total: decimal(invoice.total),
    details: detailsOf(invoice),
    pricing: priceInvoice(
      invoice.items.map(line => lineToPrice(line, decimals)),
      invoice.discount ? discountToPrice(invoice.discount, decimals) : undefined,
      decimals,
    ),
    decimals,
  };
}

/** Renders a number in its shortest form, as posting did. */
function decimal(value: number): string {
  return String(value);
}

function lineOf(line: LineJson): InvoiceLine {
  const { name, sku, qty, price, amount, itemId, discount, taxRate, taxCategory } = line;
  return {
    name,
    sku,
    itemId,
    qty: decimal(qty),
    price: decimal(price),
    amount: decimal(amount),
    discount: discount && discountOf(discount),
    tax:
      taxRate === undefined ? undefined : { rate: decimal(taxRate), category: String(taxCategory) },
  };
}

function discountOf({ percent, amount }: DiscountJson) {
  return { percent: percent === null ? null : decimal(percent), amount: decimal(amount) };
}

function detailsOf(invoice: InvoiceJson): InvoiceDetails {
  const { dueDate, orderReference, deliveryDate, note, discount, taxes, customerId } = invoice;
  return {
    dueDate,
    orderReference,
    deliveryDate,
    note,
    discount: discount && documentDiscountOf(discount),
    subtotal: decimal(invoice.subtotal),
    taxTotal: decimal(invoice.taxTotal),
    taxes: taxes.map(groupOf),
    customerId,
  };
}

function documentDiscountOf(discount: NonNullable<InvoiceJson['discount']>): DocumentDiscount {
  return { ...discountOf(discount), reason: discount.reason };
}

function groupOf({ category, rate, base, amount, reason }: InvoiceJson['taxes'][number]): TaxGroup {
  return {
    category,
    rate: decimal(rate),
    base: decimal(base),
    amount: decimal(amount),
    reason,
  };
}
