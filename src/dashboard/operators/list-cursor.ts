// The cursor of an operators' list: the sort key of a page's last row, in the next page's URL.

/** The URL of a list, without the parameters that are empty. */
export function listUrl(path: string, parameters: Readonly<Record<string, string | null>>): string {
  const present = Object.entries(parameters).filter(
    (entry): entry is [string, string] => (entry[1] ?? '') !== '',
  );
  return present.length === 0 ? path : `${path}?${new URLSearchParams(present)}`;
}

export function formatCursor(cursor: readonly [string, string] | null): string | null {
  return cursor && JSON.stringify(cursor);
}

/** The cursor in the text; null if it is invalid, so that a mistyped URL shows the first page. */
export function parseCursor(
  text: string | null,
  isValid: (first: string, second: string) => boolean,
): [string, string] | null {
  try {
    const cursor: unknown = JSON.parse(text ?? 'null');
    const [first, second] = Array.isArray(cursor) ? cursor : [];
    // JSON spells NUL, which Postgres cannot store, without the character.
    const isText = (part: unknown) => typeof part === 'string' && !part.includes('\0');
    return isText(first) && isText(second) && isValid(first, second) ? [first, second] : null;
  } catch {
    return null;
  }
}
