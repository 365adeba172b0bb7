// A form is sent once, however often its button is pressed. A page taken out of the browser's back cache may send again.
/// <reference lib="dom" />

const SENT = 'data-sent';

document.addEventListener('submit', event => {
  const form = event.target as HTMLFormElement;
  if (form.method !== 'post') return;
  if (form.hasAttribute(SENT)) event.preventDefault();
  form.setAttribute(SENT, '');
});

window.addEventListener('pageshow', () => {
  for (const form of document.querySelectorAll(`form[${SENT}]`)) form.removeAttribute(SENT);
});

export {};
