// The one builder of Content-Security-Policy headers, so that no page forgets the strict defaults,
// and the headers for answers that are data: no page may frame, sniff, cache or run them.
import type { Context, Next } from 'koa';

const POLICY = contentSecurityPolicy();

export function securityHeaders({ res }: Context, next: Next): Promise<void> {
  // Node's own method takes a third of the time of ctx.set, and every response has these.
  res.setHeader('X-Content-Type-Options', 'nosniff');
  res.setHeader('X-Frame-Options', 'DENY');
  res.setHeader('Content-Security-Policy', POLICY);
  res.setHeader('Referrer-Policy', 'no-referrer');
  res.setHeader('Cache-Control', 'private, no-cache');
  res.setHeader('Vary', 'x-api-key, Authorization, Accept-Encoding');
  return next();
}

/** The header's text: denies framing, and every source that `directives` does not list. */
export function contentSecurityPolicy(directives: Readonly<Record<string, string>> = {}): string {
  return Object.entries({ 'default-src': "'none'", ...directives, 'frame-ancestors': "'none'" })
    .map(([directive, sources]) => `${directive} ${sources}`)
    .join('; ');
}
