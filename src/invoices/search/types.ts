// The filters, the rows and the pages of an invoice search.
import type { Age } from '../overdue.js';
import type { InvoiceStatus } from '../schema.js';

export interface InvoiceFilter {
  /**
   * The number or exact total, or a part of the customer's name, the reference, the order number,
   * or the name or SKU of a line; without regard to case and accents.
   */
  readonly text: string | null;
  readonly from: string | null;
  readonly to: string | null;
  readonly state: InvoiceState | null;
  /** The match keys of one customer; absent for all customers. */
  readonly names?: readonly string[];
}

/**
 * A status, or an open invoice that is paid in part, overdue, or overdue for so long. `over60` is
 * the last two ages together.
 */
export type InvoiceState = InvoiceStatus | 'partly-paid' | 'overdue' | 'over60' | Age;

export interface InvoiceSearch extends InvoiceFilter {
  readonly oldestFirst: boolean;
  /** By due date instead of date: only of overdue invoices, without a text. */
  readonly byDueDate?: boolean;
  /** False if the caller does not need the sums. */
  readonly withSums: boolean;
  readonly limit: number;
  /** The page begins after a position or ends before it; null for the first page. */
  readonly start: {
    readonly position: readonly string[];
    readonly direction: 'after' | 'before';
  } | null;
}

export interface ListedInvoice {
  readonly id: string;
  readonly number: string;
  /** The number without its prefix. With the date it is the position in the list. */
  readonly running: string;
  readonly status: string;
  /** YYYY-MM-DD. */
  readonly date: string;
  readonly customerName: string;
  readonly reference: string | null;
  readonly orderReference: string | null;
  readonly dueDate: string | null;
  /** Decimal text, like `amountDue`. */
  readonly total: string;
  readonly amountDue: string;
}

export interface InvoicePage {
  readonly rows: readonly ListedInvoice[];
  /** The last row's position if more rows follow. */
  readonly next: readonly string[] | null;
  /** The first row's position if the page before it is full. */
  readonly previous: readonly string[] | null;
  /** How many invoices match; null: more than COUNT_LIMIT. */
  readonly total: number | null;
  /** The sums of all matches; null: more than COUNT_LIMIT, or not asked for. */
  readonly sums: InvoiceSums | null;
  /** How many of them precede the page in the list's order; null if they were not counted. */
  readonly before: number | null;
}

/** Exact sums as decimal text. Void invoices do not count. */
export interface InvoiceSums {
  readonly total: string;
  readonly due: string;
}
