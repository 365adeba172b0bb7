// The form in which searches compare texts: a match key without accents, so that "brucke" finds
// "Brücke". Texts that are stored for searches are folded here; for columns that hold a match key,
// Postgres compares with a regular expression that accepts exactly the same texts.
import { visibleKey } from './text.js';

/** The marks that are accents in Latin, Greek and Cyrillic; in other scripts marks are letters. */
const ACCENTS = /[\u0300-\u036f]/gu;

/** Letters that Unicode does not decompose into a letter and an accent. */
const UNDIVIDED: Readonly<Record<string, string>> = {
  ...{ æ: 'ae', œ: 'oe', þ: 'th' },
  ...{ đ: 'd', ð: 'd', ħ: 'h', ı: 'i', ł: 'l', ø: 'o', ŧ: 't', ς: 'σ' },
};
const UNDIVIDED_LETTERS = new RegExp(`[${Object.keys(UNDIVIDED).join('')}]`, 'gu');
const ASCII = /^[ -~]*$/u;

/** The match key of a text without accents. A text of nothing but accents stays as it is. */
export function foldText(text: string): string {
  const key = visibleKey(text);
  return withoutAccents(key) || key;
}

function withoutAccents(key: string): string {
  if (ASCII.test(key)) return key;
  return key
    .normalize('NFD')
    .replace(ACCENTS, '')
    .normalize('NFC')
    .replace(UNDIVIDED_LETTERS, letter => UNDIVIDED[letter] ?? letter);
}

/** Latin, Greek and Cyrillic with their extensions end here. */
const LAST_ACCENTED = 0x1fff;
/** The accented letters by what they are without accents: one letter, or a pair such as ae. */
const ACCENTED = new Map<string, string>();
for (let code = 0x80; code <= LAST_ACCENTED; code += 1) {
  const letter = String.fromCodePoint(code);
  const plain = withoutAccents(letter);
  if (plain !== letter && plain !== '' && letter.toLowerCase() === letter)
    ACCENTED.set(plain, (ACCENTED.get(plain) ?? '') + letter);
}
const PAIRS = [...ACCENTED.keys()].filter(plain => [...plain].length === 2);
const MARKS = '[\u0300-\u036f]*';

/**
 * A regular expression of Postgres for match keys whose folded form contains this folded text. A
 * letter may have any accents, as one character with them or as marks that follow it.
 */
export function accentPattern(folded: string): string {
  const letters = [...folded];
  const parts: string[] = [];
  for (let at = 0; at < letters.length; at += 1) {
    const letter = letters[at] ?? '';
    const pair = letter + (letters[at + 1] ?? '');
    // No pair begins with the last letter of another one.
    if (PAIRS.includes(pair)) {
      parts.push(`(?:${oneOf(letter)}${oneOf(pair.slice(letter.length))}|${oneOf(pair)})`);
      at += 1;
      continue;
    }
    // The text may begin or end within a pair.
    const within = PAIRS.filter(
      each =>
        (at === 0 && each.endsWith(letter)) ||
        (at === letters.length - 1 && each.startsWith(letter)),
    );
    parts.push(oneOf(letter, ...within));
  }
  return parts.join('');
}

/** Any of the letters, or letters with accents that stand for them. */
function oneOf(...plains: readonly string[]): string {
  const own = plains.filter(plain => !PAIRS.includes(plain)).map(escaped);
  const accented = plains.map(plain => ACCENTED.get(plain) ?? '');
  return `[${own.join('')}${accented.join('')}]${MARKS}`;
}

function escaped(letter: string): string {
  return /[[\\\]^-]/u.test(letter) ? `\\${letter}` : letter;
}
