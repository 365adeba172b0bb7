// Loaded by every page: forms are sent once, typed input is kept, copy and print buttons work, and
// keys lead to the search.
/// <reference lib="dom" />
import { keepEnterFromSending } from './keys/enter.js';
import { enableShortcuts } from './keys/shortcuts.js';
import { onStopped } from './typed/stopped.js';
import './typed/typed-copy.js';

keepEnterFromSending();
enableShortcuts();

const SENT = 'data-sent';
const COPY_FEEDBACK_MS = 2_000;

document.addEventListener('submit', event => {
  const form = event.target as HTMLFormElement;
  // A field named method, such as a payment's, replaces the form's property.
  if (form.getAttribute('method') !== 'post') return;
  // A preview opens in another tab, and its form is sent later.
  if (event.submitter?.getAttribute('formtarget') === '_blank') return;
  if (form.hasAttribute(SENT)) event.preventDefault();
  form.setAttribute(SENT, '');
});

// A page restored from the back-forward cache may send its form again, and so may a page that
// stayed because the person stopped the browser.
window.addEventListener('pageshow', allowSending);
onStopped(allowSending);

function allowSending(): void {
  for (const form of document.querySelectorAll(`form[${SENT}]`)) form.removeAttribute(SENT);
}

for (const button of document.querySelectorAll<HTMLButtonElement>('button[data-copy]'))
  enableCopy(button);

for (const button of document.querySelectorAll<HTMLElement>('[data-print]')) {
  button.hidden = false;
  button.addEventListener('click', () => window.print());
}

// A refused form has no control to focus if the page does not show the field of its error. Scripts
// run before the browser carries out autofocus.
if (document.activeElement === document.body && !document.querySelector('[autofocus]'))
  document.querySelector<HTMLElement>('[role="alert"]')?.focus();

/** Copies the text beside the button. Plain http has no clipboard: there the text is selected. */
function enableCopy(button: HTMLButtonElement): void {
  const text = button.parentElement?.querySelector('.copyable-text');
  const label = button.firstChild;
  if (!text || !label) return;
  const initialLabel = label.textContent;
  const showFeedback = (word: string): void => {
    label.textContent = word;
    setTimeout(() => {
      label.textContent = initialLabel;
    }, COPY_FEEDBACK_MS);
  };
  const select = (): void => {
    getSelection()?.selectAllChildren(text);
    showFeedback('Selected');
  };
  button.hidden = false;
  button.setAttribute('aria-live', 'polite');
  button.addEventListener('click', () => {
    if (!navigator.clipboard) select();
    else navigator.clipboard.writeText(text.textContent).then(() => showFeedback('Copied'), select);
  });
}

// A menu closes with Escape and with a click outside of it.
const menus = document.querySelectorAll<HTMLDetailsElement>('details:is(.menu, .popover)');
for (const menu of menus) {
  document.addEventListener('click', ({ target }) => {
    if (!menu.contains(target as Node)) menu.open = false;
  });
  menu.addEventListener('keydown', ({ key }) => {
    if (key !== 'Escape' || !menu.open) return;
    menu.open = false;
    menu.querySelector('summary')?.focus();
  });
}

// "/" and Ctrl K or Cmd K go to the search from anywhere but a field; Escape leaves its field. On a
// page without a session there is no search.
document.addEventListener('keydown', event => {
  const { key, target } = event;
  const field = document.querySelector<HTMLInputElement>('#search-everything');
  if (key === 'Escape' && target === field) field?.blur();
  if (event.defaultPrevented || !isShortcut(event) || isField(target)) return;
  if (!field) return;
  event.preventDefault();
  if (!field.checkVisibility()) {
    location.assign(field.form?.action ?? '/search');
    return;
  }
  field.focus();
  field.select();
});

function isShortcut({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): boolean {
  if (altKey) return false;
  // Some keyboards type "/" with Shift.
  if (key === '/') return !ctrlKey && !metaKey;
  return key.toLowerCase() === 'k' && (ctrlKey || metaKey) && !shiftKey;
}

function isField(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && target.matches('input, textarea, select, [contenteditable]')
  );
}
