// Cursors and Link headers (RFC 8288). A cursor is the last row's position in a total order, so pages stay stable while
// rows are inserted; it is signed, so a forged or cut one is told from a real one.
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Context } from 'koa';
import { Problem } from '../errors.js';

const MAC_BYTES = 12;

export interface Pager {
  /** Reads `cursor` of a list; undefined where there is none. Throws Problem `invalid_cursor`. */
  position(list: string, cursor: string | undefined): string[] | undefined;
  /** Sets Link with rel="next" to the page after `position`. */
  linkNext(ctx: Context, list: string, position: readonly string[]): void;
}

/** Makes a pager; `secret` must be the same in every web process, `publicUrl` is where clients reach them. */
export function createPager(secret: string, publicUrl: string | undefined): Pager {
  const mac = (text: string) => createHmac('sha256', `cursor:${secret}`).update(text).digest().subarray(0, MAC_BYTES);
  return {
    position(list, cursor) {
      if (cursor === undefined) return undefined;
      const bytes = Buffer.from(cursor, 'base64url');
      const text = bytes.subarray(MAC_BYTES).toString();
      const genuine =
        bytes.toString('base64url') === cursor &&
        bytes.length > MAC_BYTES &&
        timingSafeEqual(mac(text), bytes.subarray(0, MAC_BYTES));
      const [name, ...position] = genuine ? (JSON.parse(text) as string[]) : [];
      if (name !== list) throw new Problem('invalid_cursor', 'The cursor is not one that this list gave out.');
      return position;
    },
    linkNext(ctx, list, position) {
      const text = JSON.stringify([list, ...position]);
      const parameters = new URLSearchParams(ctx.querystring);
      parameters.set('cursor', Buffer.concat([mac(text), Buffer.from(text)]).toString('base64url'));
      // HTTP/1.0 may come without a Host; the link is then relative.
      const origin = publicUrl ?? (ctx.host === '' ? '' : `${ctx.protocol}://${ctx.host}`);
      ctx.set('Link', `<${origin}${ctx.path}?${parameters}>; rel="next"`);
    },
  };
}
