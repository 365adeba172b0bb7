// The item of a line: chosen from suggestions, typed by its name or SKU, or scanned. A line whose
// text names no item says so. One that takes more than what is on hand also says so.
/// <reference lib="dom" />
import { fromUnits, toUnits } from '../../../platform/values/money.js';
import { typedPrice } from '../../invoices/form/amounts.js';
import { plainNumber } from '../../kit/typed-number.js';
import { formatPrice, formatQuantity } from '../../kit/ui/format.js';
import { Combobox } from '../combobox.js';
import { find, ownDecimalMark, wasLeft } from '../find.js';
import { field, fillIn, findItems, findNamed, type Item, onHandOf } from './line-list.js';

/** A scanner sends a text as keys, and then Enter, faster than a person types. */
const SCAN = { keys: 3, keyMs: 50, enterMs: 150 };

export interface LineItemOptions {
  /** The path that suggests items. */
  readonly path: string;
  /** The names of a line's fields, without their prefix. */
  readonly fields: {
    readonly item: string;
    readonly quantity: string;
    readonly sku?: string;
    readonly price?: string;
  };
  /** Selects the line's note of what is on hand. */
  readonly stock: string;
  /** Says what happens to a text that names no item. */
  readonly unknown: string;
  /** The class of a quantity above what is on hand; undefined if the form takes no stock. */
  readonly shortage?: 'warn' | 'bad';
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
    const name = this.#field('item');
    name.addEventListener('input', () => this.#onInput());
    name.addEventListener('change', () => void this.resolve());
    this.#combobox = new Combobox<Item>(name, {
      search: (text, signal) => findItems(options.path, text, signal),
      describe: item => [item.name, this.#detailsOf(item)],
      announce: options.announce,
      takesFirst: false,
      choose: item => {
        this.#take(item);
        if (item.unitPrice != null) this.#setPrice(item.unitPrice);
        this.#field('quantity').focus();
        this.#field('quantity').select();
      },
    });
    if (wasLeft(name)) void this.resolve();
  }

  get item(): Item | null {
    return this.#item;
  }

  /** The number in the quantity, in ten-thousandths; null without one. */
  get quantity(): bigint | null {
    try {
      return toUnits(plainNumber(this.#field('quantity').value.trim(), ownDecimalMark()));
    } catch (error) {
      if (error instanceof RangeError) return null;
      throw error;
    }
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
   * If it names none, `suggested` is taken, or else the line says what that means. A SKU in its own
   * field decides alone, and leaves the line as it is.
   */
  async resolve(suggested?: Item): Promise<Item | null> {
    const name = this.#field('item');
    const text = name.value.trim();
    if (this.#item || text === '') return this.#item;
    const sku = this.#optional('sku')?.value.trim() ?? '';
    if (sku !== '') return this.#readSku(sku, text);
    const found = await findNamed(this.#options.path, text).catch(() => null);
    if (found === null || this.#item || name.value.trim() !== text) return this.#item;
    const item = found ?? suggested;
    if (item) {
      this.#take(item);
      if (item.unitPrice != null && this.#optional('price')?.value.trim() === '')
        this.#setPrice(item.unitPrice);
    } else this.#say(this.#options.unknown);
    return this.#item;
  }

  /** The item of both the SKU and the name, as a form that is restored has them. */
  async #readSku(sku: string, name: string): Promise<Item | null> {
    const found = await findNamed(this.#options.path, sku).catch(() => undefined);
    const isSame = found?.sku === sku && found.name === name;
    const isLeft = this.#optional('sku')?.value !== sku || this.#field('item').value !== name;
    if (!isSame || isLeft || this.#item) return this.#item;
    this.#item = found;
    this.#say(onHandOf(found));
    this.#options.changed();
    return found;
  }

  /** The first suggestion, while the list is open. */
  get suggested(): Item | undefined {
    return this.#combobox.first;
  }

  clear(): void {
    this.#combobox.close();
    this.#item = null;
    this.#keysAt = [];
    for (const name of ['item', 'sku', 'quantity', 'price'] as const) {
      const input = this.#optional(name);
      if (input) input.value = '';
    }
    find(this.#line, this.#options.stock).hidden = true;
    this.#options.changed();
  }

  /** Shows what is on hand, beside what all lines of the item take of it. */
  showStock(needed: bigint): void {
    const { shortage } = this.#options;
    if (!this.#item || shortage === undefined) return;
    const missing = needed - toUnits(this.#item.onHand);
    const isShort = missing > 0n;
    const short = ` – ${formatQuantity(fromUnits(missing))} short`;
    this.#say(onHandOf(this.#item) + (isShort ? short : ''), isShort ? shortage : undefined);
  }

  /** Editing the name unlinks the line from its item. */
  #onInput(): void {
    this.#keysAt.push(performance.now());
    if (this.#field('item').value.length <= 1) this.#keysAt.splice(0, this.#keysAt.length - 1);
    const sku = this.#optional('sku');
    if (this.#item && sku && sku.value === (this.#item.sku ?? '')) sku.value = '';
    this.#item = null;
    find(this.#line, this.#options.stock).hidden = true;
  }

  #take(item: Item): void {
    this.#combobox.close();
    this.#item = item;
    this.#field('item').value = item.name;
    const [sku, quantity] = [this.#optional('sku'), this.#field('quantity')];
    if (sku) sku.value = item.sku ?? '';
    if (quantity.value.trim() === '') fillIn(quantity, '1');
    this.#say(onHandOf(item));
    this.#options.changed();
    this.#options.announce(`${find(this.#line, this.#options.stock).textContent}: ${item.name}.`);
  }

  #setPrice(price: string): void {
    const input = this.#optional('price');
    if (!input) return;
    fillIn(input, typedPrice(price, this.#options.currency, ownDecimalMark()));
    this.#options.changed();
  }

  #say(sentence: string, tone?: 'warn' | 'bad'): void {
    const stock = find(this.#line, this.#options.stock);
    if (stock.textContent !== sentence) stock.textContent = sentence;
    for (const each of ['warn', 'bad'] as const) stock.classList.toggle(each, each === tone);
    stock.hidden = false;
  }

  #detailsOf(item: Item): string {
    const price =
      item.unitPrice == null ? null : formatPrice(item.unitPrice, this.#options.currency);
    return [item.sku, onHandOf(item), price].filter(Boolean).join(' · ');
  }

  #field(name: 'item' | 'quantity'): HTMLInputElement {
    return field(this.#line, this.#options.fields[name]);
  }

  /** A field that some forms do not have. */
  #optional(name: keyof LineItemOptions['fields']): HTMLInputElement | null {
    const own = this.#options.fields[name];
    return own === undefined ? null : this.#line.querySelector(`input[name$=".${own}"]`);
  }
}
