// The headers of every page.
import type { Context } from 'koa';

/**
 * Own files only, nothing inline; never kept by a cache. The referrer stays within the site and is not left out: without
 * one a browser sends `Origin: null` with every form.
 */
export function setPageHeaders(ctx: Context): void {
  ctx.set({
    'Content-Security-Policy': POLICY,
    'Referrer-Policy': 'same-origin',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cache-Control': 'no-store',
    Vary: 'Cookie, Accept-Encoding',
  });
}
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');
