// Whether one text is probably another one with a typing error.

/** Texts below this length have no typing errors, only other meanings. */
const MIN_LENGTH = 4;
const LONG = 8;

/** The typing errors that a text of this length may have. */
export function errorsIn(length: number): number {
  if (length < MIN_LENGTH) return 0;
  return length < LONG ? 1 : 2;
}

/**
 * How far two folded texts are apart: typing errors, or 3 if one has the other within it. Null if
 * they mean different things, like texts with different digits.
 */
export function distanceOf(typed: string, known: string): number | null {
  const digits = (text: string) => text.replaceAll(/\D/gu, '');
  if (typed.length < MIN_LENGTH || digits(typed) !== digits(known)) return null;
  const errors = typingErrors([...typed], [...known]);
  if (errors <= errorsIn(typed.length)) return errors;
  const [short, long] = typed.length < known.length ? [typed, known] : [known, typed];
  return short.length >= MIN_LENGTH && ` ${long} `.includes(` ${short} `) ? WITHIN : null;
}
const WITHIN = 3;

/** Letters to add, to leave out, to replace or to swap with the next one. */
function typingErrors(a: readonly string[], b: readonly string[]): number {
  let [before, row]: [number[], number[]] = [[], [...b.keys(), b.length]];
  for (const [at, letter] of a.entries()) {
    const next = [at + 1];
    for (const [to, other] of b.entries()) {
      const same = letter === other ? 0 : 1;
      const isSwap = at > 0 && to > 0 && letter === b[to - 1] && a[at - 1] === other;
      const swapped = isSwap ? (before[to - 1] ?? 0) + 1 : Number.POSITIVE_INFINITY;
      const changed = (row[to] ?? 0) + same;
      next.push(Math.min(changed, (row[to + 1] ?? 0) + 1, (next[to] ?? 0) + 1, swapped));
    }
    [before, row] = [row, next];
  }
  return row.at(-1) ?? 0;
}

/** Parts of a text, at least one of which a text with so few errors has, too. */
export function partsOf(text: string): string[] {
  const letters = [...text];
  const count = errorsIn(letters.length) + 1;
  const size = Math.ceil(letters.length / count);
  return Array.from({ length: count }, (_, index) =>
    letters.slice(index * size, (index + 1) * size).join(''),
  ).filter(part => part !== '');
}
