// Requests that another site made somebody's browser send. Two walls: where the request comes from, by the browser's own
// word, for every POST; and a token in every form of a signed-in page. The forms before a session (sign in, sign up) have
// the first wall only: there is no session yet that a token could belong to.
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Context } from 'koa';

/** The name of the form field. */
export const TOKEN_FIELD = 'token';
const MAC_BYTES = 32;

export interface FormTokens {
  /** Another text each time: a page that repeats both a secret and what a reader typed would leak it by its packed size. */
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
 * True where the browser says that one of our own pages sent this. Sec-Fetch-Site first, then Origin (Sec-Fetch-Site is not
 * sent over plain http). A request with neither comes from no browser of this decade, and brings no cookie by itself.
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
