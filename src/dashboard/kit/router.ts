// Answers the requests for pages: applies guards, origin and token checks, and shows error pages.
// Other requests pass through; if nothing else answers a browser either, it gets a 404 page.

import type { Context, Middleware } from 'koa';
import { isApi } from '../../platform/api-path.js';
import { Problem } from '../../platform/errors.js';
import { clientNetwork } from '../../platform/http/address.js';
import { methods, toProblem } from '../../platform/http/errors.js';
import { FormFields } from '../../platform/http/input/form-fields.js';
import type { SharedRedis } from '../../platform/http/rate-limit.js';
import type { Log } from '../../platform/process/log.js';
import { findSession, type Session } from '../../users/sessions.js';
import {
  Forbidden,
  readVisitorForm,
  refuseOtherSites,
  refuseUnlessAdmitted,
  signInAnswer,
  signInPath,
  staleAnswer,
  unsentFormOf,
} from './access.js';
import { type Cookies, createCookies } from './cookies.js';
import { createFormTokens, type FormTokens, TOKEN_FIELD } from './csrf.js';
import { readForm, refuseNul } from './forms/form.js';
import type { Answer, Guard, MountedApp, PageAnswer, PageRequest, PageRoute } from './page.js';
import { createRequestLimits, type RequestLimits } from './request-limits.js';
import { createResponder, type Responder, setPageHeaders } from './responder.js';
import { type Match, RouteTable } from './route-table.js';
import { errorPage } from './ui/error-page.js';
import type { UnsentForm } from './unsent-form.js';
import { readUpload, Uploads } from './upload.js';

export interface RouterParts {
  readonly routes: readonly PageRoute[];
  readonly apps: readonly MountedApp[];
  /** Signs form tokens and flashes; the same in every web process. */
  readonly secret: string;
  readonly publicUrl: string | undefined;
  /** The store that counts requests; null if Postgres counts them. */
  readonly shared: SharedRedis | null;
  readonly log: Log;
  /** The sign-in page for a form that arrived after its session had ended. */
  readonly sessionEndedPage: (unsent: UnsentForm) => PageAnswer;
}

/** The page or the app that a request is for. */
interface Target {
  readonly guard: Guard;
  readonly run: (session: Session | null) => Promise<void>;
}

export class PageRouter {
  readonly #parts: RouterParts;
  readonly #table: RouteTable;
  readonly #tokens: FormTokens;
  readonly #cookies: Cookies;
  readonly #responder: Responder;
  readonly #uploads = new Uploads();
  readonly #limits: RequestLimits;

  constructor(parts: RouterParts) {
    const { routes, apps, secret, publicUrl, shared } = parts;
    this.#parts = parts;
    this.#table = new RouteTable(routes);
    this.#limits = createRequestLimits(shared);
    this.#tokens = createFormTokens(secret);
    this.#cookies = createCookies(secret, publicUrl);
    this.#responder = createResponder(this.#cookies, this.#tokens, {
      targets: [...routes, ...apps],
      canSee: (address, session) => this.#table.canSee(address, session),
    });
  }

  readonly middleware: Middleware = async (ctx, next) => {
    const target = this.#targetOf(ctx);
    if (target !== null && (await this.#serve(ctx, target))) return;
    await next();
    if (ctx.status !== 404 || ctx.body != null || !isForBrowser(ctx)) return;
    await this.#showNotFound(ctx);
  };

  /** Shows the 404 page, with the navigation if the visitor is signed in. */
  async #showNotFound(ctx: Context): Promise<void> {
    try {
      const isSignedIn = this.#cookies.session(ctx) !== undefined;
      ctx.state.session = isSignedIn ? await this.#countedSession(ctx) : null;
      throw new Problem('not_found', 'There is nothing at this address.');
    } catch (error) {
      this.#showError(ctx, error);
    }
  }

  async #countedSession(ctx: Context): Promise<Session | null> {
    const token = this.#cookies.session(ctx);
    const session = token === undefined ? null : await findSession(token);
    await this.#limits.count(clientNetwork(ctx), session, ctx.method);
    return session;
  }

  #targetOf(ctx: Context): Target | null {
    const match = this.#table.match(ctx.path, ctx.method);
    if (match !== null) {
      const run = (session: Session | null) =>
        methods(ctx, () => this.#runPage(ctx, match, session));
      return { guard: match.guard, run };
    }
    const app = this.#parts.apps.find(({ path }) => `${ctx.path}/`.startsWith(`${path}/`));
    return app ? { guard: app.guard, run: session => this.#runApp(ctx, app, session) } : null;
  }

  /** False if the request passes through, as operator pages do for signed-in non-operators. */
  async #serve(ctx: Context, { guard, run }: Target): Promise<boolean> {
    try {
      const session = await this.#countedSession(ctx);
      if (guard === 'operator' && session !== null && !session.operator) return false;
      ctx.state.session = session;
      setPageHeaders(ctx);
      await run(session);
    } catch (error) {
      this.#showError(ctx, error);
    }
    return true;
  }

  async #runApp(ctx: Context, { guard, run }: MountedApp, session: Session | null): Promise<void> {
    if (ctx.method !== 'GET' && ctx.method !== 'HEAD') refuseOtherSites(ctx, this.#parts.publicUrl);
    if (session === null) return this.#responder.send(ctx, { to: signInPath(ctx) });
    refuseUnlessAdmitted(guard, session);
    await run(ctx, async () => undefined);
  }

  async #runPage(ctx: Context, match: Match, session: Session | null): Promise<void> {
    const { route, params, layers } = match;
    ctx.matched = layers;
    if (route === undefined) return;
    ctx._matchedRoute = route.path;
    await this.#responder.send(ctx, await this.#answerOf(ctx, route, params, session));
  }

  async #answerOf(
    ctx: Context,
    route: PageRoute,
    params: PageRequest['params'],
    session: Session | null,
  ): Promise<Answer> {
    const { guard, method, maxBytes, fileLimitBytes } = route;
    const answer = () => this.#answerAdmitted(ctx, route, params, session);
    if (method === 'post') {
      refuseOtherSites(ctx, this.#parts.publicUrl);
      if (fileLimitBytes === undefined)
        await (session === null ? readVisitorForm(ctx, guard) : readForm(ctx, maxBytes));
    }
    if (session === null && guard !== 'anyone')
      return signInAnswer(ctx, this.#parts.sessionEndedPage);
    if (fileLimitBytes === undefined || session === null) return answer();
    // Megabytes are only read from a visitor who may send them. The form's token is among them.
    refuseUnlessAdmitted(guard, session);
    return this.#uploads.run(session.companyId, async () => {
      await readUpload(ctx, fileLimitBytes);
      return answer();
    });
  }

  async #answerAdmitted(
    ctx: Context,
    { guard, method, answer }: PageRoute,
    params: PageRequest['params'],
    session: Session | null,
  ): Promise<Answer> {
    // A token belongs to a session, so the forms that anyone may send have none.
    if (method === 'post' && guard !== 'anyone' && !this.#hasToken(ctx, session))
      return staleAnswer(ctx, guard, session);
    refuseUnlessAdmitted(guard, session);
    return answer(this.#requestOf(ctx, params, session));
  }

  #hasToken({ state }: Context, session: Session | null): boolean {
    const token = (state.form as FormFields).get(TOKEN_FIELD) ?? '';
    return session !== null && this.#tokens.isGenuine(session.id, token);
  }

  #requestOf(
    ctx: Context,
    params: PageRequest['params'],
    session: Session | null,
  ): PageRequest<Session | null> {
    const query = new URLSearchParams(ctx.querystring);
    refuseNul(query);
    return {
      session,
      path: ctx.path,
      params,
      query,
      form: ctx.state.form ?? new FormFields(),
      file: ctx.state.file ?? null,
      // Koa’s own ctx.origin is the Origin header, which a GET does not have.
      origin: this.#parts.publicUrl ?? `${ctx.protocol}://${ctx.host}`,
      network: clientNetwork(ctx),
      requestId: ctx.state.requestId as string,
      formGuard: path => this.#table.formRoute(path)?.guard ?? null,
      canSee: address => this.#table.canSee(address, session),
    };
  }

  /** Answers a browser with an error page; rethrows a Problem for other clients. */
  #showError(ctx: Context, error: unknown): void {
    setPageHeaders(ctx);
    const refusal = error instanceof Forbidden ? error : toProblem(error, ctx, this.#parts.log);
    if (refusal instanceof Problem && !asksForHtml(ctx)) throw refusal;
    const { page, code } = errorPage(refusal, unsentFormOf(ctx));
    ctx.state.problemCode = code;
    this.#responder.show(ctx, page);
  }
}

/** True if a browser may receive a page for this path. Clients of the API never receive one. */
function isForBrowser(ctx: Context): boolean {
  return !isApi(ctx.path) && ctx.method === 'GET' && asksForHtml(ctx);
}

/** True if Accept names HTML, as browsers do; other clients get a problem document. */
function asksForHtml(ctx: Context): boolean {
  return /\btext\/html\b/iu.test(ctx.get('Accept'));
}
