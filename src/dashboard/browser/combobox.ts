// A text field with suggestions under it, after the ARIA pattern "editable combobox with list autocomplete": arrows move,
// Enter takes, Escape closes, and whatever else is typed stays as it is.
/// <reference lib="dom" />

const DEBOUNCE_MS = 120;

export interface ComboboxParts<Suggestion> {
  /** What fits the text. Rejects, or is aborted, without harm. */
  readonly find: (text: string, signal: AbortSignal) => Promise<readonly Suggestion[]>;
  /** The words of an option: its name, and what tells it from others. */
  readonly show: (suggestion: Suggestion) => readonly [name: string, note: string];
  readonly take: (suggestion: Suggestion) => void;
  /** Tells who does not see the list. */
  readonly say: (sentence: string) => void;
}

export function makeCombobox<Suggestion>(
  input: HTMLInputElement,
  parts: ComboboxParts<Suggestion>,
): void {
  const list = listUnder(input);
  let suggestions: readonly Suggestion[] = [];
  let active = -1;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let search = new AbortController();

  const point = (index: number): void => {
    active = index;
    for (const [at, option] of [...list.children].entries()) {
      option.setAttribute('aria-selected', String(at === index));
      if (at === index) option.scrollIntoView({ block: 'nearest' });
    }
    if (index < 0) input.removeAttribute('aria-activedescendant');
    else input.setAttribute('aria-activedescendant', `${list.id}-${index}`);
  };
  const close = (): void => {
    clearTimeout(timer);
    search.abort();
    list.hidden = true;
    input.setAttribute('aria-expanded', 'false');
    point(-1);
  };
  const take = (index: number): void => {
    const taken = suggestions[index];
    close();
    if (taken !== undefined) parts.take(taken);
  };
  const open = async (): Promise<void> => {
    search.abort();
    search = new AbortController();
    const { signal } = search;
    const found = await parts.find(input.value.trim(), signal).catch(() => null);
    if (signal.aborted || found === null) return;
    suggestions = found;
    list.replaceChildren(
      ...found.map((suggestion, index) => optionOf(`${list.id}-${index}`, parts.show(suggestion))),
    );
    list.hidden = found.length === 0;
    input.setAttribute('aria-expanded', String(found.length > 0));
    point(-1);
    parts.say(found.length === 0 ? 'No stock item fits.' : `${found.length} suggestions.`);
  };

  input.addEventListener('input', () => {
    clearTimeout(timer);
    if (input.value.trim() === '') close();
    else timer = setTimeout(open, DEBOUNCE_MS);
  });
  input.addEventListener('blur', close);
  input.addEventListener('keydown', event => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step !== 0) {
      event.preventDefault();
      if (list.hidden) void open();
      else
        point(
          active < 0 && step < 0
            ? suggestions.length - 1
            : (active + step + suggestions.length) % suggestions.length,
        );
    } else if (list.hidden) return;
    else if (event.key === 'Escape') close();
    else if (event.key === 'Enter') {
      event.preventDefault();
      take(active);
    }
  });
  // Before the field loses the focus, which would close the list under the pointer.
  list.addEventListener('mousedown', event => event.preventDefault());
  list.addEventListener('click', event => {
    const option = (event.target as Element).closest('[role=option]');
    if (option) take([...list.children].indexOf(option));
  });
}

/** The list for the suggestions, tied to its field. */
function listUnder(input: HTMLInputElement): HTMLElement {
  const list = document.createElement('ul');
  list.id = `${input.id}-list`;
  list.className = 'suggestions';
  list.hidden = true;
  list.setAttribute('role', 'listbox');
  list.setAttribute('aria-label', 'Suggestions');
  input.after(list);
  const roles = {
    role: 'combobox',
    'aria-autocomplete': 'list',
    'aria-expanded': 'false',
    'aria-controls': list.id,
  };
  for (const [name, value] of Object.entries(roles)) input.setAttribute(name, value);
  return list;
}

function optionOf(id: string, [name, note]: readonly [string, string]): HTMLElement {
  const option = document.createElement('li');
  option.id = id;
  option.setAttribute('role', 'option');
  option.setAttribute('aria-selected', 'false');
  const words = document.createElement('span');
  words.textContent = name;
  const about = document.createElement('span');
  about.className = 'note';
  about.textContent = note;
  option.append(words, ' ', about);
  return option;
}
