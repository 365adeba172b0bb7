// The routes without a key: the OpenAPI document, and /docs with the quickstart, the reference, the
// guides, the types of the typed client and the changelog. They are built at the first request,
// because building takes 100 ms that no process start should pay for. Nothing is loaded from
// another host.
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type Router from '@koa/router';
import type { Context } from 'koa';
import { API } from '../platform/api-path.js';
import { noParameters } from '../platform/http/input/query.js';
import { createRouter } from '../platform/http/router.js';
import { contentSecurityPolicy } from '../platform/http/security-headers.js';
import { docsAssets } from './assets.js';

/** The guides by the last part of their paths, in the order of the navigation. */
export const GUIDES = {
  'shop-orders': 'Orders from a shop',
  client: 'Typed client',
  authentication: 'Authentication',
  'stock-matching': 'Stock matching',
  tax: 'Tax',
  payments: 'Payments and credit notes',
  documents: 'Documents and e-invoices',
  customers: 'Customers, statements and aging',
  idempotency: 'Idempotency',
  waiting: 'Waiting',
  events: 'Events',
  webhooks: 'Webhooks',
  pagination: 'Pagination',
  errors: 'Errors',
  'rate-limits': 'Rate limits',
  testing: 'Testing',
} as const;

/** The types of the typed client. The file exists only in the sources, like the assets. */
const TYPES = 'tradepost.d.ts';
const TYPES_FILE = fileURLToPath(new URL(`../../../src/api-docs/client/${TYPES}`, import.meta.url));

const GUIDE_PATHS = Object.keys(GUIDES).map(slug => `/docs/${slug}`);

/** Browsers revalidate on each use: a release changes the bytes, but not the address. */
const REVALIDATE = 'public, no-cache';

/** Allows only files of this origin, and nothing inline. The script sends no requests. */
const PAGE_POLICY = contentSecurityPolicy({
  'script-src': "'self'",
  'style-src': "'self'",
  'img-src': "'self'",
  'font-src': "'self'",
  'base-uri': "'none'",
  'form-action': "'none'",
});

/** `publicUrl` is the address at which clients reach the service, if configured. */
export function docsRoutes(publicUrl: string | undefined): Router {
  const router = createRouter();
  const document = once(async () => {
    const { documentText } = await import('./document.js');
    return documentText(publicUrl);
  });
  const pages = once(async () => {
    const { buildPages } = await import('./pages.js');
    return buildPages(GUIDES);
  });

  router.get(`${API}/openapi.json`, noParameters, async ctx =>
    answer(ctx, await document(), 'application/json'),
  );
  for (const path of ['/docs', '/docs/changelog', ...GUIDE_PATHS]) {
    router.get(path, noParameters, async ctx => {
      const page = (await pages()).get(path)?.(publicUrl ?? `${ctx.protocol}://${ctx.host}`) ?? '';
      ctx.set('Content-Security-Policy', PAGE_POLICY);
      answer(ctx, page, 'text/html; charset=utf-8');
    });
  }
  const types = once(() => readFile(TYPES_FILE, 'utf8'));
  router.get(`/docs/client/${TYPES}`, noParameters, async ctx => {
    ctx.attachment(TYPES);
    answer(ctx, await types(), 'text/plain; charset=utf-8');
  });
  router.get('/docs/', noParameters, ctx => {
    ctx.status = 308;
    ctx.redirect('/docs');
  });
  docsAssets.addTo(router, noParameters);
  return router;
}

function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

function answer(ctx: Context, body: string, type: string): void {
  // The body is public and the same for every caller, so shared caches may store it.
  ctx.set({ 'Cache-Control': REVALIDATE, Vary: 'Accept-Encoding' });
  ctx.type = type;
  ctx.body = body;
}
