// The Prefer header (RFC 7240): how long a request waits for its write.
const DEFAULT_WAIT_SECONDS = 10;
const MAX_WAIT_SECONDS = 30;

export interface Preference {
  readonly respondAsync: boolean;
  readonly waitMs: number;
  /** The value of Preference-Applied; undefined without a preference. */
  readonly applied: string | undefined;
}

const NO_PREFERENCE: Preference = {
  respondAsync: false,
  waitMs: DEFAULT_WAIT_SECONDS * 1000,
  applied: undefined,
};

/** Reads `respond-async` and `wait=N`. Ignores everything else, as the RFC requires. */
export function readPreference(header: string): Preference {
  if (header === '') return NO_PREFERENCE;
  const parts = header
    .toLowerCase()
    .split(',')
    .map(part => part.split(';')[0]?.trim() ?? '');
  if (parts.includes('respond-async'))
    return { respondAsync: true, waitMs: 0, applied: 'respond-async' };
  const wait = parts
    .map(part => /^wait\s*=\s*"?(\d+)"?$/u.exec(part)?.[1])
    .find(seconds => seconds !== undefined);
  if (wait === undefined) return NO_PREFERENCE;
  const seconds = Math.min(Number(wait), MAX_WAIT_SECONDS);
  return { respondAsync: false, waitMs: seconds * 1000, applied: `wait=${seconds}` };
}
