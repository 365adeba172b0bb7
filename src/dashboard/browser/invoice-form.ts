// The invoice form while it is being filled in: live amounts and total, and the terms, the tax and
// the credit of its customer. The server's own modules compute the amounts and the due date, so
// they match. LineForm adds and removes lines and finds their items.
/// <reference lib="dom" />

import { type AmountSettings, showAmounts } from '../invoices/form/amounts.js';
import { creditWarning, type LimitLeft } from '../invoices/form/credit.js';
import type { SuggestedTerms } from '../invoices/form/suggest-customers.js';
import { formatMoney } from '../kit/ui/format.js';
import { find, ownDecimalMark } from './find.js';
import { followDate } from './invoice/due-date.js';
import { InvoiceCustomer } from './invoice/invoice-customer.js';
import { LineForm } from './lines/line-form.js';
import { field, fillIn, type LineList } from './lines/line-list.js';

class InvoiceForm {
  readonly #form: HTMLElement;
  #settings: AmountSettings;
  /** The type of tax that the form suggests; empty for the standard one. */
  #category: string;
  /** The reason of exempt lines that the form suggests; empty for none. */
  #reason: string;
  readonly #lines: LineForm;
  readonly #credit: HTMLElement;
  /** The rate of each line before its type of tax made it 0. */
  readonly #rates = new WeakMap<HTMLElement, string>();

  constructor(form: HTMLElement, fieldset: HTMLElement) {
    const { currency = 'USD', tax, taxCategory = '' } = fieldset.dataset;
    this.#category = taxCategory;
    this.#reason = fieldset.dataset.taxReason ?? '';
    this.#form = form;
    this.#settings = settingsOf(currency, tax ?? '');
    this.#credit = find(form, '[data-credit]');
    this.#lines = new LineForm(fieldset, {
      list: '.line-list',
      remove: '.line-remove',
      path: '/invoices/items',
      fields: { item: 'name', sku: 'sku', quantity: 'qty', price: 'price' },
      stock: '.line-stock',
      unknown: 'Not a stock item – will only be billed.',
      shortage: fieldset.dataset.negative === 'allowed' ? 'warn' : 'bad',
      currency,
      enhance: line => this.#enhance(line),
      changed: () => this.#updateAmounts(),
    });
    form.addEventListener('input', () => this.#updateAmounts());
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
    const form = this.#form.closest('form') ?? document;
    const termsOf = find(form, 'input[name=termsOf]') as HTMLInputElement;
    // The lines of a restored form have these terms, or what the person typed in their place.
    const lines = termsOf.value === terms.termsKey ? [] : this.#list.lines;
    for (const line of lines) {
      const [rate, category] = [field(line, 'taxRate'), field(line, 'taxCategory')];
      if (rate.value !== oldRate || category.value !== oldCategory) continue;
      rate.readOnly = false;
      fillIn(rate, taxRate);
      category.value = taxCategory;
      this.#fitRate(line);
    }
    this.#settings = settingsOf(this.#settings.currency, taxRate);
    this.#category = taxCategory;
    termsOf.value = terms.termsKey;
    (find(form, 'input[name=newName]') as HTMLInputElement).value = terms.newName;
    this.#credit.dataset.credit = terms.credit === null ? '' : JSON.stringify(terms.credit);
    const reason = find(this.#form, 'input[name=taxReason]') as HTMLInputElement;
    if (reason.value === '' || reason.value === this.#reason) reason.value = terms.taxReason;
    this.#reason = terms.taxReason;
    this.#form.dispatchEvent(new CustomEvent('terms', { detail: terms.termsDays }));
    this.#updateAmounts();
  }

  get #list(): LineList {
    return this.#lines.list;
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
    this.#showCredit(shown.total);
  }

  /** Shows by how much the total exceeds the customer's limit. */
  #showCredit(total: string | null): void {
    const { credit: stored = '' } = this.#credit.dataset;
    const credit = stored === '' ? null : (JSON.parse(stored) as LimitLeft);
    const warning = creditWarning(credit, total, this.#settings.currency) ?? '';
    if (this.#credit.textContent !== warning) this.#credit.textContent = warning;
    this.#credit.className = `credit-state ${credit?.refuses ? 'bad' : 'warn'}`;
    this.#credit.hidden = warning === '';
  }

  #enhance(line: HTMLElement): void {
    // A new line is taxed like the one above it.
    const above = line.previousElementSibling as HTMLElement | null;
    for (const name of ['taxRate', 'taxCategory']) {
      const own = field(line, name);
      if (above && own.value === '' && field(line, 'name').value === '')
        own.value = field(above, name).value;
    }
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

function settingsOf(currency: string, rate: string): AmountSettings {
  const defaultTaxRate = rate === '' ? null : Number(rate);
  return { currency, defaultTaxRate, decimalMark: ownDecimalMark() };
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
