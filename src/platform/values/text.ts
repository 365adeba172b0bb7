// User text has a stored form (NFC, trimmed) and a compared form (NFKC, case folded). Both are
// computed here and never in SQL, so Postgres's locale does not decide which names are equal.

// Control characters, line and paragraph separators, lone surrogates, bidirectional embeddings,
// overrides and isolates (they can make an invoice display something else than it contains), and
// U+FFFD (a decoder's replacement for broken input).
const FORBIDDEN = /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\u202a-\u202e\u2066-\u2069\ufffd]/u;

/** NFC, NFKC and case folding leave these as they are, but for upper case. */
const PRINTABLE_ASCII = /^[ -~]*$/u;

/** The stored form: Unicode NFC without surrounding white space. */
export function cleanText(text: string): string {
  return PRINTABLE_ASCII.test(text) ? text.trim() : text.normalize('NFC').trim();
}

/** True if the text contains a character that every field refuses. */
export function hasForbiddenCharacter(text: string): boolean {
  return FORBIDDEN.test(text);
}

/**
 * A value of a body that is not validated yet, cleaned; null unless it is a text that a field of at
 * most `max` code points may accept.
 */
export function possibleText(value: unknown, max: number): string | null {
  if (typeof value !== 'string') return null;
  const clean = cleanText(value);
  // A code point has at most two code units.
  const isPossible = clean !== '' && clean.length <= 2 * max && !hasForbiddenCharacter(clean);
  return isPossible ? clean : null;
}

/** Length in code points, the unit of every length limit. */
export function codePointLength(text: string): number {
  if (PRINTABLE_ASCII.test(text)) return text.length;
  let length = 0;
  for (const _ of text) length += 1;
  return length;
}

/**
 * The form in which two names are compared: NFKC, trimmed, inner spaces collapsed, case folded.
 * Folding goes through upper case to lower case, so that ß, ẞ and SS are equal, as are ς and σ. The
 * dotless ı is left alone, as in Unicode's default folding (CaseFolding.txt): its upper case is I.
 */
export function matchKey(text: string): string {
  if (PRINTABLE_ASCII.test(text)) return text.trim().replace(/ {2,}/gu, ' ').toLowerCase();
  const spaced = text.normalize('NFKC').trim().replace(/\s+/gu, ' ');
  return spaced
    .replace(/[^ı]+/gu, part => part.toLowerCase().toUpperCase().toLowerCase())
    .normalize('NFKC');
}

/** Text of a file to show in a sentence: on one line and of limited length. */
export function shortened(text: string, length: number): string {
  const characters = [...text.replaceAll(/\p{Cc}+/gu, ' ')];
  return characters.length <= length
    ? characters.join('')
    : `${characters.slice(0, length).join('')}…`;
}
