// A text field with a list of suggestions, after the ARIA pattern "editable combobox with list
// autocomplete". Arrow keys move, Enter chooses and Escape closes. Free text stays as typed.
/// <reference lib="dom" />

const DEBOUNCE_MS = 120;

export interface ComboboxOptions<Suggestion> {
  /** Returns the suggestions for a text. May reject; an aborted search has no effect. */
  readonly search: (text: string, signal: AbortSignal) => Promise<readonly Suggestion[]>;
  /** The texts of an option: its name and the details that set it apart. */
  readonly describe: (suggestion: Suggestion) => readonly [name: string, details: string];
  readonly choose: (suggestion: Suggestion) => void;
  /** False if Enter without an active suggestion is the form's. By default it takes the first. */
  readonly takesFirst?: boolean;
  /** Announces a sentence to screen readers. */
  readonly announce: (sentence: string) => void;
}

/** Either closed, or open with `suggestions` listed and at most one of them active. */
export class Combobox<Suggestion> {
  readonly #input: HTMLInputElement;
  readonly #list: HTMLElement;
  readonly #options: ComboboxOptions<Suggestion>;
  #suggestions: readonly Suggestion[] = [];
  /** Index of the active suggestion, -1 for none. */
  #active = -1;
  #debounce: ReturnType<typeof setTimeout> | undefined;
  #search = new AbortController();

  constructor(input: HTMLInputElement, options: ComboboxOptions<Suggestion>) {
    this.#input = input;
    this.#list = insertList(input);
    this.#options = options;
    input.addEventListener('input', () => this.#onInput());
    input.addEventListener('blur', () => this.close());
    input.addEventListener('keydown', event => this.#onKey(event));
    // A press must not blur the field: that would close the list before the click.
    this.#list.addEventListener('mousedown', event => event.preventDefault());
    this.#list.addEventListener('click', event => {
      const option = (event.target as Element).closest('[role=option]');
      if (option) this.#choose([...this.#list.children].indexOf(option));
    });
    // The person may have begun to type before this script had loaded.
    if (input.value !== input.defaultValue) this.#onInput();
  }

  #onInput(): void {
    clearTimeout(this.#debounce);
    // A script may have filled in a field that the person is not in.
    const isTyped = document.activeElement === this.#input;
    if (this.#input.value.trim() === '' || !isTyped) this.close();
    else this.#debounce = setTimeout(() => this.#open(), DEBOUNCE_MS);
  }

  #onKey(event: KeyboardEvent): void {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step !== 0) {
      event.preventDefault();
      if (this.#list.hidden) void this.#open();
      else this.#move(step);
    } else if (this.#list.hidden) return;
    else if (event.key === 'Escape') this.close();
    else if (event.key === 'Enter' && (this.#active >= 0 || this.#options.takesFirst !== false)) {
      event.preventDefault();
      this.#choose(Math.max(this.#active, 0));
    }
  }

  /** The first suggestion, while the list is open. */
  get first(): Suggestion | undefined {
    return this.#list.hidden ? undefined : this.#suggestions[0];
  }

  async #open(): Promise<void> {
    const { search, describe, announce } = this.#options;
    this.#search.abort();
    this.#search = new AbortController();
    const { signal } = this.#search;
    const found = await search(this.#input.value.trim(), signal).catch(() => null);
    if (signal.aborted || found === null) return;
    this.#suggestions = found;
    this.#list.replaceChildren(
      ...found.map((suggestion, index) =>
        createOption(this.#optionId(index), describe(suggestion)),
      ),
    );
    this.#list.hidden = found.length === 0;
    this.#input.setAttribute('aria-expanded', String(found.length > 0));
    this.#activate(-1);
    const count = found.length === 1 ? '1 suggestion.' : `${found.length} suggestions.`;
    announce(found.length === 0 ? 'No suggestions.' : count);
  }

  close(): void {
    clearTimeout(this.#debounce);
    this.#search.abort();
    this.#list.hidden = true;
    this.#input.setAttribute('aria-expanded', 'false');
    this.#activate(-1);
  }

  /** Activates the next or previous suggestion, wrapping around at both ends. */
  #move(step: 1 | -1): void {
    const { length } = this.#suggestions;
    const from = this.#active < 0 && step < 0 ? 0 : this.#active;
    this.#activate((from + step + length) % length);
  }

  #activate(active: number): void {
    this.#active = active;
    for (const [index, option] of [...this.#list.children].entries()) {
      option.setAttribute('aria-selected', String(index === active));
      if (index === active) option.scrollIntoView({ block: 'nearest' });
    }
    if (active < 0) this.#input.removeAttribute('aria-activedescendant');
    else this.#input.setAttribute('aria-activedescendant', this.#optionId(active));
  }

  #choose(index: number): void {
    const suggestion = this.#suggestions[index];
    this.close();
    if (suggestion !== undefined) this.#options.choose(suggestion);
  }

  #optionId(index: number): string {
    return `${this.#list.id}-${index}`;
  }
}

/** Adds the hidden list after its field and links the two for screen readers. */
function insertList(input: HTMLInputElement): HTMLElement {
  const list = document.createElement('ul');
  list.id = `${input.id}-list`;
  list.className = 'suggestions';
  list.hidden = true;
  // Browsers let Tab stop at a list that scrolls.
  list.tabIndex = -1;
  list.setAttribute('role', 'listbox');
  list.setAttribute('aria-label', 'Suggestions');
  input.after(list);
  input.setAttribute('role', 'combobox');
  input.setAttribute('aria-autocomplete', 'list');
  input.setAttribute('aria-expanded', 'false');
  input.setAttribute('aria-controls', list.id);
  return list;
}

function createOption(id: string, [name, details]: readonly [string, string]): HTMLElement {
  const option = document.createElement('li');
  option.id = id;
  option.setAttribute('role', 'option');
  option.setAttribute('aria-selected', 'false');
  const note = document.createElement('span');
  note.className = 'note';
  note.textContent = details;
  option.append(name, ' ', note);
  return option;
}
