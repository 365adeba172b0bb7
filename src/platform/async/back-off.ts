// Pauses before retries. They are random, so that clients that failed together do not return
// together.

/** A random time between half and one and a half times `ms`. */
export function jittered(ms: number): number {
  return ms * (0.5 + Math.random());
}

/** The pause after a failed attempt (counted from 0): doubles up to `maxMs`, then jittered. */
export function backOffMs(attempt: number, baseMs: number, maxMs: number): number {
  return jittered(Math.min(baseMs * 2 ** attempt, maxMs));
}
