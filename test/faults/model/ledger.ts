// A company's dues and unallocated money at each state, which is the number of its entries, and
// what a payment, allocation, refund, reversal, credit note or void does there. Amounts in units.
import {
  type AllocationRow,
  type EntryRow,
  groupBy,
  type InvoiceRow,
  type ModelRows,
  units,
} from './rows.js';
import { describeRefusal, type ModelError } from './stock-plans.js';
import type { ModelWrite } from './write.js';

const LEDGER_PATH = /\/(payments|allocations|refunds|credit-notes|reversal|void)$/u;

export const isLedgerPath = (path: string) => LEDGER_PATH.test(path);

interface RecipientBody {
  readonly invoiceId: string;
  readonly amount?: number;
}

interface CreditItemBody {
  readonly line: number;
  readonly qty?: number;
  readonly amount?: number;
}

const CREATED = 'created';

export class LedgerModel {
  readonly errors: string[] = [];
  readonly #invoices: ReadonlyMap<string, InvoiceRow>;
  readonly #entries: readonly EntryRow[];
  readonly #entryOf: ReadonlyMap<string, EntryRow>;
  readonly #byInvoice: ReadonlyMap<string, readonly AllocationRow[]>;
  readonly #bySource: ReadonlyMap<string, readonly AllocationRow[]>;
  readonly #notesOf: ReadonlyMap<string, readonly EntryRow[]>;
  /** Refunds and reversals by their payment or credit note. */
  readonly #usesOf: ReadonlyMap<string, readonly EntryRow[]>;

  constructor({ invoices, entries, allocations }: ModelRows) {
    this.#invoices = new Map(invoices.map(invoice => [invoice.id, invoice]));
    this.#entries = entries;
    this.#entryOf = new Map(entries.map(entry => [entry.id, entry]));
    this.#byInvoice = groupBy(allocations, ({ invoiceId }) => invoiceId);
    this.#bySource = groupBy(allocations, ({ sourceId }) => sourceId);
    this.#notesOf = groupBy(entries, ({ invoiceId }) => invoiceId);
    this.#usesOf = groupBy(entries, ({ sourceId }) => sourceId);
    const gap = entries.findIndex(({ sequence }, index) => sequence !== index + 1);
    if (gap >= 0) this.errors.push(`entry ${entries[gap]?.sequence} follows number ${gap}`);
    this.#checkDues();
  }

  /** 'created' or the refusal; undefined if the model does not know. */
  plan(write: Pick<ModelWrite, 'path' | 'body'>, state: number): string | undefined {
    const { path, body } = write;
    const [id = '', action] = path.split('/').slice(-2);
    const recipients = (body.invoices ?? []) as readonly RecipientBody[];
    switch (action) {
      case 'payments':
        return (
          this.#refuseTransfer(body.externalId, state) ??
          this.#refuseDues(recipients, null, units(Number(body.amount)), state) ??
          CREATED
        );
      case 'allocations':
        return this.#planAllocation(sourceIdOf(body), recipients, state);
      case 'refunds': {
        const rest = this.#rest(sourceIdOf(body), state);
        const wanted = units(Number(body.amount));
        return wanted > rest ? exceedsUnallocated('/amount', wanted, rest) : CREATED;
      }
      case 'reversal': {
        const uses = this.#usesUntil(id, state);
        const isUsed = uses.some(({ type }) => type === 'reversal' || type === 'refund');
        return isUsed ? describeRefusal('invalid_state', []) : CREATED;
      }
      case 'void':
        return this.#isUntouched(id, state) ? CREATED : describeRefusal('invalid_state', []);
      default:
        return this.#planNote(
          String(body.invoiceId),
          body.items as readonly CreditItemBody[] | undefined,
          state,
        );
    }
  }

  #planAllocation(sourceId: string, recipients: readonly RecipientBody[], state: number) {
    const isFinal = ({ invoiceId, amount = 0 }: RecipientBody) =>
      amount < 0 && this.#isVoid(invoiceId, state);
    if (recipients.some(isFinal)) return describeRefusal('invalid_state', []);
    // The model does not know customers.
    const rest = this.#rest(sourceId, state);
    const refusal = this.#refuseDues(recipients, sourceId, rest, state);
    if (refusal) return refusal;
    const wanted = recipients.reduce((sum, { amount = 0 }) => sum + units(amount), 0);
    return wanted > rest ? exceedsUnallocated('/invoices', wanted, rest) : CREATED;
  }

  #refuseTransfer(externalId: unknown, state: number): string | null {
    const isTransfer = ({ type, externalId: own }: EntryRow) =>
      type === 'payment' && own === externalId;
    const exists =
      externalId !== undefined && this.#entries.slice(0, state).some(entry => isTransfer(entry));
    return exists ? describeRefusal('already_exists', []) : null;
  }

  #refuseDues(
    recipients: readonly RecipientBody[],
    sourceId: string | null,
    money: number,
    state: number,
  ): string | null {
    const errors = recipients.flatMap(({ invoiceId, amount }, index) => {
      const due = this.#due(invoiceId, state);
      if (amount === undefined)
        return due > 0 ? [] : [exceeds(`/invoices/${index}`, 'amount_exceeds_due', money, 0)];
      const given = sourceId === null ? 0 : this.#given(sourceId, invoiceId, state);
      const wanted = units(amount);
      if (wanted <= due && wanted >= -given) return [];
      const available = wanted > due ? due : -given;
      return [exceeds(`/invoices/${index}/amount`, 'amount_exceeds_due', wanted, available)];
    });
    return errors.length === 0 ? null : describeRefusal('amount_exceeds_due', errors);
  }

  #planNote(invoiceId: string, items: readonly CreditItemBody[] | undefined, state: number) {
    const lines = this.#invoices.get(invoiceId)?.lines;
    if (!lines) return undefined;
    if (this.#isVoid(invoiceId, state)) return describeRefusal('invalid_state', []);
    const left = lines.map(({ qty, amount }) => ({ qty: units(qty), amount: units(amount) }));
    for (const note of this.#notesUntil(invoiceId, state))
      for (const { line, qty, amount } of note.items ?? []) {
        const rest = left[line - 1];
        if (rest) {
          rest.qty -= units(qty ?? 0);
          rest.amount -= units(amount);
        }
      }
    if (items === undefined) {
      const errors = lines.map(({ qty }) => exceeds('', 'credit_exceeds_invoice', units(qty), 0));
      const isOver = left.every(({ qty }) => qty <= 0);
      return isOver ? describeRefusal('credit_exceeds_invoice', errors) : CREATED;
    }
    // Parts of one line depend on each other in the arithmetic of proportions.
    if (new Set(items.map(({ line }) => line)).size < items.length) return undefined;
    const errors = items.flatMap(({ line, qty, amount = 0 }, index) => {
      const rest = left[line - 1] ?? { qty: 0, amount: 0 };
      const [field, wanted, available] =
        qty === undefined ? ['amount', units(amount), rest.amount] : ['qty', units(qty), rest.qty];
      const pointer = `/items/${index}/${field}`;
      return wanted > available
        ? [exceeds(pointer, 'credit_exceeds_invoice', wanted, available)]
        : [];
    });
    return errors.length > 0 ? describeRefusal('credit_exceeds_invoice', errors) : CREATED;
  }

  #due(invoiceId: string, state: number): number {
    return (
      units(this.#invoices.get(invoiceId)?.total ?? 0) - sumUntil(this.#byInvoice, invoiceId, state)
    );
  }

  #given(sourceId: string, invoiceId: string, state: number): number {
    return (this.#bySource.get(sourceId) ?? [])
      .filter(each => each.invoiceId === invoiceId && each.sequence <= state)
      .reduce((sum, { amount }) => sum + units(amount), 0);
  }

  #rest(sourceId: string, state: number): number {
    const source = this.#entryOf.get(sourceId);
    if (!source) return 0;
    const uses = this.#usesUntil(sourceId, state);
    if (uses.some(({ type }) => type === 'reversal')) return 0;
    const refunded = uses
      .filter(({ type }) => type === 'refund')
      .reduce((sum, { amount }) => sum + units(amount), 0);
    return units(source.amount) - sumUntil(this.#bySource, sourceId, state) - refunded;
  }

  #usesUntil(sourceId: string, state: number): EntryRow[] {
    return (this.#usesOf.get(sourceId) ?? []).filter(({ sequence }) => sequence <= state);
  }

  #notesUntil(invoiceId: string, state: number): EntryRow[] {
    return (this.#notesOf.get(invoiceId) ?? []).filter(({ sequence }) => sequence <= state);
  }

  #isVoid(invoiceId: string, state: number): boolean {
    return this.#notesUntil(invoiceId, state).some(({ reason }) => reason === 'cancelled');
  }

  /** Nothing is paid or credited. */
  #isUntouched(invoiceId: string, state: number): boolean {
    const total = units(this.#invoices.get(invoiceId)?.total ?? 0);
    const hasNote = this.#notesUntil(invoiceId, state).length > 0;
    return !hasNote && this.#due(invoiceId, state) === total;
  }

  /** After every entry, what is due is neither negative nor more than the total. */
  #checkDues(): void {
    for (const [invoiceId, allocations] of this.#byInvoice) {
      let due = units(this.#invoices.get(invoiceId)?.total ?? 0);
      const total = due;
      for (const { sequence, amount } of allocations.toSorted((a, b) => a.sequence - b.sequence)) {
        due -= units(amount);
        if (due < 0 || due > total)
          this.errors.push(
            `invoice ${invoiceId} over ${total / 10_000}: ` +
              `${due / 10_000} due after entry ${sequence}`,
          );
      }
    }
  }
}

function sourceIdOf(body: Record<string, unknown>): string {
  return String(body.paymentId ?? body.creditNoteId);
}

function exceeds(pointer: string, code: string, requested: number, available: number): ModelError {
  return { pointer, code, requested: requested / 10_000, available: available / 10_000 };
}

function exceedsUnallocated(pointer: string, requested: number, available: number): string {
  const code = 'amount_exceeds_unallocated';
  return describeRefusal(code, [exceeds(pointer, code, requested, available)]);
}

function sumUntil(
  groups: ReadonlyMap<string, readonly AllocationRow[]>,
  id: string,
  state: number,
): number {
  return (groups.get(id) ?? [])
    .filter(({ sequence }) => sequence <= state)
    .reduce((sum, { amount }) => sum + units(amount), 0);
}
