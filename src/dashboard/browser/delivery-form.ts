// The form for a delivery while it is being filled in: lines to add and remove, and stock items to
// choose from.
/// <reference lib="dom" />
import { formatQuantity } from '../kit/ui/format.js';
import { Combobox } from './combobox.js';

/** A stock item as /inventory/suggestions suggests it. */
interface Item {
  readonly name: string;
  readonly sku: string | null;
  readonly unit: string | null;
  readonly onHand: string;
}

/** The fieldset of lines. It always has at least one and at most `data-max`. */
class DeliveryLines {
  readonly #fieldset: HTMLElement;
  readonly #list: HTMLElement;
  readonly #addButton: HTMLElement;
  /** Index for the names of the next line's fields. Never reused, so ids stay unique. */
  #nextIndex: number;

  constructor(fieldset: HTMLElement) {
    this.#fieldset = fieldset;
    this.#list = find(fieldset, '.delivery-list');
    this.#addButton = find(fieldset, 'button[name=do]');
    this.#nextIndex = this.#lines.length;
    this.#addButton.textContent = 'Add a line';
    this.#addButton.addEventListener('click', event => {
      event.preventDefault();
      const line = this.#add();
      this.#renumber();
      field(line, 'item').focus();
    });
    for (const line of this.#lines) this.#enhance(line);
    this.#renumber();
  }

  get #lines(): HTMLElement[] {
    return [...this.#list.querySelectorAll<HTMLElement>('.delivery-line')];
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
    this.#announce(`Line ${index + 1} removed.`);
    const next = this.#lines[index] ?? this.#lines.at(-1);
    if (next) field(next, 'item').focus();
  }

  #enhance(line: HTMLElement): void {
    const button = find(line, '.delivery-remove');
    button.hidden = false;
    button.addEventListener('click', () => this.#remove(line));
    this.#suggestItems(line);
  }

  /** A chosen item fills in its line, and shows what is on hand until the text is edited. */
  #suggestItems(line: HTMLElement): void {
    const [item, quantity] = [field(line, 'item'), field(line, 'quantity')];
    const stock = find(line, '.delivery-stock');
    item.addEventListener('input', () => {
      stock.hidden = true;
    });
    new Combobox<Item>(item, {
      search: findItems,
      describe: found => [found.name, [found.sku, onHandOf(found)].filter(Boolean).join(' · ')],
      announce: sentence => this.#announce(sentence),
      choose: found => {
        item.value = found.name;
        stock.textContent = onHandOf(found);
        stock.hidden = false;
        this.#announce(`${found.name}, ${onHandOf(found)}.`);
        quantity.focus();
        quantity.select();
      },
    });
  }

  #renumber(): void {
    for (const [index, line] of this.#lines.entries()) {
      line.setAttribute('aria-label', `Line ${index + 1}`);
      find(line, '.delivery-remove').setAttribute('aria-label', `Remove line ${index + 1}`);
    }
    this.#addButton.hidden = this.#lines.length >= Number(this.#fieldset.dataset.max);
  }

  /** Announces a sentence to screen readers. */
  #announce(sentence: string): void {
    find(this.#fieldset, '[data-status]').textContent = sentence;
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

async function findItems(text: string, signal: AbortSignal): Promise<Item[]> {
  const query = new URLSearchParams({ q: text });
  const response = await fetch(`/inventory/suggestions?${query}`, { signal });
  // A redirect leads to the sign-in page: the session ended.
  return response.ok && !response.redirected ? ((await response.json()) as Item[]) : [];
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

const fieldset = document.querySelector<HTMLElement>('.delivery-lines');
if (fieldset) new DeliveryLines(fieldset);
