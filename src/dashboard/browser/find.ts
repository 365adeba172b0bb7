// Elements that the server's page always has.
/// <reference lib="dom" />

/** The first element that matches. Throws if there is none. */
export function find(parent: ParentNode, selector: string): HTMLElement {
  const found = parent.querySelector<HTMLElement>(selector);
  if (!found) throw new Error(`the form has no ${selector}`);
  return found;
}
