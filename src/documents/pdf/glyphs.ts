// The characters that the fonts of documents have: Latin, Greek and Cyrillic, with punctuation and
// signs. They are listed here because an answer may depend on them before a page is set; a test
// compares them with the fonts.

const RANGES = `
  20-7e a0-377 37a-37f 384-38a 38c 38e-3a1 3a3-3e1 3f0-52f 900-97f 10fb 1ab0-1ac0 1ac5 1ac7-1ace
  1c80-1c88 1d00-1df9 1dfb-1f15 1f18-1f1d 1f20-1f45 1f48-1f4d 1f50-1f57 1f59 1f5b 1f5d 1f5f-1f7d
  1f80-1fb4 1fb6-1fc4 1fc6-1fd3 1fd6-1fdb 1fdd-1fef 1ff2-1ff4 1ff6-1ffe 2000-2064 2066-2071
  2074-208e 2090-209c 20a0-20c0 20f0 2100-215f 2183-2184 2189 2212 25cc 2c60-2c7f 2de0-2e5d
  a640-a69f a700-a7ca a7d0-a7d1 a7d3 a7d5-a7d9 a7f2-a7ff a8ff a92e ab30-ab6b fb00-fb06 fe00
  fe20-fe2f feff fffc-fffd 10780-10785 10787-107b0 107b2-107ba 1df00-1df1e`
  .trim()
  .split(/\s+/u)
  .map(range => range.split('-').map(code => Number.parseInt(code, 16)))
  .map(([first = 0, last = first]) => [first, last] as const);

const REPLACEMENT = '\ufffd';
const PLAIN = /^[ -~\n\t\r]*$/u;

export function hasGlyph(character: string): boolean {
  const code = character.codePointAt(0) ?? 0;
  return RANGES.some(([first, last]) => first <= code && code <= last);
}

/** The characters of a text without a glyph, each once. Line breaks and tabs are none. */
export function unsupportedIn(text: string): string[] {
  if (PLAIN.test(text)) return [];
  const others = [...text].filter(each => !/[\n\t\r]/u.test(each) && !hasGlyph(each));
  return [...new Set(others)];
}

/** The text with U+FFFD in place of characters without a glyph. */
export function drawable(text: string): string {
  if (PLAIN.test(text)) return text;
  return [...text]
    .map(each => (/[\n\t\r]/u.test(each) || hasGlyph(each) ? each : REPLACEMENT))
    .join('');
}
