// Where a page of an operators' list ends, in the address of the next one.

/** The address of a list with its parameters, without those that are empty. */
export function listAddress(
  path: string,
  parameters: Readonly<Record<string, string | null>>,
): string {
  const given = Object.entries(parameters).filter(
    (entry): entry is [string, string] => (entry[1] ?? '') !== '',
  );
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given)}`;
}

/** The place as one text. */
export function placeText(place: readonly [string, string] | null): string | null {
  return place && JSON.stringify(place);
}

/** The place that `placeText` made, else null: a mistyped address shows the first page. */
export function readPlace(
  text: string | null,
  isPlace: (first: string, second: string) => boolean,
): [string, string] | null {
  try {
    const place: unknown = JSON.parse(text ?? 'null');
    const [first, second] = Array.isArray(place) ? place : [];
    return typeof first === 'string' && typeof second === 'string' && isPlace(first, second)
      ? [first, second]
      : null;
  } catch {
    return null;
  }
}
