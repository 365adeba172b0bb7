// JSON as the contract takes it: UTF-8 without BOM, no duplicate keys, at most 32 levels. JSON.parse accepts the first
// two silently and says nothing of the third, so a scan over the (then known valid) text follows it.
import { Problem } from '../errors.js';

const MAX_DEPTH = 32;
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Parses a request body. Throws Problem `malformed_json` with the reason. */
export function parseStrictJson(bytes: Uint8Array): unknown {
  const text = decode(bytes);
  if (text.startsWith('\ufeff')) throw malformed('The body starts with a byte order mark.');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw malformed(text.trim() === '' ? 'The body is empty.' : 'The body is not valid JSON.');
  }
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

/** Walks valid JSON text once: depth, and each object's keys. */
function scan(text: string): void {
  const keys: (Set<string> | null)[] = [];
  let expectsKey = false;
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at];
    if (char === '"') {
      const end = stringEnd(text, at);
      if (expectsKey) addKey(keys.at(-1), JSON.parse(text.slice(at, end + 1)) as string);
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
  if (keys.has(key))
    throw malformed(`The key ${JSON.stringify(key.slice(0, 64))} stands twice in one object.`);
  keys.add(key);
}

function stringEnd(text: string, start: number): number {
  let at = start + 1;
  while (text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at;
}

function malformed(detail: string): Problem {
  return new Problem('malformed_json', detail);
}
