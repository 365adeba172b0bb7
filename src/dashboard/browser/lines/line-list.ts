// The lines of a form: added, removed and numbered in place, each with its stock item to choose.
/// <reference lib="dom" />
import { formatQuantity } from '../../kit/ui/format.js';
import { find } from '../find.js';
import { LINES_READY, SET_LINES } from '../typed/typed-fields.js';

/** A stock item as a form suggests it. */
export interface Item {
  readonly id: string;
  readonly name: string;
  readonly sku: string | null;
  readonly unit: string | null;
  readonly onHand: string;
  /** Absent for a person who may not see prices. */
  readonly unitPrice?: string | null;
}

export interface LineListOptions {
  /** Selects the element whose children are the lines, and the button of a line that removes it. */
  readonly list: string;
  readonly remove: string;
  /** The field of a line that has the focus first, without its prefix. */
  readonly firstField: string;
  /** Called for each line that exists or is added. */
  readonly enhance: (line: HTMLElement) => void;
}

/**
 * The fieldset of lines. It always has at least one and at most `data-max`. An event of input
 * follows each change of their number. The event SET_LINES sets it, after LINES_READY.
 */
export class LineList {
  readonly #fieldset: HTMLElement;
  readonly #list: HTMLElement;
  readonly #addButton: HTMLElement;
  readonly #options: LineListOptions;
  /** Index for the names of the next line's fields. Never reused, so ids stay unique. */
  #nextIndex: number;

  constructor(fieldset: HTMLElement, options: LineListOptions) {
    this.#fieldset = fieldset;
    this.#options = options;
    this.#list = find(fieldset, options.list);
    this.#addButton = find(fieldset, 'button[name=do][value=add-lines]');
    this.#nextIndex = this.lines.length;
    this.#addButton.textContent = 'Add line';
    this.#addButton.addEventListener('click', event => {
      event.preventDefault();
      this.add();
    });
    for (const line of this.lines) this.#enhance(line);
    this.#renumber();
    this.#list.addEventListener(SET_LINES, event => {
      event.preventDefault();
      this.#setCount((event as CustomEvent<number>).detail);
    });
    // After the script of the form has completed its own set-up.
    queueMicrotask(() => this.#list.dispatchEvent(new Event(LINES_READY, { bubbles: true })));
  }

  get lines(): HTMLElement[] {
    return [...this.#list.children] as HTMLElement[];
  }

  /** Announces a sentence to screen readers. */
  announce(sentence: string): void {
    find(this.#fieldset, '[data-status]').textContent = sentence;
  }

  /** Adds a line, if the form may have one more, and moves the focus to it. */
  add(): void {
    if (this.#addButton.hidden) return;
    const line = this.#append();
    this.#changed();
    field(line, this.#options.firstField).focus();
  }

  #append(): HTMLElement {
    const line = blankLine(this.#fieldset, this.#nextIndex);
    this.#nextIndex += 1;
    this.#list.append(line);
    this.#enhance(line);
    return line;
  }

  #remove(line: HTMLElement): void {
    const index = this.lines.indexOf(line);
    line.remove();
    if (this.lines.length === 0) this.#append();
    this.#changed();
    this.announce(`Line ${index + 1} removed.`);
    const next = this.lines[index] ?? this.lines.at(-1);
    if (next) field(next, this.#options.firstField).focus();
  }

  #setCount(count: number): void {
    const wanted = Math.min(Math.max(count, 1), Number(this.#fieldset.dataset.max));
    while (this.lines.length < wanted) this.#append();
    for (const line of this.lines.slice(wanted)) line.remove();
    this.#changed();
  }

  #changed(): void {
    this.#renumber();
    this.#fieldset.dispatchEvent(new Event('input', { bubbles: true }));
  }

  #enhance(line: HTMLElement): void {
    const button = find(line, this.#options.remove);
    button.hidden = false;
    button.addEventListener('click', () => this.#remove(line));
    this.#options.enhance(line);
  }

  #renumber(): void {
    for (const [index, line] of this.lines.entries()) {
      line.setAttribute('aria-label', `Line ${index + 1}`);
      find(line, this.#options.remove).setAttribute('aria-label', `Remove line ${index + 1}`);
    }
    this.#addButton.hidden = this.lines.length >= Number(this.#fieldset.dataset.max);
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

/** The items that a path of the dashboard suggests for a text. */
export async function findItems(path: string, text: string, signal: AbortSignal): Promise<Item[]> {
  const response = await fetch(`${path}?${new URLSearchParams({ q: text })}`, { signal });
  // A redirect leads to the sign-in page: the session ended.
  return response.ok && !response.redirected ? ((await response.json()) as Item[]) : [];
}

/** The item whose name, former name or SKU the text is; undefined if there is none. */
export async function findNamed(path: string, text: string): Promise<Item | undefined> {
  const response = await fetch(`${path}?${new URLSearchParams({ named: text })}`);
  if (!response.ok || response.redirected) throw new Error(`the answer is ${response.status}`);
  const [found] = (await response.json()) as Item[];
  return found;
}

export function onHandOf({ onHand, unit }: Item): string {
  return `${formatQuantity(onHand)}${unit === null ? '' : ` ${unit}`} on hand`;
}

export function field(line: HTMLElement, name: string): HTMLInputElement {
  return find(line, `:is(input, select)[name$=".${name}"]`) as HTMLInputElement;
}

/** Fills in a field. If the person is in it, what they type next replaces the value. */
export function fillIn(input: HTMLInputElement, value: string): void {
  input.value = value;
  if (document.activeElement === input) input.select();
}
