// JSON as the contract defines it: UTF-8 without BOM, no duplicate keys, at most 32 levels, exact
// numbers. JSON.parse silently accepts duplicate keys and any depth, and rounds numbers, so a scan
// of the valid text follows.
import { Problem } from '../../errors.js';
import { MIN_REPLACED, mayBeReplaced, replacementOf } from './json-numbers.js';

const MAX_DEPTH = 32;
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Parses a request body. A number that a double would change becomes one that every field refuses
 * (json-numbers.ts). Throws Problem `malformed_json` with the reason.
 */
export function parseStrictJson(bytes: Uint8Array): unknown {
  const text = decode(bytes);
  if (text.startsWith('\ufeff')) throw malformed('The body starts with a byte order mark.');
  if (text.trim() === '') throw malformed('The body is empty.');
  const value = parse(text);
  const replacements = scan(text);
  return replacements.length === 0 ? value : JSON.parse(replaced(text, replacements));
}

function decode(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes);
  } catch {
    throw malformed('The body is not valid UTF-8.');
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    // The engine's own message may quote the body, which an answer must not repeat.
    throw malformed(`The body is not valid JSON${placeOf((error as Error).message, text)}.`);
  }
}

/** The position of a syntax error, or '' if the engine's message has none, as often in Node 20. */
function placeOf(message: string, text: string): string {
  if (message === 'Unexpected end of JSON input') return ': it ends too early';
  const position = /at position (\d+)/u.exec(message)?.[1];
  if (position === undefined) return '';
  const lines = text.slice(0, Number(position)).split('\n');
  return ` at line ${lines.length}, column ${(lines.at(-1)?.length ?? 0) + 1}`;
}

/** A number of the text, and the number that it becomes. */
interface Replacement {
  readonly start: number;
  readonly end: number;
  readonly value: number;
}

/** Walks valid JSON text once: depth, each object's keys, and numbers to replace. */
function scan(text: string): Replacement[] {
  const keys: (Set<string> | null)[] = [];
  const replacements: Replacement[] = [];
  let expectsKey = false;
  /** The last quotation mark, bracket or comma. A number may follow it. */
  let previous = 0;
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at];
    if (char === '"') {
      const end = stringEnd(text, at);
      if (expectsKey) addKey(keys.at(-1), unescaped(text.slice(at + 1, end)));
      expectsKey = false;
      at = end;
      previous = end;
    } else if (char === '{' || char === '[') {
      keys.push(char === '{' ? new Set() : null);
      expectsKey = char === '{';
      if (keys.length > MAX_DEPTH)
        throw malformed(`The body is nested deeper than ${MAX_DEPTH} levels.`);
      previous = at;
    } else if (char === '}' || char === ']' || char === ',') {
      if (at - previous > MIN_REPLACED) addReplacement(text, previous + 1, at, replacements);
      if (char !== ',') keys.pop();
      expectsKey = char === ',' && keys.at(-1) !== null;
      previous = at;
    }
  }
  return replacements;
}

/** Adds the number in a part of the text, if it has one to replace. */
function addReplacement(text: string, from: number, to: number, all: Replacement[]): void {
  const part = text.slice(from, to);
  const found = mayBeReplaced(part) ? /-?\d[\d.eE+-]*/u.exec(part) : null;
  if (!found) return;
  const [literal] = found;
  const value = replacementOf(literal);
  const start = from + found.index;
  if (value !== null) all.push({ start, end: start + literal.length, value });
}

function replaced(text: string, replacements: readonly Replacement[]): string {
  let copied = 0;
  let result = '';
  for (const { start, end, value } of replacements) {
    result += text.slice(copied, start) + value;
    copied = end;
  }
  return result + text.slice(copied);
}

function addKey(keys: Set<string> | null | undefined, key: string): void {
  if (!keys) return;
  if (keys.has(key)) {
    const name = JSON.stringify(key.slice(0, 64));
    throw malformed(`The key ${name} appears more than once in one object.`);
  }
  keys.add(key);
}

/** The string with this text between its quotes. */
function unescaped(text: string): string {
  return text.includes('\\') ? (JSON.parse(`"${text}"`) as string) : text;
}

function stringEnd(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); ; end = text.indexOf('"', end + 1)) {
    let backslashes = 0;
    while (text[end - 1 - backslashes] === '\\') backslashes += 1;
    // An even number are escaped themselves.
    if (backslashes % 2 === 0) return end;
  }
}

function malformed(detail: string): Problem {
  return new Problem('malformed_json', detail);
}
