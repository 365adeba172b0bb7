// Pages that wait for background work: the page of a queued job reloads when its state changes,
// and the page of an import shows its progress until the import ends.
/// <reference lib="dom" />

const JOB_INTERVAL_MS = 1_000;
const IMPORT_INTERVAL_MS = 1_000;

interface ImportProgress {
  readonly status: string;
  readonly sentence: string;
  readonly value: number;
  readonly max: number;
}

const importPanel = document.querySelector<HTMLElement>('[data-progress]');
if (importPanel) setTimeout(pollImport, IMPORT_INTERVAL_MS, importPanel);
else setTimeout(pollJob, JOB_INTERVAL_MS);

async function pollJob(): Promise<void> {
  const response = await fetchQuietly(location.href, { redirect: 'manual' });
  const html = response?.ok ? await response.text() : '';
  const state = stateOf(new DOMParser().parseFromString(html, 'text/html'));
  // Scripts cannot read where a redirect leads. A reload follows it.
  if (response?.type === 'opaqueredirect' || (state && state !== stateOf(document)))
    location.reload();
  else setTimeout(pollJob, JOB_INTERVAL_MS);
}

function stateOf(page: Document): string | undefined {
  return page.querySelector<HTMLElement>('[data-state]')?.dataset.state;
}

async function pollImport(panel: HTMLElement): Promise<void> {
  const response = await fetchQuietly(panel.dataset.progress ?? '');
  // A redirect leads to the sign-in page: the session ended.
  if (response?.redirected) return location.reload();
  const progress = response?.ok ? ((await response.json()) as ImportProgress) : null;
  if (progress && progress.status !== 'queued') return location.reload();
  if (progress) showProgress(panel, progress);
  setTimeout(pollImport, IMPORT_INTERVAL_MS, panel);
}

function showProgress(panel: HTMLElement, { value, max, sentence }: ImportProgress): void {
  const bar = panel.querySelector('progress');
  const text = panel.querySelector('p');
  if (bar?.hasAttribute('value')) Object.assign(bar, { value, max });
  if (text && text.textContent !== sentence) text.textContent = sentence;
}

/** Null while the server is unreachable. The next poll tries again. */
function fetchQuietly(url: string, options?: RequestInit): Promise<Response | null> {
  return fetch(url, options).catch(() => null);
}

export {};
