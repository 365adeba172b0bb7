// The item of a line of the invoice form: chosen from suggestions, typed by its name or SKU, or
// scanned. A line whose text names no item says so.
/// <reference lib="dom" />
import { typedPrice } from '../../invoices/form/amounts.js';
import { formatPrice } from '../../kit/ui/format.js';
import { Combobox } from '../combobox.js';
import { find } from '../find.js';
import {
  field,
  fillIn,
  findItems,
  findNamed,
  type Item as ListedItem,
  onHandOf,
} from '../line-list.js';

/** A stock item as /invoices/items suggests it. */
interface Item extends ListedItem {
  readonly unitPrice: string | null;
}

const ITEMS = '/invoices/items';
const NOT_IN_STOCK = 'Not a stock item – will only be billed.';
/** A scanner sends a text as keys, and then Enter, faster than a person types. */
const SCAN = { keys: 3, keyMs: 50, enterMs: 150 };

interface LineItemOptions {
  readonly currency: string;
  readonly announce: (sentence: string) => void;
  /** Called after the line was filled in. */
  readonly changed: () => void;
}

export class LineItem {
  readonly #line: HTMLElement;
  readonly #options: LineItemOptions;
  readonly #combobox: Combobox<Item>;
  #item: Item | null = null;
  /** When the keys of the text were pressed. */
  #keysAt: number[] = [];

  constructor(line: HTMLElement, options: LineItemOptions) {
    this.#line = line;
    this.#options = options;
    const name = this.#field('name');
    name.addEventListener('input', () => this.#onInput());
    name.addEventListener('change', () => void this.resolve());
    this.#combobox = new Combobox<Item>(name, {
      search: (text, signal) => findItems<Item>(ITEMS, text, signal),
      describe: item => [item.name, this.#detailsOf(item)],
      announce: options.announce,
      takesFirst: false,
      choose: item => {
        this.#take(item);
        if (item.unitPrice !== null) this.#setPrice(item.unitPrice);
        this.#field('qty').focus();
        this.#field('qty').select();
      },
    });
  }

  /** True if the text came from a barcode scanner that has just sent Enter. */
  get isScanned(): boolean {
    const { length } = this.#keysAt;
    const [first = 0, last = 0] = [this.#keysAt[0], this.#keysAt.at(-1)];
    const isFast = length >= SCAN.keys && last - first < SCAN.keyMs * (length - 1);
    return isFast && performance.now() - last < SCAN.enterMs;
  }

  /**
   * Finds the item that the text names by its name or SKU, and fills in what the line leaves open.
   * If it names none, `suggested` is taken, or else the line says that it moves no stock. A SKU in
   * its own field decides alone.
   */
  async resolve(suggested?: Item): Promise<Item | null> {
    const name = this.#field('name');
    const text = name.value.trim();
    const hasSku = this.#field('sku').value.trim() !== '';
    if (this.#item || hasSku || text === '') return this.#item;
    const found = await findNamed<Item>(ITEMS, text).catch(() => null);
    if (found === null || this.#item || name.value.trim() !== text) return this.#item;
    const item = found ?? suggested;
    if (item) {
      this.#take(item);
      if (item.unitPrice !== null && this.#field('price').value.trim() === '')
        this.#setPrice(item.unitPrice);
    } else this.#say(NOT_IN_STOCK);
    return this.#item;
  }

  /** The first suggestion, while the list is open. */
  get suggested(): Item | undefined {
    return this.#combobox.first;
  }

  clear(): void {
    this.#combobox.close();
    this.#item = null;
    this.#keysAt = [];
    for (const name of ['name', 'sku', 'qty', 'price']) this.#field(name).value = '';
    find(this.#line, '.line-stock').hidden = true;
    this.#options.changed();
  }

  /** Editing the name unlinks the line from its item. */
  #onInput(): void {
    this.#keysAt.push(performance.now());
    if (this.#field('name').value.length <= 1) this.#keysAt.splice(0, this.#keysAt.length - 1);
    const sku = this.#field('sku');
    if (this.#item && sku.value === (this.#item.sku ?? '')) sku.value = '';
    this.#item = null;
    find(this.#line, '.line-stock').hidden = true;
  }

  #take(item: Item): void {
    this.#combobox.close();
    this.#item = item;
    this.#field('name').value = item.name;
    this.#field('sku').value = item.sku ?? '';
    const qty = this.#field('qty');
    if (qty.value.trim() === '') fillIn(qty, '1');
    this.#say(onHandOf(item));
    this.#options.changed();
    this.#options.announce(`${item.name}, ${onHandOf(item)}.`);
  }

  #setPrice(price: string): void {
    fillIn(this.#field('price'), typedPrice(price, this.#options.currency));
    this.#options.changed();
  }

  #say(sentence: string): void {
    const stock = find(this.#line, '.line-stock');
    stock.textContent = sentence;
    stock.hidden = false;
  }

  #detailsOf(item: Item): string {
    const { currency } = this.#options;
    const price = item.unitPrice === null ? null : formatPrice(item.unitPrice, currency);
    return [item.sku, onHandOf(item), price].filter(Boolean).join(' · ');
  }

  #field(name: string): HTMLInputElement {
    return field(this.#line, name);
  }
}
