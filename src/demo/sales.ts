// The demo company's invoices: up to five items each, some with discounts, delivery or no tax.
import { type InvoiceSettings, withDefaults } from '../invoices/defaults.js';
import type { InvoiceLineRequest, InvoiceRequest } from '../invoices/schema.js';
import { later } from './calendar.js';
import { CUSTOMERS, type Customer } from './customers.js';
import { PRODUCTS, priceOf } from './products.js';

/** Below it, a product is sold by the dozen. */
const CHEAP = 10;
/** A line of so many gets the discount for quantities. */
const MANY = 15;
const QUANTITY_DISCOUNT = { percent: 5 };

export const DEMO_SETTINGS: InvoiceSettings = {
  currency: 'USD',
  termsDays: 30,
  defaultTaxRate: 8.25,
};

export interface Sale {
  /** Counted from 0, in order: the invoice's number is one more. */
  readonly index: number;
  readonly at: Date;
  readonly customer: Customer;
  readonly request: InvoiceRequest;
}

/** Stock by the product's name. */
export type OnHand = Map<string, number>;

/** Sells what is left of the products, and takes it from `onHand`. */
export function makeSale(index: number, at: Date, onHand: OnHand, random: () => number): Sale {
  const below = (limit: number) => Math.floor(random() * limit);
  const customer = CUSTOMERS[below(CUSTOMERS.length)] as Customer;
  const goods = Array.from({ length: 1 + below(5) }, () => {
    const [name, , cost] = PRODUCTS[below(PRODUCTS.length)] ?? ['', '', 0];
    return lineOf(name, cost, 1 + below(isCheap(cost) ? 20 : 3));
  }).filter(({ name, qty }) => {
    const left = (onHand.get(name) ?? 0) - qty;
    if (left >= 0) onHand.set(name, left);
    return left >= 0;
  });
  const isDelivered = goods.length === 0 || random() < 0.25;
  const hasOrderNumber = random() < 0.5;
  const { discount, taxReason } = customer;
  const lines = isDelivered ? [...goods, { name: 'Delivery', qty: 1, price: 18.5 }] : goods;
  const request: InvoiceRequest = {
    customerName: customer.name,
    date: dayOf(at),
    items: taxReason === undefined ? lines : lines.map(exempt),
    reference: `SO-${5001 + index}`,
    ...(hasOrderNumber ? { orderReference: `PO-${1000 + index}` } : {}),
    ...(isDelivered ? { deliveryDate: dayOf(later(at, 1)) } : {}),
    ...(discount === undefined ? {} : { discount }),
    ...(taxReason === undefined ? {} : { taxReason }),
  };
  return { index, at, customer, request: withDefaults(request, DEMO_SETTINGS) };
}

export function isCheap(cost: number): boolean {
  return cost < CHEAP;
}

/** The company is in UTC. */
export function dayOf(at: Date): string {
  return at.toISOString().slice(0, 10);
}

export function saleKey(index: number): string {
  return `demo-invoice-${index + 1}`;
}

function lineOf(name: string, cost: number, qty: number): InvoiceLineRequest {
  const line = { name, qty, price: priceOf(cost) };
  return qty < MANY ? line : { ...line, discount: QUANTITY_DISCOUNT };
}

function exempt(line: InvoiceLineRequest): InvoiceLineRequest {
  return { ...line, taxRate: 0, taxCategory: 'E' };
}
