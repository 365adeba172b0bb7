// The form of a credit note while it is filled in: live amounts and total, computed by the ledger's
// own arithmetic, and a button that fills in everything that remains to be credited.
/// <reference lib="dom" />
import { fromMinor, fromUnits } from '../../platform/values/money.js';
import {
  type CreditState,
  decodeState,
  previewCredit,
  sumsLabel,
} from '../credit-notes/preview.js';
import { filledNumber } from '../kit/typed-number.js';
import { formatMoney } from '../kit/ui/format.js';
import { ownDecimalMark } from './find.js';

class CreditLines {
  readonly #fieldset: HTMLElement;
  readonly #state: CreditState;

  constructor(fieldset: HTMLElement) {
    this.#fieldset = fieldset;
    this.#state = decodeState(fieldset.dataset.credit ?? '');
    fieldset.addEventListener('input', () => this.#show());
    fieldset.querySelector('button[name="do"]')?.addEventListener('click', event => {
      event.preventDefault();
      this.#creditAll();
      this.#show();
    });
    this.#show();
  }

  get #lines(): HTMLElement[] {
    return [...this.#fieldset.querySelectorAll<HTMLElement>('.credit-line')];
  }

  #creditAll(): void {
    const { creditable, credited } = this.#state;
    for (const [index, line] of this.#lines.entries()) {
      const [qty, amount] = [field(line, 'qty'), field(line, 'amount')];
      if (!qty || !amount) continue;
      const left = (creditable.lines[index]?.qty ?? 0n) - (credited.lines[index]?.qty ?? 0n);
      qty.value = left > 0n ? filledNumber(fromUnits(left), ownDecimalMark()) : '';
      amount.value = '';
    }
  }

  #show(): void {
    const typed = this.#lines.map(line => ({
      qty: field(line, 'qty')?.value ?? '',
      amount: field(line, 'amount')?.value ?? '',
    }));
    const { decimals } = this.#state;
    const { amounts, total, subtotal, taxTotal } = previewCredit(this.#state, typed);
    const currency = this.#fieldset.dataset.currency ?? 'USD';
    const show = (amount: bigint) => formatMoney(fromMinor(amount, decimals), currency);
    for (const [index, line] of this.#lines.entries()) {
      const amount = amounts[index] ?? null;
      const figure = line.querySelector('[data-amount]');
      if (figure) figure.textContent = amount === null ? '' : show(amount);
    }
    set(this.#fieldset, '[data-total]', total === null ? '–' : show(total));
    set(this.#fieldset, '[data-sums]', sumsLabel(subtotal, taxTotal, show));
    const shown = this.#fieldset.querySelector<HTMLInputElement>('[data-total-field]');
    if (shown) shown.value = total === null ? '' : fromMinor(total, decimals);
  }
}

/** Null if the line was already credited in full, which leaves it without a field. */
function field(line: HTMLElement, name: string): HTMLInputElement | null {
  return line.querySelector<HTMLInputElement>(`input[name$=".${name}"]`);
}

function set(parent: HTMLElement, selector: string, text: string): void {
  const found = parent.querySelector(selector);
  if (found) found.textContent = text;
}

const fieldset = document.querySelector<HTMLElement>('.credit');
if (fieldset) new CreditLines(fieldset);
