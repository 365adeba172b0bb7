// Seeded randomness: the seed alone decides every draw of a run, so a failed run can be repeated. The
// invoices and payments that a draw picks from are those that were answered by then.

export interface Random {
  /** In [0, 1). */
  next(): number;
  /** A whole number in [from, to]. */
  between(from: number, to: number): number;
  pick<Value>(values: readonly Value[]): Value;
  shuffle<Value>(values: readonly Value[]): Value[];
  /** An independent generator: the numbers that one part draws do not shift another's. */
  fork(name: string): Random;
}

/** Mulberry32 over a hash of seed and name. */
export function createRandom(seed: number, name = ''): Random {
  let state =
    [...name].reduce(
      (hash, char) => Math.imul(hash ^ char.charCodeAt(0), 16_777_619),
      seed ^ 0x811c9dc5,
    ) >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const between = (from: number, to: number): number => from + Math.floor(next() * (to - from + 1));
  return {
    next,
    between,
    shuffle: values =>
      values
        .map(value => ({ value, at: next() }))
        .sort((a, b) => a.at - b.at)
        .map(({ value }) => value),
    pick: values => values[between(0, values.length - 1)] as (typeof values)[number],
    fork: child => createRandom(seed, `${name}/${child}`),
  };
}
