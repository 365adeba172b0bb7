// The locked rows of a batch. Plans change them in order, so each write of a batch sees those
// before it. Amounts are bigints of the currency's minor units.

import { haveOneOwner } from '../../customers/names/names.js';
import type { Stock } from '../../inventory/stock.js';
import type { SettledMembers } from '../../invoices/invoice-json.js';
import type { IssuedInvoice } from '../../invoices/issued-invoice.js';
import { fromMinor } from '../../platform/values/money.js';
import { matchKey } from '../../platform/values/text.js';
import type { FundsUsage } from '../entry-json.js';
import type { CreditableInvoice, CreditTotals } from './proportion.js';

export interface LedgerCompany {
  readonly id: string;
  readonly currency: string;
  /** Decimals of the currency. */
  readonly decimals: number;
  readonly creditNotePrefix: string;
  /** YYYY-MM-DD in the company's time zone. */
  readonly today: string;
  /** When the row was locked. */
  readonly now: Date;
  /** True if a name may belong to a customer's record. */
  readonly hasRecords: boolean;
  /** True if entries change rows of customer_exposures. */
  readonly hasExposures: boolean;
  readonly nextEvent: string;
  nextSequence: bigint;
  nextCreditNoteNumber: bigint;
}

export interface LedgerInvoice {
  readonly companyId: string;
  readonly id: string;
  /** The full number, such as INV-000001. */
  readonly number: string;
  readonly customerName: string;
  readonly customerKey: string;
  readonly date: string;
  readonly dueDate: string | null;
  /** The number without the prefix. */
  readonly running: string;
  /** That of the last entry, or the invoice's date. */
  effectiveDate: string;
  readonly total: bigint;
  status: string;
  paid: bigint;
  credited: bigint;
  settledOn: string | null;
  /** True if a plan changed the status, the amounts or the date of settlement. */
  isChanged: boolean;
  /** The settlement in its last event, or before the batch. */
  shown: SettledMembers;
  /** Null for an invoice that the batch does not credit. */
  readonly credit: InvoiceCredit | null;
}

/** An invoice's lines, and the credited part of them. */
export interface InvoiceCredit {
  readonly issued: IssuedInvoice;
  readonly creditable: CreditableInvoice;
  credited: CreditTotals;
  hasNotes: boolean;
}

/** A payment or a credit note: money for invoices and refunds. SQL calls its id source_id. */
export interface Funds {
  readonly companyId: string;
  readonly id: string;
  readonly type: 'payment' | 'creditNote';
  readonly customerName: string;
  readonly customerKey: string;
  readonly date: string;
  /** That of the last entry that used it, or its own. */
  effectiveDate: string;
  readonly amount: bigint;
  refunded: bigint;
  unallocated: bigint;
  isReversed: boolean;
  /** Allocations by invoice id, in the order of the first ones. Zero where all was taken back. */
  allocations: Map<string, InvoiceAllocation>;
  /** The JSON of the payment or credit note. */
  body: string;
  isChanged: boolean;
}

export interface InvoiceAllocation {
  readonly invoiceNumber: string;
  readonly amount: bigint;
}

/** The locked rows and those read with them. */
export interface LedgerRows {
  readonly companies: readonly LedgerCompany[];
  readonly invoices: readonly LedgerInvoice[];
  readonly funds: readonly Funds[];
  /** Entries with the external ids of the batch. */
  readonly transfers: readonly Transfer[];
  readonly stock: Stock;
}

export interface Transfer {
  readonly companyId: string;
  readonly type: string;
  readonly externalId: string;
  readonly id: string;
}

export class LedgerState {
  readonly stock: Stock;
  readonly #companies: ReadonlyMap<string, LedgerCompany>;
  readonly #invoices = new Map<string, LedgerInvoice>();
  readonly #invoicesByNumber = new Map<string, LedgerInvoice[]>();
  readonly #funds: ReadonlyMap<string, Funds>;
  readonly #transfers: Map<string, string>;
  /** The records of names, by `nameRefKey`. */
  #owners: ReadonlyMap<string, string> = new Map();

  constructor({ companies, invoices, funds, transfers, stock }: LedgerRows) {
    this.stock = stock;
    this.#companies = new Map(companies.map(company => [company.id, company]));
    this.#funds = new Map(funds.map(each => [`${each.companyId} ${each.id}`, each]));
    for (const invoice of invoices) {
      this.#invoices.set(`${invoice.companyId} ${invoice.id}`, invoice);
      const key = `${invoice.companyId} ${matchKey(invoice.number)}`;
      this.#invoicesByNumber.set(key, [...(this.#invoicesByNumber.get(key) ?? []), invoice]);
    }
    this.#transfers = new Map(
      transfers.map(({ companyId, type, externalId, id }) => [
        transferKey(companyId, type, externalId),
        id,
      ]),
    );
  }

  company(id: string): LedgerCompany {
    const company = this.#companies.get(id);
    if (!company) throw new Error(`company ${id} does not exist`);
    return company;
  }

  invoice(companyId: string, id: string): LedgerInvoice | undefined {
    return this.#invoices.get(`${companyId} ${id}`);
  }

  /**
   * Two invoices read alike if one's prefix ends in digits: INV- with 1000001, and INV-1 with
   * 000001.
   */
  invoicesByNumber(companyId: string, number: string): readonly LedgerInvoice[] {
    return this.#invoicesByNumber.get(`${companyId} ${matchKey(number)}`) ?? [];
  }

  /** Sets the records of the names that plans compare. */
  setOwners(owners: ReadonlyMap<string, string>): void {
    this.#owners = owners;
  }

  /** Whether two match keys are of one record, or the same. */
  isOneCustomer(companyId: string, nameKey: string, otherKey: string | undefined): boolean {
    return otherKey !== undefined && haveOneOwner(this.#owners, companyId, nameKey, otherKey);
  }

  funds(companyId: string, id: string): Funds | undefined {
    return this.#funds.get(`${companyId} ${id}`);
  }

  /** The entry with this external id. */
  transfer(companyId: string, type: string, externalId: string): string | undefined {
    return this.#transfers.get(transferKey(companyId, type, externalId));
  }

  addTransfer(companyId: string, type: string, externalId: string, id: string): void {
    this.#transfers.set(transferKey(companyId, type, externalId), id);
  }

  changedInvoices(): LedgerInvoice[] {
    return [...this.#invoices.values()].filter(({ isChanged }) => isChanged);
  }

  changedFunds(): Funds[] {
    return [...this.#funds.values()].filter(({ isChanged }) => isChanged);
  }
}

export function dueOf({
  total,
  paid,
  credited,
}: Pick<LedgerInvoice, 'total' | 'paid' | 'credited'>): bigint {
  return total - paid - credited;
}

/** Changes the invoice by an allocation of this date; a negative amount takes money back. */
export function settle(
  invoice: LedgerInvoice,
  type: Funds['type'],
  amount: bigint,
  date: string,
): void {
  invoice[type === 'payment' ? 'paid' : 'credited'] += amount;
  invoice.isChanged = true;
  const isSettled = invoice.total > 0n && dueOf(invoice) === 0n;
  invoice.settledOn = isSettled ? (invoice.settledOn ?? date) : null;
  invoice.status = isSettled ? 'paid' : 'open';
}

/** The allocations, refunded and unallocated amounts in the JSON of a payment or credit note. */
export function usageOf(
  { allocations, refunded, unallocated }: Pick<Funds, 'allocations' | 'refunded' | 'unallocated'>,
  decimals: number,
): FundsUsage {
  return {
    allocations: Array.from(allocations).flatMap(([invoiceId, { invoiceNumber, amount }]) =>
      amount === 0n ? [] : [{ invoiceId, invoiceNumber, amount: fromMinor(amount, decimals) }],
    ),
    refunded: fromMinor(refunded, decimals),
    unallocated: fromMinor(unallocated, decimals),
  };
}

function transferKey(companyId: string, type: string, externalId: string): string {
  return `${companyId} ${type} ${externalId}`;
}
