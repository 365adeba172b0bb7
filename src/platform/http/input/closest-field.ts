// Suggests the known field that an unknown one was probably meant to be.

/** One typo and some punctuation. Other names are not compared: a body may have many. */
const MAX_LENGTH_DIFFERENCE = 3;

/**
 * The known name that differs by case, punctuation or one typo (a character too many,
 * missing, wrong or swapped with the next); undefined without one.
 */
export function closestField(name: string, known: readonly string[]): string | undefined {
  const near = known.filter(
    candidate => Math.abs(candidate.length - name.length) <= MAX_LENGTH_DIFFERENCE,
  );
  if (near.length === 0) return undefined;
  const variants = new Set(variantsOf(name));
  return near.find(candidate => variantsOf(candidate).some(variant => variants.has(variant)));
}

/** The name, and the name without each of its characters: one of them survives a typo. */
function variantsOf(name: string): string[] {
  const folded = name.toLowerCase().replace(/[^a-z0-9]/gu, '');
  const shorter = [...folded].map((_, index) => folded.slice(0, index) + folded.slice(index + 1));
  return [folded, ...shorter].filter(variant => variant.length > 1);
}
