// The customer of the invoice form: offered while its name is typed. Its terms and tax replace
// those that the form suggested before, as the server does without this script.
/// <reference lib="dom" />
import type { OfferedCustomer, SuggestedTerms } from '../../invoices/form/suggest-customers.js';
import { Combobox } from '../combobox.js';
import { find } from '../find.js';

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
        this.#input.value = name;
        this.#input.dispatchEvent(new Event('input', { bubbles: true }));
        void this.#read();
      },
    });
    this.#input.addEventListener('change', () => void this.#read());
  }

  /** A slow response for an earlier name is ignored, and a failed one: the server looks again. */
  async #read(): Promise<void> {
    const name = this.#input.value;
    const terms = await readTerms(name).catch(() => null);
    if (terms === null || this.#input.value !== name) return;
    this.#show(terms);
    this.#options.changed(terms);
  }

  #show({ record }: SuggestedTerms): void {
    this.#note.hidden = record === null;
    this.#note.replaceChildren(...(record ? [linkTo(record.path, record.note)] : []));
    if (record) this.#options.announce(record.note);
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

function linkTo(path: string, text: string): HTMLElement {
  const link = document.createElement('a');
  link.href = path;
  link.textContent = text;
  return link;
}
