// The debts of the demo's customers, as the product computes them.
import type { Pricing } from '../invoices/pricing.js';
import { distribute } from '../ledger/rules/distribution.js';
import { priceOfInvoice } from './amounts.js';
import type { Sale } from './sales.js';

export interface Receivable {
  readonly sale: Sale;
  readonly number: string;
  readonly pricing: Pricing;
  due: bigint;
}

export class Receivables {
  readonly #all: Receivable[] = [];

  add(sale: Sale): Receivable {
    const pricing = priceOfInvoice(sale.request);
    const number = `INV-${String(sale.index + 1).padStart(6, '0')}`;
    const receivable = { sale, number, pricing, due: pricing.total };
    this.#all.push(receivable);
    return receivable;
  }

  /** The oldest first. */
  dueOf(customerName: string): Receivable[] {
    return this.#all.filter(({ sale, due }) => sale.customer.name === customerName && due > 0n);
  }
}

/** Gives money to invoices, in order. Returns what is left. */
export function settle(invoices: readonly Receivable[], money: bigint): bigint {
  const given = distribute(
    money,
    invoices.map(({ due }) => ({ due, given: 0n, wanted: null })),
  );
  for (const [index, invoice] of invoices.entries()) invoice.due -= given[index] ?? 0n;
  return given.reduce((left, amount) => left - amount, money);
}
