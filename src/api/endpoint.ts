// The endpoints of the API, each declared once. `endpointRouter` makes the Koa route with its scope
// and checks; api-docs/operations.ts makes the operation of the OpenAPI document.
import type Router from '@koa/router';
import type Joi from 'joi';
import type { Context, Middleware } from 'koa';
import { type Auth, requireScope } from '../api-keys/authenticate.js';
import type { Scope } from '../api-keys/model.js';
import type { Submitter } from '../jobs/submit/submitter.js';
import type { WriteKind } from '../jobs/write-kind.js';
import { API } from '../platform/api-path.js';
import { notFound, Problem, type ProblemCode } from '../platform/errors.js';
import { noParameters, validateQuery } from '../platform/http/input/query.js';
import type { QuerySchema } from '../platform/http/input/typed-schema.js';
import type { Cursors, Page } from '../platform/http/pagination.js';
import { etagOfBody, isMatchAllowed } from '../platform/http/representation.js';
import { createRouter, pathId } from '../platform/http/router.js';
import { answerWrite, type Checked, patchRequest, toWrite, writeRequest } from './answer-write.js';

export interface Declaration {
  /** The path below the API's base path, such as /payments/{id}. */
  readonly path: string;
  /** The operation's id in the document, and the name of its file of examples. */
  readonly id: string;
  readonly tag: string;
  readonly summary: string;
  readonly description: string;
  /** The scope that the route requires. Of several, `find` requires the one of the record. */
  readonly scope: Scope | readonly Scope[];
  /** True if the route requires all of several scopes. */
  readonly needsAllScopes?: boolean;
  /** A sentence about the successful answer. */
  readonly answer: string;
  /** The schema of the answer, or of each element of a list. Several names are alternatives. */
  readonly schema: string | readonly string[];
  /** The 409 and 410 answers: the name of the response in the document, and its codes. */
  readonly conflicts?: Readonly<Record<string, readonly ProblemCode[]>>;
  /** True if the endpoint ignores Idempotency-Key and If-Match. */
  readonly isPlain?: boolean;
  /** Names the record whose id is in the path, as in "There is no such payment." */
  readonly noun?: string;
  /** The list that finds the record by what people call it, such as `/invoices?number=`. */
  readonly search?: string;
}

export interface RequestBody {
  /** The schema's name in the document. */
  readonly name: string;
  readonly schema: Joi.ObjectSchema;
}

/** Decides the method here, and the shared parameters, headers and problems in api-docs. */
export type EndpointType =
  | 'read'
  | 'list'
  /** GET of one object that has pages, and is also CSV with `format=csv`. */
  | 'report'
  /** GET of events, the oldest of which expire. */
  | 'feed'
  /** GET of a file, whose media type is the `schema`. */
  | 'document'
  | 'write'
  | 'batch'
  /** POST that creates a record and is not queued: 201. */
  | 'create'
  /** POST that adds something to an outbox and is not queued itself: 202. */
  | 'send'
  /** POST that changes records and is not queued: 200. */
  | 'action'
  /** POST that asks workers for something and is not queued itself: 202. */
  | 'request'
  | 'update'
  | 'delete';

export interface Endpoint extends Declaration {
  readonly type: EndpointType;
  readonly query?: Joi.ObjectSchema;
  readonly body?: RequestBody;
  /** True if a success names the address of the record in Location. */
  readonly hasLocation?: boolean;
  /** The middleware that runs after the check of the scope. */
  readonly middleware: (services: Services) => readonly Middleware[];
}

/** The parts of the process that endpoints use. */
export interface Services {
  readonly submitter: Submitter;
  readonly pager: Cursors;
}

const METHODS = {
  read: 'get',
  list: 'get',
  report: 'get',
  feed: 'get',
  document: 'get',
  write: 'post',
  batch: 'post',
  create: 'post',
  send: 'post',
  action: 'post',
  request: 'post',
  update: 'patch',
  delete: 'delete',
} as const;

export function methodOf({ type }: Pick<Endpoint, 'type'>): (typeof METHODS)[EndpointType] {
  return METHODS[type];
}

/** The routes of a slice's endpoints. */
export function endpointRouter(endpoints: readonly Endpoint[], services: Services): Router {
  const router = createRouter();
  for (const endpoint of endpoints) {
    const { path, scope, needsAllScopes, middleware } = endpoint;
    const required = needsAllScopes || typeof scope === 'string' ? [scope].flat() : [];
    router[methodOf(endpoint)](
      path.replaceAll(/\{(\w+)\}/gu, ':$1'),
      ...literalsGuard(path, endpoints),
      ...required.map(requireScope),
      ...middleware(services),
    );
  }
  return router;
}

/** Keeps a path such as /invoices/batch, which has methods of its own, from /invoices/{id}. */
function literalsGuard(path: string, endpoints: readonly Endpoint[]): Middleware[] {
  if (!path.endsWith('/{id}')) return [];
  const parent = path.slice(0, -'{id}'.length);
  const literals = endpoints
    .filter(other => other.path !== path && other.path.startsWith(parent))
    .map(other => other.path.slice(parent.length))
    .filter(part => !part.includes('/'));
  if (literals.length === 0) return [];
  return [
    async (ctx, next) => {
      if (!literals.includes(ctx.params.id ?? '')) await next();
    },
  ];
}

/** GET of one record. `find` resolves to its JSON text, or null: that is Problem `not_found`. */
export function readEndpoint({
  find,
  ...declaration
}: Declaration & {
  readonly find: (auth: Auth, id: string) => Promise<string | null>;
}): Endpoint {
  const { noun, search } = declaration;
  const answer: Middleware = async ctx => {
    const body = await find(authOf(ctx), noun === undefined ? '' : pathId(ctx, noun, search));
    if (body === null) throw notFound(noun ?? 'record');
    ctx.type = 'json';
    ctx.body = body;
  };
  return { ...declaration, type: 'read', middleware: () => [noParameters, answer] };
}

/**
 * PATCH of one record. `patch` resolves to its new JSON text. `checkCurrent` takes the text before,
 * and throws Problem `precondition_failed` if If-Match names another one. An endpoint that ignores
 * If-Match does not call it.
 */
export function patchEndpoint({
  patch,
  ...declaration
}: Declaration & {
  readonly noun: string;
  readonly body: RequestBody;
  readonly patch: (
    ctx: Context,
    id: string,
    checkCurrent: (body: string) => void,
  ) => Promise<string>;
}): Endpoint {
  const { noun, search } = declaration;
  const answer: Middleware = async ctx => {
    const body = await patch(ctx, pathId(ctx, noun, search), current => {
      if (!isMatchAllowed(ctx.get('If-Match'), current))
        throw new Problem('precondition_failed', `The ${noun} has changed since you read it.`);
    });
    ctx.type = 'json';
    ctx.set('ETag', etagOfBody(body));
    ctx.body = body;
  };
  return { ...declaration, type: 'update', middleware: () => [...patchRequest, answer] };
}

export interface ListQuery {
  readonly cursor?: string;
}

/** GET of a list, page by page. */
export function listEndpoint<Query extends ListQuery>({
  page: readPage,
  cursors,
  ...declaration
}: Declaration & {
  readonly query: QuerySchema<Query>;
  /** Part of each cursor's signature, with the id in the path: other lists refuse the cursor. */
  readonly cursors: string;
  /** The page after `position`. Null if there is no record with the id in the path. */
  readonly page: (
    auth: Auth,
    query: Query,
    position: string[] | undefined,
    id: string,
  ) => Promise<Page | null>;
}): Endpoint {
  const { noun, search, query } = declaration;
  const answer =
    (pager: Cursors): Middleware =>
    async ctx => {
      const filter = validateQuery(query, ctx);
      const id = noun === undefined ? '' : pathId(ctx, noun, search);
      const list = noun === undefined ? cursors : `${cursors} of ${id}`;
      const page = await answerPage(ctx, pager, list, filter.cursor, (auth, position) =>
        readPage(auth, filter, position, id),
      );
      if (page === null) throw notFound(noun ?? 'record');
    };
  return { ...declaration, type: 'list', middleware: ({ pager }) => [answer(pager)] };
}

/** Answers with the page after the cursor and a link to the next one, unless `read` finds none. */
export async function answerPage(
  ctx: Context,
  pager: Cursors,
  list: string,
  cursor: string | undefined,
  read: (auth: Auth, position: string[] | undefined) => Promise<Page | null>,
): Promise<Page | null> {
  const auth = authOf(ctx);
  const page = await read(auth, pager.position(auth.companyId, list, cursor));
  if (page?.next) pager.linkNext(auth.companyId, ctx, list, page.next);
  if (page) {
    ctx.type = 'json';
    ctx.body = page.body;
  }
  return page;
}

/** POST that queues one write and answers 201, or 202 with its job. */
export function writeEndpoint({
  kind,
  check,
  location,
  ...declaration
}: Declaration & {
  readonly body: RequestBody;
  readonly kind: WriteKind;
  /** Validates the body. Throws Problem. */
  readonly check: (body: unknown, auth: Auth, id: string) => Checked | Promise<Checked>;
  /** The path of the record below the API's base path. `payload` is null for a refused body. */
  readonly location?: (resultId: string, payload: unknown) => string;
}): Endpoint {
  const { noun, search } = declaration;
  const answer =
    (submitter: Submitter): Middleware =>
    async ctx => {
      const id = noun === undefined ? '' : pathId(ctx, noun, search);
      const checked = await check(ctx.request.body, authOf(ctx), id);
      await answerWrite(ctx, submitter, kind, checked, resultId =>
        location ? API + location(resultId, toWrite(checked).payload) : null,
      );
    };
  return {
    ...declaration,
    type: 'write',
    hasLocation: location !== undefined,
    middleware: ({ submitter }) => [...writeRequest, answer(submitter)],
  };
}

/** The permissions and settings behind a request below the API's base path. */
export function authOf(ctx: Context): Auth {
  return ctx.state.auth as Auth;
}
