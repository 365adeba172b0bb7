// The customer of the invoice form: offered while it is typed, and found by its name, another name
// or its number when the field is left. Its terms and tax replace those that the form suggested
// before, as the server does without this script.
/// <reference lib="dom" />
import type { OfferedCustomer, SuggestedTerms } from '../../invoices/form/suggest-customers.js';
import { Combobox } from '../combobox.js';
import { find, wasLeft } from '../find.js';
import { focusNext } from '../keys/enter.js';

const CUSTOMERS = '/invoices/customers';

interface CustomerOptions {
  readonly announce: (sentence: string) => void;
  /** Called with the terms of the customer whose name the field has now. */
  readonly changed: (terms: SuggestedTerms) => void;
}

export class InvoiceCustomer {
  readonly #input: HTMLInputElement;
  readonly #note: HTMLElement;
  readonly #options: CustomerOptions;

  constructor(form: HTMLElement, options: CustomerOptions) {
    this.#input = find(form, 'input[name=customerName]') as HTMLInputElement;
    this.#note = find(form, '[data-customer-note]');
    this.#options = options;
    new Combobox<OfferedCustomer>(this.#input, {
      search: searchCustomers,
      describe: ({ name, details }) => [name, details],
      announce: options.announce,
      takesFirst: false,
      choose: ({ name }) => {
        this.#take(name);
        focusNext(this.#input.form as HTMLFormElement, this.#input);
      },
    });
    this.#input.addEventListener('change', () => void this.#read());
    if (wasLeft(this.#input)) void this.#read();
    // The near names of a new one are buttons, which also work without this script.
    this.#note.addEventListener('click', event => {
      const name = (event.target as Element).closest<HTMLElement>('[data-use-name]')?.dataset
        .useName;
      if (name === undefined) return;
      event.preventDefault();
      this.#take(name);
      this.#input.focus();
    });
  }

  #take(name: string): void {
    this.#input.value = name;
    void this.#read();
  }

  /**
   * Replaces a number or another name by the name of the record. A slow response for an earlier
   * text is ignored, and a failed one: the server looks again.
   */
  async #read(): Promise<void> {
    const text = this.#input.value;
    const terms = await readTerms(text).catch(() => null);
    if (terms === null || this.#input.value !== text) return;
    if (terms.name !== '') this.#input.value = terms.name;
    // The server renders the note, and escapes its texts.
    this.#note.innerHTML = terms.note;
    if (terms.note !== '') this.#options.announce(this.#note.textContent ?? '');
    this.#options.changed(terms);
  }
}

async function searchCustomers(text: string, signal: AbortSignal): Promise<OfferedCustomer[]> {
  const response = await fetch(`${CUSTOMERS}?${new URLSearchParams({ q: text })}`, { signal });
  // A redirect leads to the sign-in page: the session ended.
  return response.ok && !response.redirected ? ((await response.json()) as OfferedCustomer[]) : [];
}

async function readTerms(name: string): Promise<SuggestedTerms | null> {
  const response = await fetch(`${CUSTOMERS}?${new URLSearchParams({ named: name })}`);
  return response.ok && !response.redirected ? ((await response.json()) as SuggestedTerms) : null;
}
