// The button of a page that is for printing.
/// <reference lib="dom" />

for (const button of document.querySelectorAll<HTMLElement>('[data-print]')) {
  button.hidden = false;
  button.addEventListener('click', () => window.print());
}

export {};
