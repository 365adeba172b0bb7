// Text as people type it: what is stored (NFC, trimmed) and what is compared (NFKC, folded). Both are done here and
// never in SQL, so Postgres's locale has no say in whether two names are the same.

// Never text: control characters, line and paragraph separators, lone surrogates, bidirectional embeddings, overrides and
// isolates (they make an invoice read differently from what it says), U+FFFD (what a decoder leaves of broken input).
const FORBIDDEN = /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\u202a-\u202e\u2066-\u2069\ufffd]/u;

/** Stored form: Unicode NFC, white space at the ends removed. */
export function cleanText(text: string): string {
  return text.normalize('NFC').trim();
}

/** True where text has a character that is refused everywhere. */
export function hasForbiddenCharacter(text: string): boolean {
  return FORBIDDEN.test(text);
}

/** Length in code points, which is how every limit in the contract counts. */
export function codePointLength(text: string): number {
  let length = 0;
  for (const _ of text) length += 1;
  return length;
}

/**
 * The form in which names are the same: NFKC, trimmed, inner spaces collapsed, case folded. Folding goes to lower case
 * by way of upper case, so that ß, ẞ and SS, or ς and σ, meet. Not so ı, whose upper case is that of i: Unicode's default
 * folding (CaseFolding.txt) keeps it.
 */
export function matchKey(text: string): string {
  const spaced = text.normalize('NFKC').trim().replace(/\s+/gu, ' ');
  return spaced
    .replace(/[^ı]+/gu, part => part.toLowerCase().toUpperCase().toLowerCase())
    .normalize('NFKC');
}
