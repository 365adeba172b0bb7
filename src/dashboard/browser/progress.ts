// Keeps the progress of an import up to date, and shows the whole page anew when it is over.
/// <reference lib="dom" />

const INTERVAL_MS = 500;

interface Progress {
  readonly status: string;
  readonly sentence: string;
  readonly value: number;
  readonly max: number;
}

const place = document.querySelector<HTMLElement>('[data-progress]');
if (place) setTimeout(look, INTERVAL_MS, place);

async function look(shown: HTMLElement): Promise<void> {
  // The server is away for a moment: the next look tells.
  const answer = await fetch(shown.dataset.progress ?? '').catch(() => null);
  const progress = answer?.ok && !answer.redirected ? ((await answer.json()) as Progress) : null;
  // Over, or signed out meanwhile.
  if (answer?.redirected || (progress && progress.status !== 'queued')) {
    location.reload();
    return;
  }
  if (progress) show(shown, progress);
  setTimeout(look, INTERVAL_MS, shown);
}

function show(shown: HTMLElement, { value, max, sentence }: Progress): void {
  const bar = shown.querySelector('progress');
  const text = shown.querySelector('p');
  if (bar?.hasAttribute('value')) Object.assign(bar, { value, max });
  if (text && text.textContent !== sentence) text.textContent = sentence;
}

export {};
