// Three months of the demo company: opening stock, invoices and what becomes of them, deliveries
// when items run low, and a stock-take at the end. The same on every machine; only the dates depend
// on the day.
import type { AdjustmentRequest } from '../inventory/schema.js';
import { Books } from './books.js';
import { DAY_MS, saleTimes } from './calendar.js';
import { PRODUCTS, priceOf } from './products.js';
import { isCheap, makeSale, type OnHand, saleKey } from './sales.js';
import { inSteps, type Step } from './steps.js';

const INVOICES = 360;
const DAYS = 90;
/** Goods arrive, and go back into stock, after so many invoices: about once a week. */
const INVOICES_PER_DELIVERY = 30;
/** Indexes of the products that the stock-take counts low. */
const COUNTED_LOW = [2, 7, 8, 16, 21, 26, 33, 36];

/** The midnight at which the history of a company starts that is created at `now`. */
export function firstDay(now: Date): Date {
  const today = now.getTime() - (now.getTime() % DAY_MS);
  return new Date(today - DAYS * DAY_MS);
}

/** The steps in order; the last invoice and the stock-take are of `now`. */
export function demoHistory(now: Date): Step[] {
  const start = firstDay(now);
  const times = saleTimes(start, now, INVOICES);
  /** After the last sale, of now: what would happen then is still to come. */
  const dateOf = (index: number) => times[index] ?? new Date(now.getTime() + DAY_MS);
  const onHand: OnHand = new Map(PRODUCTS.map(([name, , cost]) => [name, levelsOf(cost).opening]));
  const random = pseudoRandom(7);
  const books = new Books(start, DAYS, onHand, random);
  const steps: Step[] = [stockStep('demo-opening-stock', start, openingStock())];
  for (let first = 0; first < INVOICES; first += INVOICES_PER_DELIVERY) {
    const next = first + INVOICES_PER_DELIVERY;
    const [end, nextEnd] = [dateOf(next - 1), dateOf(next + INVOICES_PER_DELIVERY - 1)];
    const sales = Array.from({ length: INVOICES_PER_DELIVERY }, (_, offset) =>
      makeSale(first + offset, dateOf(first + offset), onHand, random),
    );
    for (const sale of sales) books.record(sale, nextEnd);
    steps.push(
      sales.map(({ index, at, request }) => ({
        key: saleKey(index),
        at,
        type: 'invoice.create',
        request,
      })),
    );
    steps.push(...inSteps(books.until(end)));
    const number = next / INVOICES_PER_DELIVERY;
    const request = delivery(number, onHand);
    if (request.items.length > 0) steps.push(stockStep(`demo-delivery-${number}`, end, request));
  }
  steps.push(stockStep('demo-stock-take', now, stockTake()));
  return steps;
}

function stockStep(key: string, at: Date, request: AdjustmentRequest): Step {
  return [{ key, at, type: 'inventory.adjust', request }];
}

function levelsOf(cost: number): { opening: number; reorderPoint: number } {
  return isCheap(cost) ? { opening: 120, reorderPoint: 50 } : { opening: 24, reorderPoint: 10 };
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

/** Refills the items that are low, up to the opening stock. */
function delivery(number: number, onHand: OnHand): AdjustmentRequest {
  const items = PRODUCTS.flatMap(([name, , cost]) => {
    const { opening, reorderPoint } = levelsOf(cost);
    const delta = opening - (onHand.get(name) ?? 0);
    if (opening - delta > reorderPoint) return [];
    onHand.set(name, opening);
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
