// Reads new invoices for two consumers, which each go through all of them at their own pace: the
// summary's fold and the audit. Reading and parsing an invoice costs as much as folding it, so the
// one that reads it first leaves it for the other. This only saves time: a consumer reads missing
// invoices from the database, such as after a failure or if the other runs in another process.
import type { Transaction } from '../../platform/db/connection.js';
import { type NewInvoice, type NewInvoices, readNewInvoices } from './new-invoices.js';
import { isFilled, type RowRange } from './progress.js';

/** The size of one step. Parsed JSON takes about eight times its length in memory. */
const MAX_BYTES = 4 * 1024 * 1024;
/** Both consumers run every 2 s, so the other consumer has already read an older invoice. */
const MAX_AGE_MS = 5_000;

interface LeftInvoice {
  readonly invoice: NewInvoice;
  readonly readAt: number;
}

export class SharedInvoices {
  /** Invoices by company and number, in the order in which they were read. */
  readonly #left = new Map<string, LeftInvoice>();
  readonly #read: typeof readNewInvoices;
  readonly #now: () => number;
  #bytes = 0;

  constructor(read = readNewInvoices, now = () => performance.now()) {
    this.#read = read;
    this.#now = now;
  }

  /** The length of the JSON that waits for the other consumer. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Like readNewInvoices, but takes the invoices that the other consumer has left. */
  readonly read = async (ranges: readonly RowRange[], tx: Transaction): Promise<NewInvoices> => {
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
  };

  /** Removes the range's first invoices, as far as they are there. */
  #take({ companyId, above, upTo }: RowRange): NewInvoice[] {
    const taken: NewInvoice[] = [];
    for (let number = above + 1n; number <= upTo; number += 1n) {
      const invoice = this.#remove(keyOf(companyId, number));
      if (!invoice) break;
      taken.push(invoice);
    }
    return taken;
  }

  #leave(invoice: NewInvoice): void {
    const key = keyOf(invoice.companyId, invoice.number);
    if (this.#left.has(key) || this.#bytes + invoice.body.length > MAX_BYTES) return;
    this.#left.set(key, { invoice, readAt: this.#now() });
    this.#bytes += invoice.body.length;
  }

  #dropOld(): void {
    const end = this.#now() - MAX_AGE_MS;
    for (const [key, { readAt }] of this.#left) {
      if (readAt > end) return;
      this.#remove(key);
    }
  }

  #remove(key: string): NewInvoice | undefined {
    const invoice = this.#left.get(key)?.invoice;
    if (!invoice) return undefined;
    this.#left.delete(key);
    this.#bytes -= invoice.body.length;
    return invoice;
  }
}

const keyOf = (companyId: string, number: bigint | string) => `${companyId} ${number}`;
