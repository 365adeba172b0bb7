// The invoice form while it is being filled in: live amounts and total, lines to add and remove,
// and stock items to choose from. The server's own module computes the amounts, so they match.
/// <reference lib="dom" />

import { showAmount, showTotal, typedPrice } from '../invoices/amounts.js';
import { formatPrice, formatQuantity } from '../kit/ui/format.js';
import { Combobox } from './combobox.js';

/** A stock item as /invoices/items suggests it. */
interface Item {
  readonly name: string;
  readonly sku: string | null;
  readonly unit: string | null;
  readonly onHand: string;
  readonly unitPrice: string | null;
}

/** The fieldset of lines. It always has at least one and at most `data-max`. */
class InvoiceLines {
  readonly currency: string;
  readonly #fieldset: HTMLElement;
  readonly #list: HTMLElement;
  readonly #addButton: HTMLElement;
  /** Index for the names of the next line's fields. Never reused, so ids stay unique. */
  #nextIndex: number;

  constructor(fieldset: HTMLElement) {
    this.currency = fieldset.dataset.currency ?? 'USD';
    this.#fieldset = fieldset;
    this.#list = find(fieldset, '.line-list');
    this.#addButton = find(fieldset, 'button[name=do]');
    this.#nextIndex = this.#lines.length;
    this.#addButton.textContent = 'Add line';
    this.#addButton.addEventListener('click', event => {
      event.preventDefault();
      const line = this.#add();
      this.#renumber();
      field(line, 'name').focus();
    });
    this.#list.addEventListener('input', () => this.updateAmounts());
    for (const line of this.#lines) this.#enhance(line);
    this.#renumber();
  }

  get #lines(): HTMLElement[] {
    return [...this.#list.querySelectorAll<HTMLElement>('.line')];
  }

  updateAmounts(): void {
    const typed = this.#lines.map(line => {
      const amounts = { qty: field(line, 'qty').value, price: field(line, 'price').value };
      find(line, '.line-amount .figure').textContent = showAmount(amounts, this.currency);
      return amounts;
    });
    find(this.#fieldset, '[data-total]').textContent = showTotal(typed, this.currency);
  }

  /** Announces a sentence to screen readers. */
  announce(sentence: string): void {
    find(this.#fieldset, '[data-status]').textContent = sentence;
  }

  #add(): HTMLElement {
    const line = blankLine(this.#fieldset, this.#nextIndex);
    this.#nextIndex += 1;
    this.#list.append(line);
    this.#enhance(line);
    return line;
  }

  #remove(line: HTMLElement): void {
    const index = this.#lines.indexOf(line);
    line.remove();
    if (this.#lines.length === 0) this.#add();
    this.#renumber();
    this.announce(`Line ${index + 1} removed.`);
    const next = this.#lines[index] ?? this.#lines.at(-1);
    if (next) field(next, 'name').focus();
  }

  #enhance(line: HTMLElement): void {
    const button = find(line, '.line-remove');
    button.hidden = false;
    button.addEventListener('click', () => this.#remove(line));
    suggestItems(line, this);
  }

  #renumber(): void {
    for (const [index, line] of this.#lines.entries()) {
      line.setAttribute('aria-label', `Line ${index + 1}`);
      find(line, '.line-remove').setAttribute('aria-label', `Remove line ${index + 1}`);
    }
    this.#addButton.hidden = this.#lines.length >= Number(this.#fieldset.dataset.max);
    this.updateAmounts();
  }
}

function blankLine(fieldset: HTMLElement, index: number): HTMLElement {
  const template = fieldset.querySelector('template')?.content.firstElementChild;
  const line = template?.cloneNode(true) as HTMLElement;
  for (const element of line.querySelectorAll('*')) {
    for (const name of ['id', 'name', 'for', 'aria-describedby']) {
      const value = element.getAttribute(name);
      if (value !== null)
        element.setAttribute(name, value.replace(/(items[.-])new/u, `$1${index}`));
    }
  }
  return line;
}

/** A chosen item fills in its line. Editing the name afterwards unlinks the line from the item. */
function suggestItems(line: HTMLElement, lines: InvoiceLines): void {
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
    search: findItems,
    describe: item => [item.name, detailsOf(item, lines.currency)],
    announce: sentence => lines.announce(sentence),
    choose(item) {
      chosen = item;
      name.value = item.name;
      sku.value = item.sku ?? '';
      if (item.unitPrice !== null) price.value = typedPrice(item.unitPrice, lines.currency);
      if (qty.value.trim() === '') qty.value = '1';
      stock.textContent = onHandOf(item);
      stock.hidden = false;
      lines.updateAmounts();
      lines.announce(`${item.name}, ${onHandOf(item)}.`);
      qty.focus();
      qty.select();
    },
  });
}

async function findItems(text: string, signal: AbortSignal): Promise<Item[]> {
  const response = await fetch(`/invoices/items?${new URLSearchParams({ q: text })}`, { signal });
  // A redirect leads to the sign-in page: the session ended.
  return response.ok && !response.redirected ? ((await response.json()) as Item[]) : [];
}

function detailsOf(item: Item, currency: string): string {
  const price = item.unitPrice === null ? null : formatPrice(item.unitPrice, currency);
  return [item.sku, onHandOf(item), price].filter(Boolean).join(' · ');
}

function onHandOf({ onHand, unit }: Item): string {
  return `${formatQuantity(onHand)}${unit === null ? '' : ` ${unit}`} on hand`;
}

function field(line: HTMLElement, name: string): HTMLInputElement {
  return find(line, `input[name$=".${name}"]`) as HTMLInputElement;
}

/** Throws for an element that the server's page always has. */
function find(parent: HTMLElement, selector: string): HTMLElement {
  const found = parent.querySelector<HTMLElement>(selector);
  if (!found) throw new Error(`the form has no ${selector}`);
  return found;
}

/** A new form starts at its first field. A refused one is left at its message. */
function focusFirstField(): void {
  const field = document.querySelector<HTMLElement>('.invoice-head input');
  const isUntouched = document.activeElement === document.body && location.hash === '';
  if (isUntouched && !document.querySelector('[role=alert], [aria-invalid]')) field?.focus();
}

const fieldset = document.querySelector<HTMLElement>('.lines');
if (fieldset) new InvoiceLines(fieldset);
focusFirstField();
