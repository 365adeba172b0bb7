// Reads and changes JSON as text, which costs much less than parsing it. It is safe for JSON that
// this product renders: there is no white space between its tokens, its member names are plain
// words, and a quote inside a string is escaped. So the text `"name":` is always the start of a
// member, never part of a string. The caller knows which members the JSON has. The trigger
// write_settlement (migrations/) relies on the same.

/** Separates JSON texts that travel in one string. JSON escapes control characters. */
const SEPARATOR = '\u001e';

/** One string for many JSON texts, which `splitTextsSql` takes apart. */
export function joinTexts(texts: readonly string[]): string {
  return texts.join(SEPARATOR);
}

/** SQL for the array of the JSON texts that `joinTexts` has joined. */
export function splitTextsSql(joined: string): string {
  return String.raw`string_to_array(${joined}, E'\x1e')`;
}

/**
 * Replaces the values of members by other JSON texts. `members` must be in the order of the JSON,
 * and each is the first one with its name after the one before. A missing member stays missing.
 */
export function replaceMembers(json: string, members: Readonly<Record<string, string>>): string {
  let result = '';
  let end = 0;
  for (const [name, value] of Object.entries(members)) {
    const key = `"${name}":`;
    const index = json.indexOf(key, end);
    if (index < 0) continue;
    const start = index + key.length;
    result += json.slice(end, start) + value;
    end = valueEnd(json, start);
  }
  return result + json.slice(end);
}

/** The values of all members with this name that are strings without escaped characters. */
export function stringMembers(json: string, name: string): string[] {
  return Array.from(
    json.matchAll(new RegExp(`"${name}":"([^"\\\\]*)"`, 'gu')),
    ([, value = '']) => value,
  );
}

/** SQL for the text of a number, which must not be the last member; NULL without the member. */
export function numberMemberSql(json: string, name: string): string {
  return `NULLIF(split_part(split_part(${json}, '"${name}":', 2), ',', 1), '')`;
}

/** Begins each element of a list but the first: `id` is its first member, and only its own. */
const NEXT_ELEMENT = ',{"id":"';

/** The elements of a list, joined by commas, without the last one. */
export function withoutLastElement(elements: string): string {
  return elements.slice(0, Math.max(0, elements.lastIndexOf(NEXT_ELEMENT)));
}

export function lastElement(elements: string): string {
  return elements.slice(elements.lastIndexOf(NEXT_ELEMENT) + 1);
}

const STRING_OR_PUNCTUATION = /"(?:[^"\\]|\\.)*"|[[\]{},]/gu;

/** The position of the comma or bracket that follows the value. */
function valueEnd(json: string, start: number): number {
  const tokens = new RegExp(STRING_OR_PUNCTUATION);
  tokens.lastIndex = start;
  let depth = 0;
  for (let match = tokens.exec(json); match; match = tokens.exec(json)) {
    const [token] = match;
    if (token === '[' || token === '{') depth += 1;
    else if (depth === 0 && !token.startsWith('"')) return match.index;
    else if (token === ']' || token === '}') depth -= 1;
  }
  return json.length;
}
