// Suggests the known field that an unknown one was probably meant to be.

/** Longer names are not compared: the work grows with the square of the length. */
const MAX_LENGTH = 40;

/**
 * The known name that differs by case, punctuation or one typing error (a character too many,
 * missing, wrong or swapped with the next); undefined without one.
 */
export function closestField(name: string, known: readonly string[]): string | undefined {
  if (name.length > MAX_LENGTH) return undefined;
  const variants = new Set(variantsOf(name));
  return known.find(candidate => variantsOf(candidate).some(variant => variants.has(variant)));
}

/**
 * The name, and the name without each of its characters: a typing error leaves one of them equal.
 */
function variantsOf(name: string): string[] {
  const folded = name.toLowerCase().replace(/[^a-z0-9]/gu, '');
  const shorter = [...folded].map((_, index) => folded.slice(0, index) + folded.slice(index + 1));
  return [folded, ...shorter].filter(variant => variant.length > 1);
}
