// Work on long lists, divided into steps of bounded size.

/** The list in parts of `size`; the last one may be shorter. */
export function* stepsOf<Value>(list: readonly Value[], size: number): Generator<Value[]> {
  for (let start = 0; start < list.length; start += size) yield list.slice(start, start + size);
}
