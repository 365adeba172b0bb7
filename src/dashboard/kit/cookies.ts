// The dashboard's cookies: the session's token, and the sentence that the next page shows once.
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Context } from 'koa';

/** Longer than any session: the server decides when it ends. */
const SESSION_MAX_AGE_SECONDS = 14 * 86_400;
const FLASH_MAX_AGE_SECONDS = 60;
const MAC_BYTES = 16;

export interface Cookies {
  session(ctx: Context): string | undefined;
  /** Gives the browser the token, or with null takes it away. */
  setSession(ctx: Context, token: string | null): void;
  /** The sentence that the page before left, which is then gone. */
  takeFlash(ctx: Context): string | undefined;
  setFlash(ctx: Context, sentence: string): void;
}

/**
 * Over https names start with __Host-, so that no other host of the domain can set them. Over plain http (`npm start` on
 * this machine, a test network) such a name would need Secure, which Safari refuses there even for localhost.
 */
export function createCookies(secret: string, publicUrl: string | undefined): Cookies {
  const isSecure = (ctx: Context) => ctx.secure || (publicUrl?.startsWith('https:') ?? false);
  const nameOf = (ctx: Context, name: string) => (isSecure(ctx) ? `__Host-${name}` : name);
  const set = (ctx: Context, name: string, value: string, maxAgeSeconds: number): void => {
    const secure = isSecure(ctx) ? '; Secure' : '';
    ctx.append(
      'Set-Cookie',
      `${nameOf(ctx, name)}=${value}; Path=/; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Lax${secure}`,
    );
  };
  // Signed: a sentence that we show as ours was ours.
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
      const sentence = bytes.subarray(MAC_BYTES).toString();
      const isOurs =
        bytes.length > MAC_BYTES && timingSafeEqual(bytes.subarray(0, MAC_BYTES), mac(sentence));
      return isOurs ? sentence : undefined;
    },
    setFlash(ctx, sentence) {
      const value = Buffer.concat([mac(sentence), Buffer.from(sentence)]).toString('base64url');
      set(ctx, 'flash', value, FLASH_MAX_AGE_SECONDS);
    },
  };
}
