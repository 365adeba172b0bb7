// Cursors and Link headers (RFC 8288). A cursor is the last row's position in a total order, so
// pages stay stable while rows are inserted. It is encrypted and authenticated together with its
// company and list: it reveals nothing, and a forged or truncated one, or one of another list, is
// detected.
import { createCipheriv, createDecipheriv, createHmac, hkdfSync } from 'node:crypto';
import type { Context } from 'koa';
import { Problem } from '../errors.js';
import { lastElement, withoutLastElement } from '../values/json-text.js';

const CIPHER = 'aes-256-gcm';
const KEY_BYTES = 32;
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** One page of a list or report. */
export interface Page {
  /** JSON: an array, or the object of a report. */
  readonly body: string | Buffer;
  /** The position after which the next page begins; null if no more rows follow. */
  readonly next: string[] | null;
}

export const NO_PAGE: Page = { body: '[]', next: null };

/**
 * Splits the rows of a query with LIMIT limit + 1 into the page and, if more rows follow, the
 * position of its last row.
 */
export function splitPage<Row, Position>(
  rows: readonly Row[],
  limit: number,
  positionOf: (last: Row) => Position,
): { page: Row[]; next: Position | null } {
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return { page, next: last && rows.length > limit ? positionOf(last) : null };
}

/** The page of a query with LIMIT limit + 1 whose rows each carry the JSON text of one element. */
export function pageOfRows<Row extends { body: string }>(
  rows: readonly Row[],
  limit: number,
  positionOf: (last: Row) => string[],
): Page {
  const { page, next } = splitPage(rows, limit, positionOf);
  return { body: `[${page.map(({ body }) => body).join(',')}]`, next };
}

/** The row of `joinedBodies`. */
export interface JoinedBodies {
  readonly bodies: string | null;
  readonly count: number;
  readonly position?: string[] | null;
  readonly walkEnd?: string[] | null;
}

/**
 * The page of a joined query with LIMIT limit + 1, as the bytes to send. `positionOf` gets the
 * page's last element, unless the query returns that element's position.
 */
export function pageOf<Element>(
  { bodies, count, position, walkEnd }: JoinedBodies,
  limit: number,
  positionOf: (last: Element) => string[],
): Page {
  if (bodies === null || count <= limit)
    return { body: Buffer.from(`[${bodies ?? ''}]`), next: walkEnd ?? null };
  const page = withoutLastElement(bodies);
  const next = position ?? positionOf(JSON.parse(lastElement(page)) as Element);
  return { body: Buffer.from(`[${page}]`), next };
}

/** The values of a position in a cursor, in the order of `names`, and the way back. */
export interface PositionFields<Name extends string> {
  values(position: Readonly<Record<Name, string>>): string[];
  /** Undefined without values. */
  position(values: readonly string[]): Readonly<Record<Name, string>> | undefined;
}

export function positionFields<Name extends string>(
  ...names: readonly Name[]
): PositionFields<Name> {
  return {
    values: position => names.map(name => position[name]),
    position(values) {
      if (values.length === 0) return undefined;
      const entries = names.map((name, index) => [name, values[index] ?? '']);
      return Object.fromEntries(entries) as Record<Name, string>;
    },
  };
}

export interface Cursors {
  /** Reads a company's cursor of a list; undefined without one. Throws Problem `invalid_cursor`. */
  position(companyId: string, list: string, cursor: string | undefined): string[] | undefined;
  /** The cursor of the page after `position`, which only this company's list accepts. */
  cursor(companyId: string, list: string, position: readonly string[]): string;
  /** Sets Link with rel="next" to the page after `position`. */
  linkNext(companyId: string, ctx: Context, list: string, position: readonly string[]): void;
}

/**
 * Makes and reads cursors. `secret` must be the same in every web process. `publicUrl` (without a
 * slash at its end) is the address at which clients reach them, if configured.
 */
export function createCursors(secret: string, publicUrl: string | undefined): Cursors {
  const keyFor = (use: string) => Buffer.from(hkdfSync('sha256', secret, '', use, KEY_BYTES));
  const [key, ivKey] = [keyFor('cursor'), keyFor('cursor iv')];
  const contextOf = (companyId: string, list: string) =>
    Buffer.from(JSON.stringify([companyId, list]));
  const makeCursor: Cursors['cursor'] = (companyId, list, position) => {
    const text = JSON.stringify(position);
    const context = contextOf(companyId, list);
    // Made of what is encrypted, so equal pages have equal cursors and ETags, and others never
    // share an IV.
    const iv = createHmac('sha256', ivKey).update(context).update(text).digest();
    const cipher = createCipheriv(CIPHER, key, iv.subarray(0, IV_BYTES)).setAAD(context);
    const bytes = [iv.subarray(0, IV_BYTES), cipher.update(text), cipher.final()];
    return Buffer.concat([...bytes, cipher.getAuthTag()]).toString('base64url');
  };
  // Requests may share a page and its position, and so may two lists.
  const cursors = new WeakMap<readonly string[], Map<string, string>>();
  const cursorOf: Cursors['cursor'] = (companyId, list, position) => {
    const known = cursors.get(position) ?? new Map<string, string>();
    const key = `${companyId} ${list}`;
    const cursor = known.get(key) ?? makeCursor(companyId, list, position);
    cursors.set(position, known.set(key, cursor));
    return cursor;
  };
  return {
    cursor: cursorOf,
    position(companyId, list, cursor) {
      if (cursor === undefined) return undefined;
      const bytes = Buffer.from(cursor, 'base64url');
      try {
        if (bytes.toString('base64url') !== cursor) throw new Error('not canonical base64url');
        const iv = bytes.subarray(0, IV_BYTES);
        const decipher = createDecipheriv(CIPHER, key, iv, { authTagLength: TAG_BYTES })
          .setAAD(contextOf(companyId, list))
          .setAuthTag(bytes.subarray(-TAG_BYTES));
        const text = decipher.update(bytes.subarray(IV_BYTES, -TAG_BYTES), undefined, 'utf8');
        return JSON.parse(text + decipher.final('utf8')) as string[];
      } catch {
        throw new Problem('invalid_cursor', 'This cursor was not issued by this list.');
      }
    },
    linkNext(companyId, ctx, list, position) {
      const parameters = new URLSearchParams(ctx.querystring);
      parameters.set('cursor', cursorOf(companyId, list, position));
      // HTTP/1.0 allows requests without a Host; the link is then relative.
      const origin = publicUrl ?? (ctx.host === '' ? '' : `${ctx.protocol}://${ctx.host}`);
      ctx.set('Link', `<${origin}${ctx.path}?${parameters}>; rel="next"`);
    },
  };
}
