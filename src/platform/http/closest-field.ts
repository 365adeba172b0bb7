// Suggests the known name that an unknown one was probably meant to be.

/** Longer names are not compared: the work grows with the product of the lengths. */
const MAX_LENGTH = 40;
const SHORT_NAME = 5;

/**
 * The known name within two edits (one for a short name), whatever its case; undefined without one.
 */
export function closestField(name: string, known: readonly string[]): string | undefined {
  if (name.length > MAX_LENGTH) return undefined;
  return known.find(candidate => {
    const allowed = candidate.length <= SHORT_NAME ? 1 : 2;
    return (
      Math.abs(candidate.length - name.length) <= allowed &&
      editDistance(name.toLowerCase(), candidate.toLowerCase()) <= allowed
    );
  });
}

/** The Levenshtein distance: insertions, deletions and substitutions. */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (const [i, char] of [...a].entries()) {
    const next = [i + 1];
    for (let j = 0; j < b.length; j += 1) {
      const substitution = (row[j] ?? 0) + (char === b[j] ? 0 : 1);
      next.push(Math.min(substitution, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
