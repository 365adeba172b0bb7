// Parses the services' JSON for pages. Numbers stay decimal text, so an amount is shown as stored
// and never passes through binary floating point.

const TOKEN = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/gu;

export function parseDecimalJson<Value>(json: string | Buffer): Value {
  return JSON.parse(
    String(json).replaceAll(TOKEN, token => (token.startsWith('"') ? token : `"${token}"`)),
  ) as Value;
}
