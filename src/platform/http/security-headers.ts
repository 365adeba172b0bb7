// The one builder of Content-Security-Policy headers, so that no page forgets the strict defaults,
// and the headers for answers that are data: no page may frame, sniff, cache or run them.
import type { Context, Next } from 'koa';

const POLICY = contentSecurityPolicy();

export async function securityHeaders(ctx: Context, next: Next): Promise<void> {
  ctx.set({
    'X-Content-Type-Options': 'nosniff',
    'X-Frame-Options': 'DENY',
    'Content-Security-Policy': POLICY,
    'Referrer-Policy': 'no-referrer',
    'Cache-Control': 'private, no-cache',
    Vary: 'x-api-key, Authorization, Accept-Encoding',
  });
  await next();
}

/** The header's text: denies framing, and every source that `directives` does not list. */
export function contentSecurityPolicy(directives: Readonly<Record<string, string>> = {}): string {
  return Object.entries({ 'default-src': "'none'", ...directives, 'frame-ancestors': "'none'" })
    .map(([directive, sources]) => `${directive} ${sources}`)
    .join('; ');
}
