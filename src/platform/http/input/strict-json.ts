// JSON as the contract defines it: UTF-8 without BOM, no duplicate keys, at most 32 levels.
// JSON.parse silently accepts duplicate keys and any depth, so a scan of the valid text follows.
import { Problem } from '../../errors.js';

const MAX_DEPTH = 32;
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Parses a request body. Throws Problem `malformed_json` with the reason. */
export function parseStrictJson(bytes: Uint8Array): unknown {
  const text = decode(bytes);
  if (text.startsWith('\ufeff')) throw malformed('The body starts with a byte order mark.');
  if (text.trim() === '') throw malformed('The body is empty.');
  const value = parse(text);
  scan(text);
  return value;
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

/** Walks valid JSON text once: depth, and each object's keys. */
function scan(text: string): void {
  const keys: (Set<string> | null)[] = [];
  let expectsKey = false;
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at];
    if (char === '"') {
      const end = stringEnd(text, at);
      if (expectsKey) addKey(keys.at(-1), unescaped(text.slice(at + 1, end)));
      expectsKey = false;
      at = end;
    } else if (char === '{' || char === '[') {
      keys.push(char === '{' ? new Set() : null);
      expectsKey = char === '{';
      if (keys.length > MAX_DEPTH)
        throw malformed(`The body is nested deeper than ${MAX_DEPTH} levels.`);
    } else if (char === '}' || char === ']') {
      keys.pop();
      expectsKey = false;
    } else if (char === ',') expectsKey = keys.at(-1) !== null;
  }
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
