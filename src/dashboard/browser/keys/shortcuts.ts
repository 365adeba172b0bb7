// Keys that lead to pages: n to the page's main action, g and a letter to a section, ? to this
// list. A person who types into a field is never interrupted.
/// <reference lib="dom" />

const SECTIONS: Readonly<Record<string, readonly [path: string, name: string]>> = {
  o: ['/', 'Overview'],
  i: ['/invoices', 'Invoices'],
  p: ['/payments', 'Payments'],
  c: ['/customers', 'Customers'],
  s: ['/inventory', 'Inventory (stock)'],
};
/** How long g waits for its letter. */
const PREFIX_MS = 1_500;

/** The sections are those of the navigation, which has what the person may see. */
export function enableShortcuts(): void {
  let prefixAt = Number.NEGATIVE_INFINITY;
  document.addEventListener('keydown', event => {
    const { key, timeStamp } = event;
    if (event.defaultPrevented || !isPlain(event) || document.querySelector('dialog[open]')) return;
    const isSection = timeStamp - prefixAt < PREFIX_MS;
    prefixAt = key === 'g' && !isSection ? timeStamp : Number.NEGATIVE_INFINITY;
    const target = isSection ? sectionLink(key) : key === 'n' ? mainAction() : null;
    if (target) {
      event.preventDefault();
      target.click();
    } else if (key === '?' && document.querySelector('nav')) {
      event.preventDefault();
      showList();
    }
  });
}

function isPlain({ target, altKey, ctrlKey, metaKey }: KeyboardEvent): boolean {
  const isTyping =
    target instanceof HTMLElement && target.matches('input, textarea, select, [contenteditable]');
  return !altKey && !ctrlKey && !metaKey && !isTyping;
}

function sectionLink(key: string): HTMLAnchorElement | null {
  const [path] = SECTIONS[key] ?? [];
  return path === undefined ? null : document.querySelector(`.nav-bar a[href="${path}"]`);
}

/** The first link of the head that is not quiet, such as New invoice. */
function mainAction(): HTMLAnchorElement | null {
  return document.querySelector('.page-head a.button:not(.quiet)');
}

function showList(): void {
  const dialog = document.createElement('dialog');
  dialog.className = 'shortcuts';
  dialog.setAttribute('aria-label', 'Keyboard shortcuts');
  const action = mainAction()?.textContent?.trim();
  const rows = [
    ...(action ? [['n', action] as const] : []),
    ...Object.entries(SECTIONS).flatMap(([key, [, name]]) =>
      sectionLink(key) ? [[`g ${key}`, name] as const] : [],
    ),
    ['/', 'Search'] as const,
    ['Ctrl Enter', 'Send the form'] as const,
    ['?', 'This list'] as const,
  ];
  const title = document.createElement('h2');
  title.textContent = 'Keyboard shortcuts';
  const list = document.createElement('dl');
  list.append(...rows.flatMap(([keys, name]) => [element('dt', keys), element('dd', name)]));
  const close = element('button', 'Close');
  close.className = 'button quiet';
  close.addEventListener('click', () => dialog.close());
  dialog.append(title, list, close);
  dialog.addEventListener('close', () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}

function element(tag: string, text: string): HTMLElement {
  const created = document.createElement(tag);
  created.textContent = text;
  return created;
}
