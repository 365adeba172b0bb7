// Two months of the demo company: opening stock, invoices, deliveries when items run low, and a
// stock-take at the end. The same on every machine; only the dates depend on the day.
import type { AdjustmentRequest } from '../inventory/schema.js';
import type { InvoiceRequest } from '../invoices/schema.js';
import { CUSTOMERS, PRODUCTS, priceOf } from './products.js';

export const INVOICES = 300;
const DAYS = 60;
const DAY_MS = 86_400_000;
/** A delivery arrives after so many invoices, which is every sixth day. */
const INVOICES_PER_DELIVERY = 30;
/** Indexes of the products that the stock-take counts low. */
const COUNTED_LOW = [2, 7, 8, 16, 21, 26, 33, 36];

export interface Write {
  readonly key: string;
  readonly at: Date;
  readonly request: AdjustmentRequest | InvoiceRequest;
}

/** Writes of one kind that are settled together. */
export interface Step {
  readonly kind: 'stock' | 'invoices';
  readonly writes: readonly Write[];
}

/** The day on which the history of a company starts that is created at `now`. */
export function firstDay(now: Date): Date {
  return new Date(now.getTime() - DAYS * DAY_MS);
}

/** The steps in order; the last invoice and the stock-take are of `now`. */
export function demoHistory(now: Date): Step[] {
  const start = firstDay(now);
  const dateOf = (index: number) =>
    new Date(start.getTime() + Math.floor(((index + 1) / INVOICES) * DAYS * DAY_MS));
  const onHand = PRODUCTS.map(([, , cost]) => levelsOf(cost).opening);
  const random = pseudoRandom(7);
  const steps: Step[] = [stockStep('demo-opening-stock', start, openingStock())];
  for (let first = 0; first < INVOICES; first += INVOICES_PER_DELIVERY) {
    const writes = Array.from({ length: INVOICES_PER_DELIVERY }, (_, offset) => {
      const index = first + offset;
      const at = dateOf(index);
      return { key: `demo-invoice-${index + 1}`, at, request: invoice(index, at, onHand, random) };
    });
    steps.push({ kind: 'invoices', writes });
    const number = first / INVOICES_PER_DELIVERY + 1;
    const request = delivery(number, onHand);
    const at = dateOf(first + INVOICES_PER_DELIVERY - 1);
    if (request.items.length > 0) steps.push(stockStep(`demo-delivery-${number}`, at, request));
  }
  steps.push(stockStep('demo-stock-take', now, stockTake()));
  return steps;
}

function stockStep(key: string, at: Date, request: AdjustmentRequest): Step {
  return { kind: 'stock', writes: [{ key, at, request }] };
}

function levelsOf(cost: number): { opening: number; reorderPoint: number } {
  return cost < 10 ? { opening: 120, reorderPoint: 50 } : { opening: 24, reorderPoint: 10 };
}

function openingStock(): AdjustmentRequest {
  const items = PRODUCTS.map(([name, unit, cost], index) => ({
    name,
    unit,
    sku: `HS-${String(index + 1).padStart(3, '0')}`,
    delta: levelsOf(cost).opening,
    reorderPoint: levelsOf(cost).reorderPoint,
    unitCost: cost,
    unitPrice: priceOf(cost),
  }));
  return { reason: 'received', reference: 'Opening stock', items };
}

/** An invoice of up to five items, which takes them from `onHand`. */
function invoice(index: number, at: Date, onHand: number[], random: () => number): InvoiceRequest {
  const below = (limit: number) => Math.floor(random() * limit);
  const customerName = CUSTOMERS[below(CUSTOMERS.length)] ?? '';
  const lines = Array.from({ length: 1 + below(5) }, () => {
    const product = below(PRODUCTS.length);
    const [name, , cost] = PRODUCTS[product] ?? ['', '', 0];
    const qty = 1 + below(cost < 10 ? 20 : 3);
    return { product, line: { name, qty, price: priceOf(cost) } };
  }).filter(({ product, line }) => {
    const left = (onHand[product] ?? 0) - line.qty;
    if (left >= 0) onHand[product] = left;
    return left >= 0;
  });
  const isDelivered = lines.length === 0 || random() < 0.25;
  return {
    customerName,
    date: at.toISOString().slice(0, 10),
    items: [
      ...lines.map(({ line }) => line),
      ...(isDelivered ? [{ name: 'Delivery', qty: 1, price: 18.5 }] : []),
    ],
    ...(random() < 0.5 ? { reference: `PO-${1000 + index}` } : {}),
  };
}

/** Refills the items that are low, up to the opening stock. */
function delivery(number: number, onHand: number[]): AdjustmentRequest {
  const items = PRODUCTS.flatMap(([name, , cost], product) => {
    const { opening, reorderPoint } = levelsOf(cost);
    const delta = opening - (onHand[product] ?? 0);
    if (opening - delta > reorderPoint) return [];
    onHand[product] = opening;
    return [{ name, delta }];
  });
  return { reason: 'received', reference: `Delivery note ${2000 + number}`, items };
}

function stockTake(): AdjustmentRequest {
  const items = COUNTED_LOW.map((product, index) => ({
    name: PRODUCTS[product]?.[0] ?? '',
    count: index * 2,
  }));
  return { reason: 'count', reference: 'Stock take', items };
}

/** Park and Miller's generator, so that the demo is the same on every machine. */
function pseudoRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}
