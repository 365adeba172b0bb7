// How long to wait before trying again. Never the same for everybody: what failed together would come back together.

/** Half of it to one and a half of it, at random. */
export function jittered(ms: number): number {
  return ms * (0.5 + Math.random());
}

/** The pause after the given failed attempt (from 0 on): doubles up to `maxMs`, then jittered. */
export function backOffMs(attempt: number, baseMs: number, maxMs: number): number {
  return jittered(Math.min(baseMs * 2 ** attempt, maxMs));
}
