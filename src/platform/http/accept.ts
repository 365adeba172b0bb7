// What a client accepts (RFC 9110, 12.5): media ranges without their parameters, since `application/json; charset=utf-8`
// asks for nothing else than `application/json` does, and content codings.

export type Coding = 'br' | 'gzip';

/** True where an Accept header allows application/json. An absent or empty header allows everything. */
export function acceptsJson(header: string): boolean {
  if (header.trim() === '') return true;
  const ranges = qualities(header);
  return (
    (ranges.get('application/json') ?? ranges.get('application/*') ?? ranges.get('*/*') ?? 0) > 0
  );
}

/** The content coding an Accept-Encoding header likes best of those on offer, null for none; br wins a tie. */
export function preferredCoding(header: string): Coding | null {
  const codings = qualities(header);
  const quality = (name: string) => codings.get(name) ?? codings.get('*') ?? 0;
  const [br, gzip] = [quality('br'), quality('gzip')];
  const best = Math.max(br, gzip);
  if (best === 0 || best < (codings.get('identity') ?? 0)) return null;
  return br === best ? 'br' : 'gzip';
}

/** The quality of each range; one without a readable q counts as 1. */
function qualities(header: string): Map<string, number> {
  const found = new Map<string, number>();
  for (const range of header.toLowerCase().split(',')) {
    const [name = '', ...parameters] = range.split(';').map(part => part.trim());
    const q = parameters
      .map(parameter => /^q\s*=\s*([01](?:\.\d{0,3})?)$/u.exec(parameter)?.[1])
      .find(Boolean);
    if (name !== '')
      found.set(name, Math.max(found.get(name) ?? 0, q === undefined ? 1 : Number(q)));
  }
  return found;
}
