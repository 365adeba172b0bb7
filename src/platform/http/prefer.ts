// The Prefer header (RFC 7240): how long a write may be waited for.
const DEFAULT_WAIT_SECONDS = 10;
const MAX_WAIT_SECONDS = 30;

export interface Preference {
  readonly respondAsync: boolean;
  readonly waitMs: number;
  /** What Preference-Applied says; undefined where nothing was preferred. */
  readonly applied: string | undefined;
}

/** Reads `respond-async` and `wait=N`; what is not understood is ignored, as the RFC has it. */
export function readPreference(header: string): Preference {
  const parts = header
    .toLowerCase()
    .split(',')
    .map(part => part.split(';')[0]?.trim() ?? '');
  if (parts.includes('respond-async'))
    return { respondAsync: true, waitMs: 0, applied: 'respond-async' };
  const wait = parts
    .map(part => /^wait\s*=\s*"?(\d+)"?$/u.exec(part)?.[1])
    .find(seconds => seconds !== undefined);
  if (wait === undefined)
    return { respondAsync: false, waitMs: DEFAULT_WAIT_SECONDS * 1000, applied: undefined };
  const seconds = Math.min(Number(wait), MAX_WAIT_SECONDS);
  return { respondAsync: false, waitMs: seconds * 1000, applied: `wait=${seconds}` };
}
