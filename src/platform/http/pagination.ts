// Cursors and Link headers (RFC 8288). A cursor is the last row's position in a total order, so pages stay stable while
// rows are inserted; it is signed with its company and list, so a forged, cut or borrowed one is told from a real one.
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Context } from 'koa';
import { Problem } from '../errors.js';

const MAC_BYTES = 12;

/** A page of a list, as its query makes it. */
export interface Page {
  /** A JSON array. */
  readonly body: string;
  /** The last row's place in the list's order where more rows follow, else null. */
  readonly next: string[] | null;
}

/**
 * The page of a statement's rows: each the JSON text of one element, and one row more than `limit` where more follow. Rows,
 * as Postgres sends them for less than it takes to put them together.
 */
export function pageOf<Row extends { body: string }>(
  rows: readonly Row[],
  limit: number,
  placeOf: (last: Row) => string[],
): Page {
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return {
    body: `[${page.map(({ body }) => body).join(',')}]`,
    next: last && rows.length > limit ? placeOf(last) : null,
  };
}

export interface Pager {
  /** Reads `cursor` of a company's list; undefined where there is none. Throws Problem `invalid_cursor`. */
  position(companyId: string, list: string, cursor: string | undefined): string[] | undefined;
  /** The cursor of the page after `position`. */
  cursor(companyId: string, list: string, position: readonly string[]): string;
  /** Sets Link with rel="next" to the page after `position`. */
  linkNext(companyId: string, ctx: Context, list: string, position: readonly string[]): void;
}

/** Makes a pager; `secret` must be the same in every web process, `publicUrl` is where clients reach them. */
export function createPager(secret: string, publicUrl: string | undefined): Pager {
  const base = publicUrl?.replace(/\/+$/u, '');
  const mac = (companyId: string, list: string, text: string) =>
    createHmac('sha256', `cursor:${secret}`)
      .update(JSON.stringify([companyId, list, text]))
      .digest()
      .subarray(0, MAC_BYTES);
  const cursor: Pager['cursor'] = (companyId, list, position) => {
    const text = JSON.stringify(position);
    return Buffer.concat([mac(companyId, list, text), Buffer.from(text)]).toString('base64url');
  };
  return {
    cursor,
    position(companyId, list, given) {
      if (given === undefined) return undefined;
      const bytes = Buffer.from(given, 'base64url');
      const text = bytes.subarray(MAC_BYTES).toString();
      const genuine =
        bytes.toString('base64url') === given &&
        bytes.length > MAC_BYTES &&
        timingSafeEqual(mac(companyId, list, text), bytes.subarray(0, MAC_BYTES));
      if (!genuine)
        throw new Problem('invalid_cursor', 'The cursor is not one that this list gave out.');
      return JSON.parse(text) as string[];
    },
    linkNext(companyId, ctx, list, position) {
      const parameters = new URLSearchParams(ctx.querystring);
      parameters.set('cursor', cursor(companyId, list, position));
      // HTTP/1.0 may come without a Host; the link is then relative.
      const origin = base ?? (ctx.host === '' ? '' : `${ctx.protocol}://${ctx.host}`);
      ctx.set('Link', `<${origin}${ctx.path}?${parameters}>; rel="next"`);
    },
  };
}
