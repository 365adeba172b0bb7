// Asking something that may hang.

/** What was asked has not answered within its time; whether it does later is not known. */
export class TimeoutError extends Error {}

/**
 * The promise's outcome, or a TooLateError after so many milliseconds; a late rejection is nobody's. An answer that came
 * in time and waits in a socket while this process was busy still counts: sockets are read once more before the verdict.
 */
export async function withTimeout<Value>(
  timeoutMs: number,
  promise: Promise<Value>,
): Promise<Value> {
  promise.catch(() => undefined);
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const giveUp = () => reject(new TimeoutError(`no answer within ${timeoutMs} ms`));
    timer = setTimeout(() => setImmediate(giveUp), timeoutMs);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** What the question finds, null where it fails or takes longer; a late answer is nobody's. */
export async function orNullAfter<Found>(
  timeoutMs: number,
  ask: () => Promise<Found>,
): Promise<Found | null> {
  try {
    return await withTimeout(timeoutMs, ask());
  } catch {
    return null;
  }
}
