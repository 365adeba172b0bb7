// Asking something that may hang.

/** What the question finds, null where it fails or takes longer; a late answer is nobody's. */
export async function inTime<Found>(timeoutMs: number, ask: () => Promise<Found>): Promise<Found | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>(resolve => {
    timer = setTimeout(() => resolve(null), timeoutMs);
  });
  try {
    return await Promise.race([ask(), late]);
  } catch {
    return null;
  } finally {
    clearTimeout(timer);
  }
}
