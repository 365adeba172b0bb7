// Reads new invoices for consumers that each go through all of them at their own pace: the rollups
// of the summary and of the tax report, and the audit. Reading and parsing an invoice costs as much
// as rolling it up, so the one that reads it first leaves it for the others. This only saves time:
// a consumer reads missing invoices from the database, such as after a failure or if another one
// runs in another process.
import type { Transaction } from '../../platform/db/connection.js';
import { isFilled, type RowRange } from '../../rollups/progress.js';
import {
  type NewInvoice,
  type NewInvoices,
  type ReadInvoices,
  readNewInvoices,
} from './new-invoices.js';

/** The size of one step. Parsed JSON takes about eight times its length in memory. */
const MAX_BYTES = 4 * 1024 * 1024;
/** All consumers run every 2 s, so the others have already read an older invoice. */
const MAX_AGE_MS = 5_000;

interface LeftInvoice {
  readonly invoice: NewInvoice;
  readonly readAt: number;
  /** The consumers that have not read it. */
  waiting: number;
}

export class SharedInvoices {
  /** Invoices by company and number, in the order in which they were read. */
  readonly #left = new Map<string, LeftInvoice>();
  readonly #read: typeof readNewInvoices;
  readonly #now: () => number;
  #consumers = 0;
  #bytes = 0;

  constructor(read = readNewInvoices, now = () => performance.now()) {
    this.#read = read;
    this.#now = now;
  }

  /** The length of the JSON that waits for other consumers. */
  get bytes(): number {
    return this.#bytes;
  }

  /**
   * The `readNewInvoices` of one more consumer. It takes the invoices that another one has left.
   */
  consumer(): ReadInvoices {
    this.#consumers += 1;
    return (ranges, tx) => this.#readShared(ranges, tx);
  }

  async #readShared(ranges: readonly RowRange[], tx: Transaction): Promise<NewInvoices> {
    this.#dropOld();
    const taken = ranges.map(range => this.#take(range));
    const rest = ranges.map((range, index) => ({
      ...range,
      above: range.above + BigInt(taken[index]?.length ?? 0),
    }));
    if (!rest.some(isFilled)) return { invoices: taken.flat(), read: [...ranges] };
    const { invoices, read } = await this.#read(rest, tx);
    for (const invoice of invoices) this.#leave(invoice);
    const byCompany = new Map(
      ranges.map(({ companyId }, index) => [companyId, taken[index] ?? []]),
    );
    for (const invoice of invoices) byCompany.get(invoice.companyId)?.push(invoice);
    return {
      invoices: [...byCompany.values()].flat(),
      read: ranges.map((range, index) => ({ ...range, upTo: read[index]?.upTo ?? range.above })),
    };
  }

  /** Takes the range's first invoices, as far as they are there. The last taker removes them. */
  #take({ companyId, above, upTo }: RowRange): NewInvoice[] {
    const taken: NewInvoice[] = [];
    for (let number = above + 1n; number <= upTo; number += 1n) {
      const key = keyOf(companyId, number);
      const left = this.#left.get(key);
      if (!left) break;
      taken.push(left.invoice);
      left.waiting -= 1;
      if (left.waiting === 0) this.#remove(key);
    }
    return taken;
  }

  #leave(invoice: NewInvoice): void {
    const key = keyOf(invoice.companyId, invoice.number);
    if (this.#left.has(key) || this.#bytes + invoice.body.length > MAX_BYTES) return;
    this.#left.set(key, { invoice, readAt: this.#now(), waiting: this.#consumers - 1 });
    this.#bytes += invoice.body.length;
  }

  #dropOld(): void {
    const end = this.#now() - MAX_AGE_MS;
    for (const [key, { readAt }] of this.#left) {
      if (readAt > end) return;
      this.#remove(key);
    }
  }

  #remove(key: string): void {
    const left = this.#left.get(key);
    if (!left) return;
    this.#left.delete(key);
    this.#bytes -= left.invoice.body.length;
  }
}

const keyOf = (companyId: string, number: bigint | string) => `${companyId} ${number}`;
