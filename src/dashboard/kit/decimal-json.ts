// The services' JSON for pages: every number stays the decimal text that it is, so an amount is shown as it was stored and
// never passes through binary floating point.

const TOKEN = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/gu;

/** Parses JSON with its numbers as text. */
export function parseDecimalJson<Value>(json: string): Value {
  return JSON.parse(
    json.replaceAll(TOKEN, token => (token.startsWith('"') ? token : `"${token}"`)),
  ) as Value;
}
