// The lines of a form of stock items, whichever form it is: a typed code, a scan and Enter do the
// same in all of them. Enter in the item fills in the line. A scan goes on to the next line, and a
// second scan of an item adds 1 to its quantity. Enter and Tab in the last field of a line go to
// the next one.
/// <reference lib="dom" />

import { fromUnits, toUnits } from '../../../platform/values/money.js';
import { filledNumber, plainNumber } from '../../kit/typed-number.js';
import { ownDecimalMark } from '../find.js';
import { focusNext, nextField } from '../keys/enter.js';
import { LineItem, type LineItemOptions } from './line-item.js';
import { field, type Item, LineList, type LineListOptions } from './line-list.js';

type Options = Omit<LineListOptions, 'firstField' | 'enhance'> &
  Omit<LineItemOptions, 'announce' | 'changed'> & {
    /** Called for each line that exists or is added. */
    readonly enhance?: (line: HTMLElement) => void;
    /** Called after lines were filled in, added or removed by this script. */
    readonly changed?: () => void;
  };

export class LineForm {
  readonly list: LineList;
  readonly #form: HTMLFormElement;
  readonly #options: Options;
  readonly #items = new WeakMap<HTMLElement, LineItem>();

  constructor(fieldset: HTMLElement, options: Options) {
    this.#form = fieldset.closest('form') as HTMLFormElement;
    this.#options = options;
    const { item } = options.fields;
    const enhance = (line: HTMLElement) => {
      options.enhance?.(line);
      const announce = (sentence: string) => this.list.announce(sentence);
      const changed = () => this.#changed();
      this.#items.set(line, new LineItem(line, { ...options, announce, changed }));
    };
    this.list = new LineList(fieldset, { ...options, firstField: item, enhance });
    fieldset.addEventListener('input', () => this.#showShortages());
    fieldset.addEventListener('keydown', event => {
      if (event.defaultPrevented || event.isComposing) return;
      if (event.key === 'Tab') this.#onTab(event);
      else if (event.key === 'Enter') this.#onEnter(event);
    });
  }

  #changed(): void {
    this.#showShortages();
    this.#options.changed?.();
  }

  #onEnter(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey) return;
    const target = event.target as HTMLElement;
    const line = target.closest<HTMLElement>('[data-lines] > *');
    if (!line || !target.matches('input, select')) return;
    const isItem = target === field(line, this.#options.fields.item);
    if (!isItem && !this.#leavesLastLine(line, target)) return;
    event.preventDefault();
    if (isItem) void this.#enterItem(line, target);
    else this.list.add();
  }

  /** Shift and Tab in the next line goes back to the controls that Tab skips. */
  #onTab(event: KeyboardEvent): void {
    if (event.shiftKey || event.altKey || event.ctrlKey || event.metaKey) return;
    const target = event.target as HTMLElement;
    const line = target.closest<HTMLElement>('[data-lines] > *');
    if (!line || !target.matches('input') || line.contains(nextField(line, target) ?? null)) return;
    const next = line.nextElementSibling as HTMLElement | null;
    if (!next && !this.#leavesLastLine(line, target)) return;
    event.preventDefault();
    if (next) field(next, this.#options.fields.item).focus();
    else this.list.add();
  }

  /** True in the last field of the last line, if that names an item. */
  #leavesLastLine(line: HTMLElement, target: HTMLElement): boolean {
    const isLast = line === this.list.lines.at(-1) && !nextField(line, target);
    return isLast && field(line, this.#options.fields.item).value.trim() !== '';
  }

  async #enterItem(line: HTMLElement, target: HTMLElement): Promise<void> {
    const own = this.#items.get(line);
    if (!own) return;
    const { isScanned, suggested } = own;
    const item = await own.resolve(isScanned ? undefined : suggested);
    if (!isScanned) return focusNext(this.#form, target);
    const { quantity } = this.#options.fields;
    const same = this.list.lines.find(other => other !== line && item && this.#has(other, item));
    if (same && addOne(field(same, quantity))) {
      own.clear();
      this.list.announce(`${item?.name}, quantity ${field(same, quantity).value}.`);
      this.#changed();
      target.focus();
    } else this.#goOn(line);
  }

  /** To the next blank line, else to a new one. */
  #goOn(line: HTMLElement): void {
    const { item } = this.#options.fields;
    const { lines } = this.list;
    const blank = lines.slice(lines.indexOf(line) + 1).map(each => field(each, item));
    const next = blank.find(({ value }) => value.trim() === '');
    if (next) next.focus();
    else this.list.add();
  }

  /** True for a line of the item, which may have been on the page before this script. */
  #has(line: HTMLElement, { name, sku }: Item): boolean {
    const { item, sku: code } = this.#options.fields;
    const isNamed = field(line, item).value === name;
    return isNamed && (code === undefined || field(line, code).value === (sku ?? ''));
  }

  /** The quantity of an item may exceed what is on hand on several lines together. */
  #showShortages(): void {
    const needed = new Map<string, bigint>();
    const lines = this.list.lines.flatMap(line => this.#items.get(line) ?? []);
    for (const { item, quantity } of lines)
      if (item) needed.set(item.id, (needed.get(item.id) ?? 0n) + (quantity ?? 0n));
    for (const line of lines) line.showStock(needed.get(line.item?.id ?? '') ?? 0n);
  }
}

/** Adds 1 to the number in the field. False if it has none. */
function addOne(quantity: HTMLInputElement): boolean {
  try {
    const mark = ownDecimalMark();
    const units = toUnits(plainNumber(quantity.value.trim(), mark));
    quantity.value = filledNumber(fromUnits(units + toUnits(1)), mark);
    return true;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}
