// What needs no key: the OpenAPI document, and /docs with its reference and guides. All of it is made once at start; a
// request only sends bytes. Nothing is loaded from another host.
import Router from '@koa/router';
import type { Context, Middleware } from 'koa';
import { contentSecurityPolicy } from '../platform/http/csp.js';
import { noParameters } from '../platform/http/query.js';
import { loadAssets } from './assets.js';
import { buildDocument } from './document.js';
import { buildPages } from './pages.js';

/** Revalidated each time: the bytes change with a release, the address does not. */
const REVALIDATE = 'public, no-cache';

/** `api` is the base path, `publicUrl` where clients reach it, where that is configured. */
export function docsRoutes(api: string, publicUrl: string | undefined): Router {
  const router = new Router({ sensitive: true, strict: true });
  const assets = loadAssets();

  const document = JSON.stringify(buildDocument(publicUrl));
  router.get(`${api}/openapi.json`, noParameters, ctx =>
    answer(ctx, document, 'application/json', REVALIDATE),
  );

  for (const { path, html, scripted } of buildPages(assets)) {
    const policy = pagePolicy(scripted);
    router.get(path, noParameters, ctx => {
      ctx.set('Content-Security-Policy', policy);
      answer(ctx, html, 'text/html; charset=utf-8', REVALIDATE);
    });
  }

  router.get('/docs/', noParameters, ctx => {
    ctx.status = 308;
    ctx.redirect('/docs');
  });
  assets.addTo(router, noParameters);
  return router;
}

/**
 * Ends the way of a request whose path the routes above have, though not with this method: `methods` says so, and
 * credentials are not asked for.
 */
export const endsHere: Middleware = async (ctx, next) => {
  const { matched = [] } = ctx as Context & { matched?: unknown[] };
  if (matched.length === 0) await next();
};

function answer(ctx: Context, body: string | Buffer, type: string, cacheControl: string): void {
  // Not the caller's own data: no credential changes it.
  ctx.set({ 'Cache-Control': cacheControl, Vary: 'Accept-Encoding' });
  ctx.type = type;
  ctx.body = body;
}

/** Own files only; scripts, and calls to the API, where the page has the reference. No inline script or style. */
function pagePolicy(scripted: boolean): string {
  return contentSecurityPolicy({
    'style-src': "'self'",
    'img-src': "'self' data:",
    ...(scripted ? { 'script-src': "'self'", 'connect-src': "'self'" } : {}),
    'base-uri': "'none'",
    'form-action': "'none'",
  });
}
