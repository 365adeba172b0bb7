// Content negotiation (RFC 9110, 12.5): media ranges without their parameters (`application/json;
// charset=utf-8` asks for the same as `application/json`), and content codings. Koa's own
// acceptsEncodings is not a substitute: on a tie it takes the client's first, in browsers gzip.

export type Coding = 'br' | 'gzip';

/** True if an Accept header allows a media type. An absent or empty one allows everything. */
export function accepts(type: string, header: string): boolean {
  if (header.trim() === '') return true;
  const ranges = parseQualities(header);
  const group = `${type.split('/')[0]}/*`;
  const quality = ranges.get(type) ?? ranges.get(group) ?? ranges.get('*/*') ?? 0;
  return quality > 0;
}

/** The supported coding that an Accept-Encoding header prefers, br on a tie; null for none. */
export function preferredCoding(header: string): Coding | null {
  const codings = parseQualities(header);
  const quality = (name: string) => codings.get(name) ?? codings.get('*') ?? 0;
  const [br, gzip] = [quality('br'), quality('gzip')];
  const best = Math.max(br, gzip);
  if (best === 0 || best < (codings.get('identity') ?? 0)) return null;
  return br === best ? 'br' : 'gzip';
}

/** The quality of each range. Without a readable q it is 1. */
function parseQualities(header: string): Map<string, number> {
  const qualities = new Map<string, number>();
  for (const range of header.toLowerCase().split(',')) {
    const [name = '', ...parameters] = range.split(';').map(part => part.trim());
    const q = parameters
      .map(parameter => /^q\s*=\s*([01](?:\.\d{0,3})?)$/u.exec(parameter)?.[1])
      .find(Boolean);
    if (name !== '') qualities.set(name, Math.max(qualities.get(name) ?? 0, Number(q ?? 1)));
  }
  return qualities;
}
