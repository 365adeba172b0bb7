// Time limits for calls that may hang.

/** The call did not answer in time. Whether it takes effect later is unknown. */
export class TimeoutError extends Error {}

/**
 * Settles like the promise, or rejects with TimeoutError after `timeoutMs`. A later rejection is
 * ignored. If an answer arrived in time but this process was too busy to read its socket, it
 * counts: sockets are read once more before the timeout is declared.
 */
export async function withTimeout<Value>(
  timeoutMs: number,
  promise: Promise<Value>,
): Promise<Value> {
  promise.catch(() => undefined);
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    const giveUp = () => reject(new TimeoutError(`no answer within ${timeoutMs} ms`));
    timer = setTimeout(() => setImmediate(giveUp), timeoutMs);
  });
  try {
    return await Promise.race([promise, timeout]);
  } finally {
    clearTimeout(timer);
  }
}

/** Resolves to the call's result, or to null if it fails or takes longer than `timeoutMs`. */
export async function orNullAfter<Result>(
  timeoutMs: number,
  call: () => Promise<Result>,
): Promise<Result | null> {
  try {
    return await withTimeout(timeoutMs, call());
  } catch {
    return null;
  }
}
