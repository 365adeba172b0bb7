// The dashboard's cookies: the session's token, and the flash, a sentence that the next page shows.
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Context } from 'koa';

/** The cookie outlives any session, because the server decides when a session ends. */
const SESSION_MAX_AGE_SECONDS = 14 * 86_400;
const FLASH_MAX_AGE_SECONDS = 60;
const MAC_BYTES = 16;
/** No text of a person has a line feed where a sentence may quote it. */
const SEPARATOR = '\n';

/** The sentence of what was done, and a warning about it. */
export interface Flash {
  readonly sentence: string;
  readonly warning?: string | undefined;
}

export interface Cookies {
  session(ctx: Context): string | undefined;
  /** Stores the token in the browser; null deletes it. */
  setSession(ctx: Context, token: string | null): void;
  /** The flash of the previous page, which is deleted. */
  takeFlash(ctx: Context): Flash | undefined;
  setFlash(ctx: Context, flash: Flash): void;
}

/**
 * Over https, names start with __Host-, so no other host of the domain can set the cookies. Over
 * plain http (`npm start`, a test network) the prefix would need Secure, which Safari refuses there
 * even for localhost. `ctx.cookies.set` throws for Secure behind a proxy that speaks plain http to
 * us, so the headers are written here.
 */
export function createCookies(secret: string, publicUrl: string | undefined): Cookies {
  const isSecure = (ctx: Context) => ctx.secure || (publicUrl?.startsWith('https:') ?? false);
  const nameOf = (ctx: Context, name: string) => (isSecure(ctx) ? `__Host-${name}` : name);
  const set = (ctx: Context, name: string, value: string, maxAgeSeconds: number): void => {
    const attributes = `Path=/; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Lax`;
    const secure = isSecure(ctx) ? '; Secure' : '';
    ctx.append('Set-Cookie', `${nameOf(ctx, name)}=${value}; ${attributes}${secure}`);
  };
  // The flash is signed, so a page only shows sentences that this server wrote.
  const mac = (text: string) =>
    createHmac('sha256', `flash:${secret}`).update(text).digest().subarray(0, MAC_BYTES);
  return {
    session: ctx => ctx.cookies.get(nameOf(ctx, 'session')),
    setSession(ctx, token) {
      set(ctx, 'session', token ?? '', token === null ? 0 : SESSION_MAX_AGE_SECONDS);
    },
    takeFlash(ctx) {
      const value = ctx.cookies.get(nameOf(ctx, 'flash'));
      if (value === undefined) return undefined;
      set(ctx, 'flash', '', 0);
      const bytes = Buffer.from(value, 'base64url');
      const text = bytes.subarray(MAC_BYTES).toString();
      const isGenuine =
        bytes.length > MAC_BYTES && timingSafeEqual(bytes.subarray(0, MAC_BYTES), mac(text));
      if (!isGenuine) return undefined;
      const [sentence = '', warning] = text.split(SEPARATOR);
      return { sentence, warning };
    },
    setFlash(ctx, { sentence, warning }) {
      const text = warning === undefined ? sentence : sentence + SEPARATOR + warning;
      const value = Buffer.concat([mac(text), Buffer.from(text)]).toString('base64url');
      set(ctx, 'flash', value, FLASH_MAX_AGE_SECONDS);
    },
  };
}
