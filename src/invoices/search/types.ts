// The filters, the rows and the pages of an invoice search.
import type { DueAge } from '../overdue.js';
import type { InvoiceStatus } from '../schema.js';

export interface InvoiceFilter {
  /** Part of the customer's name or the reference (ASCII letters in any case), or the number. */
  readonly text: string | null;
  readonly from: string | null;
  readonly to: string | null;
  readonly state: InvoiceState | null;
}

/** A status, or an open invoice that is overdue, or that has been for so long. */
export type InvoiceState = InvoiceStatus | 'overdue' | DueAge;

export interface InvoiceSearch extends InvoiceFilter {
  readonly oldestFirst: boolean;
  readonly limit: number;
  /** The page begins after a position or ends before it; null for the first page. */
  readonly start: {
    readonly position: readonly string[];
    readonly direction: 'after' | 'before';
  } | null;
}

export interface InvoiceRow {
  readonly id: string;
  readonly number: string;
  /** The number without its prefix. With the date it is the position in the list. */
  readonly running: string;
  readonly status: string;
  /** YYYY-MM-DD. */
  readonly date: string;
  readonly customerName: string;
  readonly reference: string | null;
  readonly dueDate: string | null;
  /** Decimal text, like `amountDue`. */
  readonly total: string;
  readonly amountDue: string;
}

export interface InvoicePage {
  readonly rows: readonly InvoiceRow[];
  /** The last row's position if more rows follow. */
  readonly next: readonly string[] | null;
  /** The first row's position if the page before it is full. */
  readonly previous: readonly string[] | null;
  /** How many invoices match; null: more than COUNT_LIMIT. */
  readonly total: number | null;
  /** How many of them precede the page in the list's order; null if they were not counted. */
  readonly before: number | null;
}

/** Counting this many index entries takes about 2 ms. A narrow search counts all that it finds. */
export const COUNT_LIMIT = 10_000;
