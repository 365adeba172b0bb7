// The invoice form while it is being filled in: live amounts and total, lines to add and remove,
// stock items to choose from, and the extra fields on demand. The server's own modules compute the
// amounts and the due date, so they match.
/// <reference lib="dom" />

import { addDays } from '../../platform/values/days.js';
import { type AmountSettings, showAmounts, typedPrice } from '../invoices/form/amounts.js';
import { formatPrice } from '../kit/ui/format.js';
import { Combobox } from './combobox.js';
import {
  field,
  find,
  findItems,
  LineList,
  type Item as ListedItem,
  onHandOf,
} from './line-list.js';

/** A stock item as /invoices/items suggests it. */
interface Item extends ListedItem {
  readonly unitPrice: string | null;
}

class InvoiceForm {
  readonly #form: HTMLElement;
  readonly #settings: AmountSettings;
  readonly #list: LineList;

  constructor(form: HTMLElement, fieldset: HTMLElement) {
    const { currency = 'USD', tax } = fieldset.dataset;
    this.#form = form;
    this.#settings = { currency, defaultTaxRate: tax === undefined ? null : Number(tax) };
    this.#list = new LineList(fieldset, {
      list: '.line-list',
      remove: '.line-remove',
      firstField: 'name',
      addLabel: 'Add line',
      enhance: line => this.#enhance(line),
      changed: () => this.#updateAmounts(),
    });
    form.addEventListener('input', () => this.#updateAmounts());
    const extras = fieldset.querySelector('button[name=do][value=extras]');
    extras?.addEventListener('click', event => {
      event.preventDefault();
      this.#showExtras(extras);
    });
    // A browser may have restored what was typed before.
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
    const discount = (find(this.#form, 'input[name=discount]') as HTMLInputElement).value;
    const shown = showAmounts({ lines: typed, discount }, this.#settings);
    for (const [index, line] of lines.entries())
      find(line, '.line-amount .figure').textContent = shown.lines[index] ?? '';
    for (const name of ['discount', 'subtotal', 'tax'] as const)
      find(this.#form, `[data-sum=${name}]`).textContent = shown[name];
    find(this.#form, '[data-total]').textContent = shown.total;
  }

  #showExtras(button: Element): void {
    this.#form.classList.add('extended');
    button.remove();
    const [line] = this.#list.lines;
    if (line) field(line, 'discount').focus();
  }

  #enhance(line: HTMLElement): void {
    // A new line is taxed like the one above it.
    const above = line.previousElementSibling as HTMLElement | null;
    for (const name of ['taxRate', 'taxCategory']) {
      const own = field(line, name);
      if (above && own.value === '' && field(line, 'name').value === '')
        own.value = field(above, name).value;
    }
    this.#suggestItems(line);
  }

  /** A chosen item fills in its line. Editing the name afterwards unlinks the two. */
  #suggestItems(line: HTMLElement): void {
    const { currency } = this.#settings;
    const name = field(line, 'name');
    const [sku, qty, price] = [field(line, 'sku'), field(line, 'qty'), field(line, 'price')];
    const stock = find(line, '.line-stock');
    let chosen: Item | null = null;
    name.addEventListener('input', () => {
      if (chosen && sku.value === (chosen.sku ?? '')) sku.value = '';
      chosen = null;
      stock.hidden = true;
    });
    new Combobox<Item>(name, {
      search: (text, signal) => findItems('/invoices/items', text, signal),
      describe: item => [item.name, detailsOf(item, currency)],
      announce: sentence => this.#list.announce(sentence),
      choose: item => {
        chosen = item;
        name.value = item.name;
        sku.value = item.sku ?? '';
        if (item.unitPrice !== null) price.value = typedPrice(item.unitPrice, currency);
        if (qty.value.trim() === '') qty.value = '1';
        stock.textContent = onHandOf(item);
        stock.hidden = false;
        this.#updateAmounts();
        this.#list.announce(`${item.name}, ${onHandOf(item)}.`);
        qty.focus();
        qty.select();
      },
    });
  }
}

function detailsOf(item: Item, currency: string): string {
  const price = item.unitPrice === null ? null : formatPrice(item.unitPrice, currency);
  return [item.sku, onHandOf(item), price].filter(Boolean).join(' · ');
}

/** Computes the due date from the invoice date and the company's terms until the user edits it. */
function followDate(head: HTMLElement): void {
  const terms = head.dataset.terms;
  if (terms === undefined) return;
  const date = find(head, 'input[name=date]') as HTMLInputElement;
  const due = find(head, 'input[name=dueDate]') as HTMLInputElement;
  const dueOf = (day: string) => (day === '' ? '' : addDays(day, Number(terms)));
  let suggested = dueOf(date.defaultValue);
  const follow = () => {
    const follows = due.value === '' || due.value === suggested;
    suggested = dueOf(date.value);
    if (follows) due.value = suggested;
  };
  date.addEventListener('input', follow);
  // The user may have typed the date before this script had loaded.
  if (date.value !== date.defaultValue) follow();
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
  followDate(find(form, '.invoice-head'));
}
focusFirstField();
