// The invoices of a form that moves money, while it is filled in: an amount is spread over them
// until one of their fields is changed by hand, and the remainder is live. The server's own module
// computes the amounts.
/// <reference lib="dom" />
import { fromUnits, toUnits } from '../../platform/values/money.js';
import {
  type MoneyStyle,
  readAmount,
  remainderLabel,
  remainderOf,
  showRemainder,
  suggestAmounts,
  typedAmount,
} from '../payments/money/amounts.js';
import { find, ownDecimalMark } from './find.js';

class AllocationForm {
  readonly #fieldset: HTMLElement;
  readonly #currency: string;
  /** Null on a page whose money is already there. */
  readonly #amount: HTMLInputElement | null;
  /** True once the user edits an amount; the page then stops suggesting amounts. */
  #isManual: boolean;

  constructor(fieldset: HTMLElement) {
    this.#fieldset = fieldset;
    this.#currency = fieldset.dataset.currency ?? 'USD';
    this.#amount =
      fieldset.closest('form')?.querySelector<HTMLInputElement>('input[name="amount"]') ?? null;
    this.#isManual =
      this.#typed().some(amount => amount !== 0n) &&
      (this.#remainderAtStart !== 0n || (this.#isEdited && !this.#isSuggested));
    // The user may have typed the amount before this script had loaded.
    if (!this.#isManual && this.#amount && this.#amount.value !== this.#amount.defaultValue)
      this.#suggest();
    this.#amount?.addEventListener('input', () => {
      if (!this.#isManual) this.#suggest();
      this.#showRemainder();
    });
    for (const { input } of this.#rows) {
      input.addEventListener('input', () => {
        this.#isManual = true;
        this.#showRemainder();
      });
    }
    fieldset.querySelector('button[name="do"]')?.addEventListener('click', event => {
      event.preventDefault();
      this.#isManual = false;
      this.#suggest();
      this.#showRemainder();
    });
    this.#showRemainder();
  }

  get #rows(): { input: HTMLInputElement; limit: bigint }[] {
    return [...this.#fieldset.querySelectorAll<HTMLElement>('.allocation-row')].map(row => ({
      input: find(row, 'input') as HTMLInputElement,
      limit: toUnits(row.dataset.limit ?? '0'),
    }));
  }

  get #style(): MoneyStyle {
    return { decimalMark: ownDecimalMark(), currency: this.#currency };
  }

  get #money(): bigint | null {
    return this.#amount === null
      ? toUnits(this.#fieldset.dataset.money ?? '0')
      : readAmount(this.#amount.value, this.#style);
  }

  /** The remainder of the server's page, unless the user has edited an invoice's amount since. */
  get #remainderAtStart(): bigint | null {
    const money =
      this.#amount === null || this.#isEdited
        ? this.#money
        : readAmount(this.#amount.defaultValue, this.#style);
    return remainderOf(money, this.#typed());
  }

  get #isEdited(): boolean {
    return this.#rows.some(({ input }) => input.value !== input.defaultValue);
  }

  /** The amounts are those that the page would suggest, as on a page that is restored. */
  get #isSuggested(): boolean {
    const typed = this.#typed();
    return this.#suggestions().every((amount, index) => amount === (typed[index] ?? 0n));
  }

  #typed(): (bigint | null)[] {
    return this.#rows.map(({ input }) => readAmount(input.value, this.#style));
  }

  #suggestions(): bigint[] {
    return suggestAmounts(
      this.#money ?? 0n,
      this.#rows.map(({ limit }) => limit),
    );
  }

  #suggest(): void {
    const amounts = this.#suggestions();
    for (const [index, { input }] of this.#rows.entries())
      input.value = typedAmount(amounts[index] ?? 0n, this.#currency, ownDecimalMark());
  }

  #showRemainder(): void {
    const remainder = remainderOf(this.#money, this.#typed());
    find(this.#fieldset, '[data-remainder-label]').textContent = remainderLabel(remainder);
    find(this.#fieldset, '[data-remainder]').textContent = showRemainder(remainder, this.#currency);
    (find(this.#fieldset, '[data-remainder-field]') as HTMLInputElement).value =
      remainder === null ? '' : fromUnits(remainder);
  }
}

/** Throws for an element that the server's page always has. */
const fieldset = document.querySelector<HTMLElement>('.allocation');
if (fieldset) new AllocationForm(fieldset);
