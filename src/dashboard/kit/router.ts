// From a route table to answers over HTTP: guards, where a POST comes from, tokens, cookies, headers, and error pages. What
// is no page passes by; where nobody else has anything for a browser either, it gets a page that says so.
import { Readable } from 'node:stream';
import type Router from '@koa/router';
import type { Context, Middleware } from 'koa';
import { Problem } from '../../platform/errors.js';
import { clientNetwork } from '../../platform/http/address.js';
import { methods, toProblem } from '../../platform/http/errors.js';
import { createRouter } from '../../platform/http/router.js';
import type { Log } from '../../platform/process/log.js';
import { findSession, type Session } from '../../users/sessions.js';
import {
  refuseOtherSites,
  refuseOthers,
  signInAnswer,
  signInPath,
  staleAnswer,
  unsentFormOf,
} from './access.js';
import type { Assets } from './assets.js';
import { createCookies } from './cookies.js';
import { createFormTokens, TOKEN_FIELD } from './csrf.js';
import { formBody, refuseNul } from './form.js';
import {
  type Answer,
  admits,
  type ContentAnswer,
  Forbidden,
  type Guard,
  type MountedApp,
  type NavTarget,
  type PageAnswer,
  type PageRequest,
  type PageRoute,
} from './page.js';
import { setPageHeaders } from './page-headers.js';
import { errorPage } from './ui/error-page.js';
import { renderPage } from './ui/layout.js';
import { readUpload } from './upload.js';

/** An asset's address carries a hash of them all. */
const FOREVER = 'public, max-age=31536000, immutable';

/** Stands for wherever we are. */
const OWN = 'http://own';

export interface RouterParts {
  readonly routes: readonly PageRoute[];
  readonly areas: readonly MountedApp[];
  readonly assets: Assets;
  /** Signs form tokens and flashes; the same in every web process. */
  readonly secret: string;
  readonly publicUrl: string | undefined;
  /** Paths from here on down are the API's, whose clients are never answered with a page. */
  readonly api: string;
  readonly log: Log;
}

/** The route that takes the form, without a file, posted to a path. */
type FormAt = (path: string) => PageRoute | undefined;

export function dashboardRouter(parts: RouterParts): Middleware {
  const router = createRouter();
  const formAt: FormAt = path => {
    const [layer] = router.match(path, 'POST').pathAndMethod;
    // A path that a browser would read as another one is none of ours.
    const isPlain = URL.canParse(path, OWN) && new URL(path, OWN).href === OWN + path;
    const route = parts.routes.find(
      ({ method, path }) => method === 'post' && path === layer?.path,
    );
    return isPlain && route?.fileLimitBytes === undefined ? route : undefined;
  };
  const { show, request, enter, isHidden } = pageTools(parts, formAt);
  for (const route of parts.routes) {
    const { method, path, maxBytes, fileLimitBytes } = route;
    if (method === 'get') router.get(path, ctx => request(ctx, route));
    else if (fileLimitBytes === undefined)
      router.post(path, ...formBody(maxBytes), ctx => request(ctx, route));
    // Whose form it is comes before its megabytes.
    else router.post(path, ctx => request(ctx, route, () => readUpload(ctx, fileLimitBytes)));
  }
  const routes = router.routes();
  const fail = async (ctx: Context, error: unknown): Promise<void> => {
    const refusal = error instanceof Forbidden ? error : toProblem(error, ctx, parts.log);
    if (refusal instanceof Problem && !asksForHtml(ctx)) throw refusal;
    const { page, code } = errorPage(refusal, unsentFormOf(ctx));
    ctx.state.problemCode = code;
    await show(ctx, page);
  };

  const placeOf = (ctx: Context): NavTarget | undefined => {
    const [layer] = router.match(ctx.path, ctx.method).path;
    return parts.routes.find(({ path }) => path === layer?.path) ?? areaOf(ctx);
  };
  const areaOf = ({ path }: Context) =>
    parts.areas.find(area => `${path}/`.startsWith(`${area.path}/`));

  return async (ctx, next) => {
    const place = placeOf(ctx);
    if (place !== undefined && !(await isHidden(ctx, place.guard))) {
      setPageHeaders(ctx);
      try {
        const area = areaOf(ctx);
        if (area) await enter(ctx, area);
        else await methods(ctx, () => routes(ctx as never, async () => undefined) as Promise<void>);
      } catch (error) {
        await fail(ctx, error);
      }
      return;
    }
    await next();
    if (ctx.status !== 404 || ctx.body != null || !isForBrowser(ctx, parts.api)) return;
    setPageHeaders(ctx);
    await fail(ctx, new Problem('not_found', 'There is nothing at this address.'));
  };
}

/** The files of the pages: the same for everyone, kept for ever. */
export function assetRoutes(assets: Assets): Router {
  const router = createRouter();
  for (const { path, bytes, type } of assets.all) {
    router.get(path, ctx => {
      ctx.set({ 'Cache-Control': FOREVER, Vary: 'Accept-Encoding' });
      ctx.type = type;
      ctx.body = bytes;
    });
  }
  return router;
}

function pageTools({ routes, areas, assets, secret, publicUrl }: RouterParts, formAt: FormAt) {
  const places = [...routes, ...areas];
  const tokens = createFormTokens(secret);
  const cookies = createCookies(secret, publicUrl);

  const show = async (ctx: Context, page: PageAnswer): Promise<void> => {
    const session = (ctx.state.session ?? null) as Session | null;
    const token = session ? tokens.make(session.id) : null;
    ctx.status = page.status ?? 200;
    ctx.set(page.headers ?? {});
    ctx.type = 'text/html; charset=utf-8';
    ctx.body = renderPage(page, {
      session,
      path: ctx.path,
      token,
      flash: cookies.takeFlash(ctx),
      places,
      assets,
    });
  };

  const send = async (ctx: Context, answer: Answer): Promise<void> => {
    if ('content' in answer) return sendContent(ctx, answer);
    if (answer.session !== undefined) cookies.setSession(ctx, answer.session);
    if (!('to' in answer)) {
      // The page is already the new session's, and so is the token of its forms.
      if (answer.session !== undefined) ctx.state.session = await findSession(answer.session);
      return show(ctx, answer);
    }
    if (answer.flash !== undefined) cookies.setFlash(ctx, answer.flash);
    ctx.redirect(answer.to);
    ctx.status = 303;
    ctx.body = '';
  };

  const sessionOf = async (ctx: Context): Promise<Session | null> => {
    const token = cookies.session(ctx);
    return token === undefined ? null : findSession(token);
  };

  /** True for an operator's page where somebody else is signed in: it is answered as one that does not exist. */
  const isHidden = async (ctx: Context, guard: Guard): Promise<boolean> => {
    const session = guard === 'operator' ? await sessionOf(ctx) : null;
    return session !== null && !session.operator;
  };

  const enter = async (ctx: Context, { guard, run }: MountedApp): Promise<void> => {
    if (ctx.method !== 'GET' && ctx.method !== 'HEAD') refuseOtherSites(ctx, publicUrl);
    const session = await sessionOf(ctx);
    ctx.state.session = session;
    if (session === null) return send(ctx, { to: signInPath(ctx) });
    refuseOthers(guard, session);
    await run(ctx, async () => undefined);
  };

  const request = async (
    ctx: Context,
    route: PageRoute,
    readBody?: () => Promise<void>,
  ): Promise<void> => {
    if (route.method === 'post') refuseOtherSites(ctx, publicUrl);
    const session = await sessionOf(ctx);
    ctx.state.session = session;
    if (session === null && route.guard !== 'anyone') return send(ctx, signInAnswer(ctx));
    await readBody?.();
    const form: URLSearchParams = ctx.state.form ?? new URLSearchParams();
    // The forms that anyone may send have no session that a token could belong to.
    if (route.method === 'post' && route.guard !== 'anyone') {
      const isGenuine =
        session !== null && tokens.isGenuine(session.id, form.get(TOKEN_FIELD) ?? '');
      if (!isGenuine) return send(ctx, staleAnswer(ctx, route.guard, session));
    }
    refuseOthers(route.guard, session);
    await send(
      ctx,
      await route.answer(pageRequestOf(ctx, session, form, { routes, publicUrl, formAt })),
    );
  };
  return { show, request, enter, isHidden };
}

function pageRequestOf(
  ctx: Context,
  session: Session | null,
  form: URLSearchParams,
  {
    routes,
    publicUrl,
    formAt,
  }: Pick<RouterParts, 'routes' | 'publicUrl'> & { readonly formAt: FormAt },
): PageRequest<Session | null> {
  const query = new URLSearchParams(ctx.querystring);
  refuseNul(query);
  return {
    session,
    path: ctx.path,
    params: (ctx as Context & { params: Record<string, string> }).params,
    query,
    form,
    file: ctx.state.file ?? null,
    origin: publicUrl ?? ctx.origin,
    network: clientNetwork(ctx),
    requestId: ctx.state.requestId as string,
    formGuard: path => formAt(path)?.guard ?? null,
    canSee: path =>
      routes.some(
        route => route.method === 'get' && route.path === path && admits(route.guard, session),
      ),
  };
}

function sendContent(ctx: Context, { type, content, fileName }: ContentAnswer): void {
  if (fileName !== undefined) ctx.set('Content-Disposition', `attachment; filename="${fileName}"`);
  ctx.type = type;
  ctx.body = typeof content === 'string' ? content : Readable.from(content);
}

/** True where a page may say that there is nothing: outside of the API, to whoever asks for one. */
function isForBrowser(ctx: Context, api: string): boolean {
  const isApi = ctx.path === api || ctx.path.startsWith(`${api}/`);
  return !isApi && ctx.method === 'GET' && asksForHtml(ctx);
}

/** True where HTML is accepted by name, as browsers do; to others a problem is a problem document. */
function asksForHtml(ctx: Context): boolean {
  return /\btext\/html\b/iu.test(ctx.get('Accept'));
}
