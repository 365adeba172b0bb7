// Buttons that copy the text beside them. Where the clipboard is closed to pages (plain http), the text is selected instead.
/// <reference lib="dom" />

const SHOWN_MS = 2_000;

for (const button of document.querySelectorAll<HTMLButtonElement>('button[data-copy]')) {
  const text = button.parentElement?.querySelector('.copyable-text');
  if (!text) continue;
  const label = button.firstChild;
  const said = label?.textContent ?? '';
  const say = (word: string): void => {
    if (!label) return;
    label.textContent = word;
    setTimeout(() => {
      label.textContent = said;
    }, SHOWN_MS);
  };
  button.hidden = false;
  button.setAttribute('aria-live', 'polite');
  button.addEventListener('click', () => {
    const select = (): void => {
      getSelection()?.selectAllChildren(text);
      say('Selected');
    };
    if (navigator.clipboard)
      navigator.clipboard.writeText(text.textContent ?? '').then(() => say('Copied'), select);
    else select();
  });
}

export {};
