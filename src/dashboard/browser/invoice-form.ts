// The invoice form while it is being filled in: live amounts and total, lines to add and remove,
// and stock items to choose from. The server's own modules compute the amounts and the due date, so
// they match. Enter goes to the next field; only the button, or Enter with Ctrl or Command, creates
// the invoice. Tab skips the collapsed fields of a line.
/// <reference lib="dom" />

import { fromUnits, toUnits } from '../../platform/values/money.js';
import { type AmountSettings, showAmounts } from '../invoices/form/amounts.js';
import type { SuggestedTerms } from '../invoices/form/suggest-customers.js';
import { plainNumber } from '../kit/typed-number.js';
import { formatMoney } from '../kit/ui/format.js';
import { find } from './find.js';
import { followDate } from './invoice/due-date.js';
import { InvoiceCustomer } from './invoice/invoice-customer.js';
import { LineItem } from './invoice/line-item.js';
import { field, fillIn, LineList } from './line-list.js';

class InvoiceForm {
  readonly #form: HTMLElement;
  #settings: AmountSettings;
  /** The type of tax that the form suggests; empty for the standard one. */
  #category: string;
  /** The reason of exempt lines that the form suggests; empty for none. */
  #reason: string;
  readonly #list: LineList;
  readonly #items = new WeakMap<HTMLElement, LineItem>();
  /** The rate of each line before its type of tax made it 0. */
  readonly #rates = new WeakMap<HTMLElement, string>();

  constructor(form: HTMLElement, fieldset: HTMLElement) {
    const { currency = 'USD', tax, taxCategory = '' } = fieldset.dataset;
    this.#category = taxCategory;
    this.#reason = fieldset.dataset.taxReason ?? '';
    this.#form = form;
    this.#settings = { currency, defaultTaxRate: tax === undefined ? null : Number(tax) };
    this.#list = new LineList(fieldset, {
      list: '.line-list',
      remove: '.line-remove',
      firstField: 'name',
      addLabel: 'Add line',
      enhance: line => this.#enhance(line),
    });
    form.addEventListener('input', () => this.#updateAmounts());
    form.addEventListener('keydown', event => {
      if (event.key === 'Tab') this.#onTab(event);
      else if (event.key === 'Enter') this.#onEnter(event);
    });
    new InvoiceCustomer(form, {
      announce: sentence => this.#list.announce(sentence),
      changed: terms => this.#suggest(terms),
    });
    // A browser may have restored what was typed before.
    this.#updateAmounts();
  }

  /** The terms and the tax of a customer, in place of those that were suggested and not edited. */
  #suggest(terms: SuggestedTerms): void {
    const [oldRate, oldCategory] = [String(this.#settings.defaultTaxRate ?? ''), this.#category];
    const { taxRate, taxCategory } = terms;
    const template = find(this.#form, '.lines template') as HTMLTemplateElement;
    setSuggested(template.content, taxRate, taxCategory);
    for (const line of this.#list.lines) {
      const [rate, category] = [field(line, 'taxRate'), field(line, 'taxCategory')];
      if (rate.value !== oldRate || category.value !== oldCategory) continue;
      rate.readOnly = false;
      fillIn(rate, taxRate);
      category.value = taxCategory;
      this.#fitRate(line);
    }
    const { currency } = this.#settings;
    this.#settings = { currency, defaultTaxRate: taxRate === '' ? null : Number(taxRate) };
    this.#category = taxCategory;
    const form = this.#form.closest('form') ?? document;
    (find(form, 'input[name=termsOf]') as HTMLInputElement).value = terms.termsKey;
    const reason = find(this.#form, 'input[name=taxReason]') as HTMLInputElement;
    if (reason.value === '' || reason.value === this.#reason) reason.value = terms.taxReason;
    this.#reason = terms.taxReason;
    this.#form.dispatchEvent(new CustomEvent('terms', { detail: terms.termsDays }));
    this.#updateAmounts();
  }

  #updateAmounts(): void {
    const { lines } = this.#list;
    const typed = lines.map(line => ({
      qty: field(line, 'qty').value,
      price: field(line, 'price').value,
      discount: field(line, 'discount').value,
      taxRate: field(line, 'taxRate').value,
      taxCategory: field(line, 'taxCategory').value,
    }));
    const text = (name: string) =>
      (find(this.#form, `input[name="${name}"]`) as HTMLInputElement).value;
    const shown = showAmounts(
      {
        lines: typed,
        discount: text('discount'),
        discountReason: text('discount.reason'),
        taxReason: text('taxReason'),
      },
      this.#settings,
    );
    for (const [index, line] of lines.entries())
      find(line, '.line-amount .figure').textContent = shown.lines[index] ?? '';
    const { currency } = this.#settings;
    find(this.#form, '[data-sums]').replaceChildren(
      ...shown.rows.map(({ label, value }) => totalRow(label, formatMoney(value, currency))),
    );
    find(this.#form, '[data-total]').textContent =
      shown.total === null ? '–' : formatMoney(shown.total, currency);
  }

  #enhance(line: HTMLElement): void {
    // A new line is taxed like the one above it.
    const above = line.previousElementSibling as HTMLElement | null;
    for (const name of ['taxRate', 'taxCategory']) {
      const own = field(line, name);
      if (above && own.value === '' && field(line, 'name').value === '')
        own.value = field(above, name).value;
    }
    this.#items.set(
      line,
      new LineItem(line, {
        currency: this.#settings.currency,
        announce: sentence => this.#list.announce(sentence),
        changed: () => this.#updateAmounts(),
      }),
    );
    field(line, 'taxCategory').addEventListener('change', () => {
      this.#fitRate(line);
      this.#updateAmounts();
      if (field(line, 'taxCategory').value === 'E') this.#askForReason();
    });
    this.#fitRate(line);
    const rate = String(this.#settings.defaultTaxRate ?? '');
    const isUsual = field(line, 'taxCategory').value === this.#category;
    if (field(line, 'taxRate').value !== rate || !isUsual) detailsOf(line).open = true;
  }

  /** Expands the field of the reason that an exempt line needs. */
  #askForReason(): void {
    const reason = find(this.#form, 'input[name=taxReason]') as HTMLInputElement;
    const more = reason.closest('details');
    if (more && reason.value.trim() === '') more.open = true;
  }

  #onEnter(event: KeyboardEvent): void {
    if (event.defaultPrevented || event.isComposing) return;
    const target = event.target as HTMLElement;
    const isSubmitting = event.ctrlKey || event.metaKey;
    if (!target.matches(isSubmitting ? 'input, select, textarea' : 'input, select')) return;
    event.preventDefault();
    const line = target.closest<HTMLElement>('.line');
    if (isSubmitting) this.#submitButton.form?.requestSubmit(this.#submitButton);
    else if (line && target === field(line, 'name')) void this.#enterItem(line, target);
    else this.#focusNext(target);
  }

  /** Tab in the price goes to the next line. Shift and Tab there goes back to what it skipped. */
  #onTab(event: KeyboardEvent): void {
    if (event.shiftKey || event.altKey || event.ctrlKey || event.metaKey) return;
    const line = (event.target as HTMLElement).closest<HTMLElement>('.line');
    if (!line || event.target !== field(line, 'price') || detailsOf(line).open) return;
    const next = line.nextElementSibling as HTMLElement | null;
    if (!next) return;
    event.preventDefault();
    field(next, 'name').focus();
  }

  /** Enter in the item field fills in the line. After a scan follows a line for the next one. */
  async #enterItem(line: HTMLElement, target: HTMLElement): Promise<void> {
    const own = this.#items.get(line);
    if (!own) return;
    const { isScanned, suggested } = own;
    const item = await own.resolve(isScanned ? undefined : suggested);
    if (!isScanned) return this.#focusNext(target);
    const same = this.#list.lines.find(
      other =>
        other !== line &&
        field(other, 'name').value === item?.name &&
        field(other, 'sku').value === (item.sku ?? ''),
    );
    if (same && addOne(field(same, 'qty'))) {
      own.clear();
      this.#list.announce(`${item?.name}, quantity ${field(same, 'qty').value}.`);
      target.focus();
    } else this.#list.add();
  }

  /** The next visible field. After the last line follows a new one, unless that line is empty. */
  #focusNext(target: HTMLElement): void {
    const fields = [
      ...this.#form.querySelectorAll<HTMLElement>('input:not([type=hidden]), select, textarea'),
    ].filter(each => each.offsetParent !== null && !each.closest('details:not([open])'));
    const next = fields[fields.indexOf(target) + 1];
    const line = target.closest<HTMLElement>('.line');
    const leavesLines = line && line === this.#list.lines.at(-1) && !line.contains(next ?? null);
    if (leavesLines && field(line, 'name').value.trim() !== '') this.#list.add();
    else (next ?? this.#submitButton).focus();
  }

  get #submitButton(): HTMLButtonElement {
    const form = this.#form.closest('form') ?? document;
    return find(form, 'button[type=submit]:not([name])') as HTMLButtonElement;
  }

  /** Any other type than the standard one has no tax, so its rate is 0 and stays so. */
  #fitRate(line: HTMLElement): void {
    const [rate, category] = [field(line, 'taxRate'), field(line, 'taxCategory')];
    const isTaxed = category.value === '';
    if (isTaxed && rate.readOnly)
      rate.value = this.#rates.get(line) ?? String(this.#settings.defaultTaxRate ?? '');
    if (!isTaxed && !rate.readOnly) {
      if (rate.value !== '0') this.#rates.set(line, rate.value);
      rate.value = '0';
    }
    rate.readOnly = !isTaxed;
  }
}

/** The tax of a new line. */
function setSuggested(line: DocumentFragment, rate: string, category: string): void {
  line.querySelector('[name$=".taxRate"]')?.setAttribute('value', rate);
  for (const option of line.querySelectorAll('[name$=".taxCategory"] option'))
    option.toggleAttribute('selected', option.getAttribute('value') === category);
}

/** The discount and the tax of a line. */
function detailsOf(line: HTMLElement): HTMLDetailsElement {
  return find(line, '.line-fold') as HTMLDetailsElement;
}

function totalRow(label: string, amount: string): HTMLElement {
  const [row, name, value] = ['div', 'dt', 'dd'].map(tag => document.createElement(tag)) as [
    HTMLElement,
    HTMLElement,
    HTMLElement,
  ];
  name.textContent = label;
  value.textContent = amount;
  value.className = 'figure';
  row.append(name, value);
  return row;
}

/** Adds 1 to the number in the field. False if it has none. */
function addOne(qty: HTMLInputElement): boolean {
  try {
    qty.value = fromUnits(toUnits(plainNumber(qty.value.trim())) + toUnits(1));
    return true;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

/** A new form starts at its first field. A refused one is left at its message. */
function focusFirstField(): void {
  const field = document.querySelector<HTMLElement>('.invoice-head input');
  const isUntouched = document.activeElement === document.body && location.hash === '';
  if (isUntouched && !document.querySelector('[role=alert], [aria-invalid]')) field?.focus();
}

const form = document.querySelector<HTMLElement>('.invoice-form');
const fieldset = form?.querySelector<HTMLElement>('.lines');
if (form && fieldset) {
  new InvoiceForm(form, fieldset);
  followDate(form);
}
focusFirstField();
