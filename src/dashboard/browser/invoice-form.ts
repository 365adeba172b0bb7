// The invoice form while it is filled in: amounts and total as they will be posted, lines that come and go, and stock
// items to choose from. What it shows is counted with the server's own module.
/// <reference lib="dom" />

import { showAmount, showTotal } from '../invoices/amounts.js';
import { formatPrice, formatQuantity } from '../kit/ui/format.js';
import { makeCombobox } from './combobox.js';

interface Item {
  readonly name: string;
  readonly sku: string | null;
  readonly unit: string | null;
  readonly onHand: string;
  readonly unitPrice: string | null;
}

const lines = document.querySelector<HTMLElement>('.lines');
if (lines) start(lines);

function start(place: HTMLElement): void {
  const currency = place.dataset.currency ?? 'USD';
  const list = find(place, '.line-list');
  const add = find(place, 'button[name=do]');
  const rows = (): HTMLElement[] => [...list.querySelectorAll<HTMLElement>('.line')];
  let made = rows().length;

  const count = (): void => {
    const typed = rows().map(row => ({
      row,
      qty: field(row, 'qty').value,
      price: field(row, 'price').value,
    }));
    for (const { row, ...line } of typed)
      find(row, '.line-amount .figure').textContent = showAmount(line, currency);
    find(place, '[data-total]').textContent = showTotal(typed, currency);
  };
  const say = (sentence: string): void => {
    find(place, '[data-status]').textContent = sentence;
  };
  const number = (): void => {
    for (const [index, row] of rows().entries()) {
      row.setAttribute('aria-label', `Line ${index + 1}`);
      find(row, '.line-remove').setAttribute('aria-label', `Remove line ${index + 1}`);
    }
    add.hidden = rows().length >= Number(place.dataset.max);
    count();
  };
  const remove = (row: HTMLElement): void => {
    const at = rows().indexOf(row);
    row.remove();
    if (rows().length === 0) addLine();
    number();
    say(`Line ${at + 1} removed.`);
    const next = rows()[Math.min(at, rows().length - 1)];
    if (next) field(next, 'name').focus();
  };
  const enhance = (row: HTMLElement): void => {
    const button = find(row, '.line-remove');
    button.hidden = false;
    button.addEventListener('click', () => remove(row));
    offerItems(row, { currency, count, say });
  };
  const addLine = (): HTMLElement => {
    const row = blankLine(place, made);
    made += 1;
    list.append(row);
    enhance(row);
    return row;
  };

  add.textContent = 'Add a line';
  add.addEventListener('click', event => {
    event.preventDefault();
    const row = addLine();
    number();
    field(row, 'name').focus();
  });
  list.addEventListener('input', count);
  for (const row of rows()) enhance(row);
  number();
}

function blankLine(place: HTMLElement, index: number): HTMLElement {
  const template = place.querySelector('template')?.content.firstElementChild;
  const row = template?.cloneNode(true) as HTMLElement;
  for (const element of row.querySelectorAll('*')) {
    for (const name of ['id', 'name', 'for', 'aria-describedby']) {
      const value = element.getAttribute(name);
      if (value !== null)
        element.setAttribute(name, value.replace(/(items[.-])new/u, `$1${index}`));
    }
  }
  return row;
}

interface Tools {
  readonly currency: string;
  readonly count: () => void;
  readonly say: (sentence: string) => void;
}

/** An item that is chosen fills in the line. Once its name is changed by hand, the line is of that item no more. */
function offerItems(row: HTMLElement, { currency, count, say }: Tools): void {
  const name = field(row, 'name');
  const stock = find(row, '.line-stock');
  let chosen: Item | null = null;
  name.addEventListener('input', () => {
    if (chosen && field(row, 'sku').value === (chosen.sku ?? '')) field(row, 'sku').value = '';
    chosen = null;
    stock.hidden = true;
  });
  makeCombobox<Item>(name, {
    say,
    async find(text, signal) {
      const answer = await fetch(`/invoices/items?${new URLSearchParams({ q: text })}`, { signal });
      // Signed out meanwhile, the answer is the sign-in page.
      return answer.ok && !answer.redirected ? ((await answer.json()) as Item[]) : [];
    },
    show: item => [
      item.name,
      [item.sku, onHand(item), priceOf(item, currency)].filter(Boolean).join(' · '),
    ],
    take(item) {
      const [sku, qty, price] = [field(row, 'sku'), field(row, 'qty'), field(row, 'price')];
      name.value = item.name;
      sku.value = item.sku ?? '';
      if (item.unitPrice !== null) price.value = item.unitPrice;
      if (qty.value.trim() === '') qty.value = '1';
      chosen = item;
      stock.textContent = onHand(item);
      stock.hidden = false;
      count();
      say(`${item.name}, ${onHand(item)}.`);
      qty.focus();
      qty.select();
    },
  });
}

function onHand({ onHand: quantity, unit }: Item): string {
  return `${formatQuantity(quantity)}${unit === null ? '' : ` ${unit}`} on hand`;
}

function priceOf({ unitPrice }: Item, currency: string): string {
  return unitPrice === null ? '' : formatPrice(unitPrice, currency);
}

function field(row: HTMLElement, name: string): HTMLInputElement {
  return find(row, `input[name$=".${name}"]`) as HTMLInputElement;
}

/** What the page is made with, so it is there. */
function find(place: HTMLElement, selector: string): HTMLElement {
  const found = place.querySelector<HTMLElement>(selector);
  if (!found) throw new Error(`the form has no ${selector}`);
  return found;
}
