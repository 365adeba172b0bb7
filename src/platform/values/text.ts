// User text has a stored form (NFC, trimmed) and a compared form (NFKC, case folded). Both are
// computed here and not in SQL, so Postgres's locale does not decide which names are equal.
// Unicode's default-ignorable characters are invisible: neither form ends with them, and the
// compared form has none, as in Unicode's own NFKC_Casefold.

// Control characters, line and paragraph separators, lone surrogates, bidirectional embeddings,
// overrides and isolates (they can make an invoice display something else than it contains), and
// U+FFFD (a decoder's replacement for broken input).
const FORBIDDEN = /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\u202a-\u202e\u2066-\u2069\ufffd]/u;

/** NFC, NFKC and case folding leave these as they are, but for upper case. */
const PRINTABLE_ASCII = /^[ -~]*$/u;

/** Zero-width space and joiners, soft hyphen, direction marks, variation selectors, fillers. */
const IGNORABLE = /\p{Default_Ignorable_Code_Point}+/gu;
const BLANK = /^[\s\p{Default_Ignorable_Code_Point}]$/u;
const VISIBLE = /[^\s\p{Default_Ignorable_Code_Point}]/u;

/** Marks in a row that are put in order. */
const MAX_MARKS = 1_000;
const MARKS = /\p{M}+/gu;

/**
 * The normal form. A text with more marks in a row than any name or password has stays as it is:
 * putting them in order takes quadratic time, minutes for those of one request.
 */
export function normalized(text: string, form: 'NFC' | 'NFKC'): string {
  if (text.length > MAX_MARKS)
    for (const [marks] of text.matchAll(MARKS)) if (marks.length > MAX_MARKS) return text;
  return text.normalize(form);
}

/**
 * The stored form of names and notes: Unicode NFC, without white space and ignorable characters at
 * its ends. Inside they stay, because joiners belong to emoji, to Persian and to Hindi.
 */
export function cleanText(text: string): string {
  return PRINTABLE_ASCII.test(text) ? text.trim() : trimmed(normalized(text, 'NFC'));
}

/**
 * The stored form of SKUs, numbers, references, external ids, e-mail addresses, phones and tax ids,
 * and of texts that are only compared: as `cleanText`, without any ignorable character.
 */
export function cleanCode(text: string): string {
  if (PRINTABLE_ASCII.test(text)) return text.trim();
  const visible = text.replace(IGNORABLE, '');
  if (visible !== text && kept.size > 0) {
    const former = normalized(text, 'NFC').trim();
    if (kept.has(former)) return former;
  }
  return normalized(visible, 'NFC').trim();
}

/** The code by which a stored one is found. One without anything visible stays as it is. */
export function codeKey(code: string): string {
  return cleanCode(code) || code;
}

/** Keys and codes with ignorable characters that stay as they are (companies/kept-keys.ts). */
let kept: ReadonlySet<string> = new Set();

export function keepKeys(keys: Iterable<string>): void {
  kept = new Set(keys);
}

/** Linear, unlike a regular expression that ends with $. */
function trimmed(text: string): string {
  const start = text.search(VISIBLE);
  if (start < 0) return '';
  let end = text.length;
  for (;;) {
    const last = text.codePointAt(end - 2) ?? 0;
    const from = last > 0xffff ? end - 2 : end - 1;
    if (!BLANK.test(text.slice(from, end))) return text.slice(start, end);
    end = from;
  }
}

/** True if the text contains a character that every field refuses. */
export function hasForbiddenCharacter(text: string): boolean {
  return FORBIDDEN.test(text);
}

/**
 * A value of a body that is not validated yet, cleaned; null unless it is a text that a field of at
 * most `max` code points may accept.
 */
export function possibleText(value: unknown, max: number, cleaned = cleanText): string | null {
  if (typeof value !== 'string') return null;
  const clean = cleaned(value);
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

/** A `possibleText` that is a code. */
export function possibleCode(value: unknown, max: number): string | null {
  return possibleText(value, max, cleanCode);
}

/**
 * The form in which two texts are compared: NFKC without ignorable characters, trimmed, inner
 * spaces collapsed, case folded. Folding goes through upper case to lower case, so that ß, ẞ and SS
 * are equal, as are ς and σ. The dotless ı is left alone, as in Unicode's default folding
 * (CaseFolding.txt): its upper case is I.
 */
export function matchKey(text: string): string {
  if (PRINTABLE_ASCII.test(text)) return text.trim().replace(/ {2,}/gu, ' ').toLowerCase();
  const normal = normalized(text, 'NFKC');
  const visible = normal.replace(IGNORABLE, '');
  if (visible === normal) return fold(normal);
  const former = fold(normal);
  // A text of nothing that is visible is from before such texts were refused.
  return kept.has(former) ? former : fold(normalized(visible, 'NFKC')) || former;
}

/** The key of a text without ignorable characters, also if the text keeps its former key. */
export function visibleKey(text: string): string {
  const key = matchKey(text);
  if (PRINTABLE_ASCII.test(key)) return key;
  return fold(normalized(key.replace(IGNORABLE, ''), 'NFKC')) || key;
}

/** Whether a stored key is that of a text, now or before ignorable characters were ignored. */
export function isKeyOf(stored: string | null | undefined, text: string): boolean {
  return stored === matchKey(text) || stored === fold(normalized(text, 'NFKC'));
}

function fold(normal: string): string {
  const folded = normal
    .trim()
    .replace(/\s+/gu, ' ')
    .replace(/[^ı]+/gu, part => part.toLowerCase().toUpperCase().toLowerCase());
  return normalized(folded, 'NFKC');
}

/** Text of a file to show in a sentence: on one line and of limited length. */
export function shortened(text: string, length: number): string {
  const characters = [...text.replaceAll(/\p{Cc}+/gu, ' ')];
  return characters.length <= length
    ? characters.join('')
    : `${characters.slice(0, length).join('')}…`;
}
