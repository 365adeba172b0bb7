// Finds the page for a path and a method. Uses koa-router only to match: router.ts dispatches,
// because the guard must run before the page, and the target of a form must be known before the
// form is sent.
import { createRouter } from '../../platform/http/router.js';
import type { Session } from '../../users/sessions.js';
import { admits, type Guard, type PageRoute } from './page.js';

/** Placeholder origin for resolving a path as a browser would. */
const ORIGIN = 'http://own';

export interface Match {
  readonly guard: Guard;
  /** Undefined if the path only has other methods. */
  readonly route: PageRoute | undefined;
  readonly params: Readonly<Record<string, string>>;
  /** The layers of the path for any method; `methods` builds Allow from them. */
  readonly layers: readonly { readonly methods: string[] }[];
}

export class RouteTable {
  readonly #routes: readonly PageRoute[];
  readonly #router = createRouter();

  constructor(routes: readonly PageRoute[]) {
    this.#routes = routes;
    for (const { method, path } of routes) this.#router[method](path, () => undefined);
  }

  /** Null if no route has the path. */
  match(path: string, method: string): Match | null {
    const { path: layers, pathAndMethod } = this.#router.match(path, method);
    const [layer] = pathAndMethod;
    const nearest = this.#routeOf(layers[0]);
    if (nearest === undefined) return null;
    return {
      guard: nearest.guard,
      route: this.#routeOf(layer),
      params: layer?.params(path, layer.captures(path)) ?? {},
      layers,
    };
  }

  /** The route of a form without a file that is posted to this path. */
  formRoute(path: string): PageRoute | undefined {
    // A browser would resolve any other spelling to a different path.
    const isPlain = URL.canParse(path, ORIGIN) && new URL(path, ORIGIN).href === ORIGIN + path;
    const route = isPlain ? this.match(path, 'POST')?.route : undefined;
    return route?.fileLimitBytes === undefined ? route : undefined;
  }

  /** True if there is a page at the address and the visitor may see it. */
  canSee(address: string, session: Session | null): boolean {
    const route = this.match(new URL(address, ORIGIN).pathname, 'GET')?.route;
    return route !== undefined && admits(route.guard, session);
  }

  /** The router has one layer per route, in the same order. */
  #routeOf(layer: unknown): PageRoute | undefined {
    return this.#routes[this.#router.stack.indexOf(layer as never)];
  }
}
