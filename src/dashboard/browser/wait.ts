// On a page that waits for something: looks every second whether the page leads on by now, and then goes there.
/// <reference lib="dom" />

const INTERVAL_MS = 1_000;

async function look(): Promise<void> {
  // The server is away for a moment: the next look tells.
  const answer = await fetch(location.href, { redirect: 'manual' }).catch(() => null);
  const html = answer?.ok ? await answer.text() : '';
  // A redirect cannot be read, only followed; and the state may change without one.
  const state = new DOMParser()
    .parseFromString(html, 'text/html')
    .querySelector<HTMLElement>('[data-state]');
  const shown = document.querySelector<HTMLElement>('[data-state]')?.dataset.state;
  if (answer?.type === 'opaqueredirect' || (state && state.dataset.state !== shown))
    location.reload();
  else setTimeout(look, INTERVAL_MS);
}

setTimeout(look, INTERVAL_MS);

export {};
