// Elements and data that the server's page always has.
/// <reference lib="dom" />
import type { DecimalMark } from '../../platform/values/csv.js';

/** The first element that matches. Throws if there is none. */
export function find(parent: ParentNode, selector: string): HTMLElement {
  const found = parent.querySelector<HTMLElement>(selector);
  if (!found) throw new Error(`the form has no ${selector}`);
  return found;
}

/** True if a person typed into the field and left it before the script of its form had loaded. */
export function wasLeft(input: HTMLInputElement): boolean {
  return input.value !== input.defaultValue && document.activeElement !== input;
}

/** The decimal separator of the company, by which typed numbers are read. */
export function ownDecimalMark(): DecimalMark {
  return document.body.dataset.decimalMark === ',' ? ',' : '.';
}
