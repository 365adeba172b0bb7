// Headers for an API whose answers are data: nothing may frame, sniff, cache or run them.
import type { Context, Next } from 'koa';
import { contentSecurityPolicy } from './csp.js';

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
