// Protection against cross-site request forgery, in two layers: every POST must come from one of
// our pages, as the browser's headers say, and every form of a signed-in page carries a token. The
// forms of sign-in and sign-up have the first layer only, since a token belongs to a session.
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Context } from 'koa';

/** The name of the form field. */
export const TOKEN_FIELD = 'token';
const MAC_BYTES = 32;

export interface FormTokens {
  /** Masked with a fresh pad per response, so a compressed page cannot leak it (BREACH). */
  make(sessionId: Buffer): string;
  isGenuine(sessionId: Buffer, token: string): boolean;
}

/** `secret` must be the same in every web process. */
export function createFormTokens(secret: string): FormTokens {
  const mac = (sessionId: Buffer) =>
    createHmac('sha256', `form:${secret}`).update(sessionId).digest();
  return {
    make(sessionId) {
      const pad = randomBytes(MAC_BYTES);
      return Buffer.concat([pad, xor(pad, mac(sessionId))]).toString('base64url');
    },
    isGenuine(sessionId, token) {
      const bytes = Buffer.from(token, 'base64url');
      if (bytes.length !== 2 * MAC_BYTES) return false;
      return timingSafeEqual(
        xor(bytes.subarray(0, MAC_BYTES), bytes.subarray(MAC_BYTES)),
        mac(sessionId),
      );
    },
  };
}

/**
 * True if the browser states that one of our own pages sent the request. Checks Sec-Fetch-Site,
 * then Origin, because browsers omit Sec-Fetch-Site over plain http. A request with neither header
 * is not from a current browser, which is what would attach the cookie by itself.
 */
export function isFromOwnPage(ctx: Context, publicUrl: string | undefined): boolean {
  const site = ctx.get('Sec-Fetch-Site');
  if (site !== '') return site === 'same-origin';
  const origin = ctx.get('Origin');
  if (origin === '') return true;
  const own = publicUrl === undefined ? `${ctx.protocol}://${ctx.host}` : new URL(publicUrl).origin;
  return origin === own || origin === `${ctx.protocol}://${ctx.host}`;
}

function xor(a: Buffer, b: Buffer): Buffer {
  return Buffer.from(a.map((byte, index) => byte ^ (b[index] ?? 0)));
}
