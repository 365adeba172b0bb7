// A reading that several callers share.

/** Calls `read` at most once in `everyMs`; callers in between share its result. */
export function shared<Result>(
  everyMs: number,
  read: () => Promise<Result>,
): () => Promise<Result> {
  let latest: Promise<Result> | undefined;
  let isReading = false;
  let readAtMs = 0;
  return () => {
    const now = performance.now();
    if (latest && (isReading || now - readAtMs < everyMs)) return latest;
    isReading = true;
    readAtMs = now;
    latest = read().finally(() => {
      isReading = false;
    });
    return latest;
  };
}
