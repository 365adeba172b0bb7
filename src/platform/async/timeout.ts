// Time limits for calls that may hang.

/** The call did not answer in time. Whether it takes effect later is unknown. */
export class TimeoutError extends Error {}

/**
 * Settles like the promise, or rejects with TimeoutError after `timeoutMs`. A later rejection is
 * ignored. If an answer arrived in time but this process was too busy to read its socket, it
 * counts: sockets are read once more before the timeout is declared.
 */
export function withTimeout<Value>(timeoutMs: number, promise: Promise<Value>): Promise<Value> {
  return new Promise((resolve, reject) => {
    const giveUp = () => reject(new TimeoutError(`no answer within ${timeoutMs} ms`));
    const timer = setTimeout(() => setImmediate(giveUp), timeoutMs);
    promise.then(
      value => {
        clearTimeout(timer);
        resolve(value);
      },
      error => {
        clearTimeout(timer);
        reject(error);
      },
    );
  });
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
