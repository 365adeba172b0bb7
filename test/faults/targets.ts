// The invoices, payments, credit notes, customers, deliveries and stock levels that clients know of,
// because a write was answered. Later writes pick among the newest, so they race for the same ones.
import type { Exchange } from './journal.js';

/** Few enough that several clients use each one. */
const INVOICES_MAX = 12;
const SOURCES_MAX = 8;
const DELIVERIES_MAX = 3;
const UNUSED_MAX = 1_000;

export interface InvoiceTarget {
  readonly id: string;
  readonly customerName: string;
  readonly total: number;
  readonly items: readonly { readonly qty: number; readonly amount: number }[];
}

/** A payment or a credit note. */
export interface SourceTarget {
  readonly id: string;
  readonly type: 'payment' | 'creditNote';
  readonly customerName: string;
  /** As it was first answered. */
  readonly unallocated: number;
  readonly allocations: readonly { readonly invoiceId: string; readonly amount: number }[];
}

/** A customer's record. A rename leaves the name as an alias. */
export interface CustomerTarget {
  readonly id: string;
  readonly name: string;
  readonly externalId: string | null;
}

export interface Known {
  readonly invoices: InvoiceTarget[];
  /** Invoices that no void or first credit note has picked yet. */
  readonly unused: InvoiceTarget[];
  readonly sources: SourceTarget[];
  /** The records that were neither merged nor deleted. */
  readonly customers: CustomerTarget[];
  /** The ids of all records. */
  readonly customerIds: string[];
  /** The ids of all items that were there at the start. */
  readonly itemIds: string[];
  /** The ids of adjustments that received goods. */
  readonly deliveryIds: string[];
  /** By item: the stock that an adjustment's answer showed last. */
  readonly onHand: Map<string, number>;
}

export class Targets {
  readonly #known = new Map<string, Known>();

  of(companyId: string): Known {
    const known = this.#known.get(companyId) ?? {
      ...{ invoices: [], unused: [], sources: [], itemIds: [], deliveryIds: [] },
      ...{ customers: [], customerIds: [] },
      onHand: new Map<string, number>(),
    };
    this.#known.set(companyId, known);
    return known;
  }

  addItems(companyId: string, itemIds: readonly string[]): void {
    this.of(companyId).itemIds.push(...itemIds);
  }

  addInvoice(companyId: string, invoice: InvoiceTarget): void {
    const { invoices, unused } = this.of(companyId);
    addNewest(invoices, invoice, INVOICES_MAX);
    addNewest(unused, invoice, UNUSED_MAX);
  }

  addCustomer(companyId: string, { id, name, externalId }: CustomerTarget): void {
    const { customers, customerIds } = this.of(companyId);
    customers.push({ id, name, externalId });
    customerIds.push(id);
  }

  /** A merge or a deletion ended the record. */
  endCustomer(companyId: string, id: string): void {
    const { customers } = this.of(companyId);
    const index = customers.findIndex(customer => customer.id === id);
    if (index >= 0) customers.splice(index, 1);
  }

  /** Adds what the write created, if it was answered with 201. */
  learn({ companyId, path, answer }: Exchange): void {
    if (answer?.status !== 201) return;
    const { sources, deliveryIds, onHand } = this.of(companyId);
    if (path.endsWith('/invoices')) this.addInvoice(companyId, JSON.parse(answer.text));
    else if (path.endsWith('/adjustments')) {
      const { id, reason, movements } = JSON.parse(answer.text);
      if (reason === 'received') addNewest(deliveryIds, id, DELIVERIES_MAX);
      for (const { itemId, onHandAfter } of movements) onHand.set(itemId, onHandAfter);
    } else if (path.endsWith('/payments'))
      addNewest(sources, { ...JSON.parse(answer.text), type: 'payment' }, SOURCES_MAX);
    else if (path.endsWith('/credit-notes'))
      addNewest(sources, { ...JSON.parse(answer.text), type: 'creditNote' }, SOURCES_MAX);
  }
}

function addNewest<Value>(values: Value[], value: Value, max: number): void {
  values.push(value);
  if (values.length > max) values.shift();
}
