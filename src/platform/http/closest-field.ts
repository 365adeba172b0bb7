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

/**
 * Edits from one text to the other: insert, delete or replace a character, or swap two adjacent
 * ones.
 */
function editDistance(a: string, b: string): number {
  const rows = Array.from({ length: a.length + 1 }, (_, i) =>
    Array.from({ length: b.length + 1 }, (_, j) => (i === 0 ? j : i)),
  );
  const at = (i: number, j: number) => rows[i]?.[j] ?? Number.POSITIVE_INFINITY;
  for (const [i, row] of rows.entries()) {
    for (let j = 1; i > 0 && j <= b.length; j += 1) {
      const replaced = at(i - 1, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const isSwap = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swapped = isSwap ? at(i - 2, j - 2) + 1 : replaced;
      row[j] = Math.min(replaced, swapped, at(i - 1, j) + 1, at(i, j - 1) + 1);
    }
  }
  return at(a.length, b.length);
}
