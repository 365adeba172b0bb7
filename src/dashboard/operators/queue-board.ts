// Bull Board, the page on which operators look into the queues, as middleware at a path and below. It is served by this
// adapter: its own for Koa would parse bodies without our limits and render with a template engine of 100 packages. What
// stands before it decides who may come; what it changes is limited here to what cannot make or alter a write.
import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import type { BoardOptions, IServerAdapter } from '@bull-board/api/typings/app';
import type { Context, Middleware, Next } from 'koa';
import { withTimeout } from '../../platform/async/timeout.js';
import { unavailable } from '../../platform/errors.js';
import { jsonBody } from '../../platform/http/body.js';
import { createRouter } from '../../platform/http/router.js';
import type { Log } from '../../platform/process/log.js';
import type { QueueShards } from '../../platform/queue/open.js';

export interface QueueBoardParts {
  /** Where it is mounted, such as /admin/queues. */
  readonly base: string;
  readonly queues: QueueShards;
  readonly log: Log;
}

/** Its page is open for longer than a queue is quiet. */
const POLL_SECONDS = 5;
/** A store that hangs holds no request for longer. */
const ANSWER_MS = 5_000;
/** What operators may do. Not adding a job or changing its data: a worker takes what it finds there for a submission. */
const ALLOWED = /\/(?:pause|resume|retry|promote|clean|empty)(?:\/:queueStatus)?$/u;
/** Its files have a hash in their names, but for translations. */
const HASHED = /\.[0-9a-f]{10}\.(?:js|css)$/u;
const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
};
/**
 * Its script writes style elements that depend on the window, for menus and scroll bars, and cannot be told a nonce: this
 * one, before it, gives them the page's.
 */
const NONCE_SCRIPT = `const { nonce } = document.currentScript.dataset;
for (const method of ['createElement', 'createElementNS']) {
  const create = Document.prototype[method];
  Document.prototype[method] = function (...all) {
    const element = create.apply(this, all);
    if (element.localName === 'style') element.nonce = nonce;
    return element;
  };
}
`;
const NONCE_BYTES = 16;
const policy = (nonce: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "worker-src 'self'",
    "style-src 'self'",
    `style-src-elem 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'self'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

/** Opens with the first request; while the queue's store is away, throws Problem `service_unavailable`. */
export function queueBoard(parts: QueueBoardParts): Middleware {
  let opening: Promise<Middleware> | undefined;
  return async (ctx, next) => {
    opening ??= openBoard(parts).catch(error => {
      opening = undefined;
      throw error;
    });
    const board = await opening;
    await board(ctx, next);
  };
}

async function openBoard({ base, queues, log }: QueueBoardParts): Promise<Middleware> {
  const [{ createBullBoard }, { BullMQAdapter }] = await Promise.all([
    import('@bull-board/api'),
    import('@bull-board/api/bullMQAdapter'),
  ]);
  // Shards have their queue's name in the store, and one of their own on the board.
  const shards = Object.values(queues).flatMap(producers =>
    producers.map(async (producer, shard) => ({
      queue: await producer.queue(),
      prefix: shard === 0 ? '' : `shard-${shard}-`,
    })),
  );
  const opened = await withTimeout(ANSWER_MS, Promise.all(shards)).catch(() => {
    throw unavailable('The queue cannot be reached at the moment.');
  });
  const { adapter, settings } = collect();
  createBullBoard({
    queues: opened.map(({ queue, prefix }) => new BullMQAdapter(queue, { prefix })),
    serverAdapter: adapter,
    options: OPTIONS,
  });
  return boardRoutes(base, settings, log);
}

const OPTIONS: BoardOptions = {
  uiConfig: {
    boardTitle: 'Queues · Tradepost',
    hideDocsLink: true,
    miscLinks: [{ text: 'Back to the dashboard', url: '/' }],
    pollingInterval: { showSetting: true, forceInterval: POLL_SECONDS },
  },
  handlerHooks: {
    before: ({ method, route }) =>
      method === 'get' || ALLOWED.test(route)
        ? undefined
        : {
            allow: false,
            status: 403,
            errorKey: 'ERRORS.FORBIDDEN',
            message: 'This is not done from here.',
          },
  },
};

interface Settings {
  queues: Parameters<IServerAdapter['setQueues']>[0];
  views: string;
  files: string;
  onError: Parameters<IServerAdapter['setErrorHandler']>[0];
  api: Parameters<IServerAdapter['setApiRoutes']>[0];
  entry: Parameters<IServerAdapter['setEntryRoute']>[0];
  ui: Parameters<IServerAdapter['setUIConfig']>[0];
}

/** The library hands its parts over one by one. */
function collect(): { adapter: IServerAdapter; settings: Settings } {
  const settings = {} as Settings;
  const keep = <Key extends keyof Settings>(key: Key, value: Settings[Key]): IServerAdapter => {
    settings[key] = value;
    return adapter;
  };
  const adapter: IServerAdapter = {
    setQueues: queues => keep('queues', queues),
    setViewsPath: path => keep('views', path),
    setStaticPath: (_route, path) => keep('files', path),
    setErrorHandler: handler => keep('onError', handler),
    setApiRoutes: routes => keep('api', routes),
    setEntryRoute: route => keep('entry', route),
    setUIConfig: config => keep('ui', config),
  };
  return { adapter, settings };
}

function boardRoutes(base: string, settings: Settings, log: Log): Middleware {
  const router = createRouter();
  const { entry, ui } = settings;
  const { params } = entry.handler({ basePath: base, uiConfig: ui });
  const page = fillIn(
    readFileSync(join(settings.views, 'index.ejs'), 'utf8'),
    params as Record<string, string>,
  );
  const show = (ctx: Context): void => {
    const nonce = randomBytes(NONCE_BYTES).toString('base64url');
    ctx.set('Content-Security-Policy', policy(nonce));
    ctx.type = 'text/html; charset=utf-8';
    ctx.body = page.replace(
      '</head>',
      `<script src="${base}/nonce.js" data-nonce="${nonce}"></script></head>`,
    );
  };
  router.get(`${base}/nonce.js`, ctx => {
    ctx.type = 'text/javascript; charset=utf-8';
    ctx.body = NONCE_SCRIPT;
  });
  router.get(base, show);
  for (const path of [entry.route].flat()) router.get(base + path, show);
  for (const { path, file } of filesBelow(settings.files, `${base}/static`)) {
    router.get(path, ctx => {
      ctx.set(
        'Cache-Control',
        HASHED.test(path) ? 'private, max-age=31536000, immutable' : 'private, no-cache',
      );
      ctx.type = TYPES[extname(path)] ?? 'application/octet-stream';
      ctx.body = readFileSync(file);
    });
  }
  for (const { method, route, handler } of settings.api) {
    for (const verb of [method].flat()) {
      router[verb](
        base + route,
        ...bodyIfAny,
        async (ctx: Context & { params: Record<string, string> }) => {
          const request = {
            queues: settings.queues,
            uiConfig: ui,
            params: ctx.params,
            query: ctx.query,
            body: ctx.request.body ?? {},
            headers: ctx.headers,
          } as never as Parameters<typeof handler>[0];
          const answer = await withTimeout(ANSWER_MS, Promise.resolve(handler(request))).catch(
            error => {
              log.warn(
                { requestId: ctx.state.requestId, err: { message: error.message } },
                'queue board failed',
              );
              return settings.onError(error);
            },
          );
          ctx.status = answer.status ?? 200;
          ctx.type = 'application/json';
          ctx.body = JSON.stringify(answer.body ?? {});
        },
      );
    }
  }
  return router.routes() as Middleware;
}

/** Most of its writes come without a body. */
const bodyIfAny = jsonBody.map(
  (part): Middleware =>
    async (ctx: Context, next: Next) => {
      const hasBody = ctx.get('Transfer-Encoding') !== '' || Number(ctx.get('Content-Length')) > 0;
      await (hasBody ? part(ctx, next) : next());
    },
);

/**
 * The library's page with its values, without the fonts that it would fetch from another host and without the styles in
 * it, which only its placeholder needs. Throws where a new release has put in what is not known here.
 */
function fillIn(template: string, values: Readonly<Record<string, string>>): string {
  const page = template
    .replaceAll(/<link [^>]*fonts\.googleapis\.com[^>]*>/gu, '')
    .replaceAll(/<style>.*?<\/style>|(?<=<[^>]*) style="[^"]*"/gsu, '')
    .replaceAll(/<%([=-])\s*(\w+)\s*%>/gu, (_all, kind: string, name: string) => {
      const value = values[name];
      if (value === undefined) throw new Error(`the queue board's page asks for ${name}`);
      return kind === '-'
        ? value
        : value.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
    });
  if (/<%|(?:src|href)="(?:https?:)?\/\//u.test(page))
    throw new Error('the queue board has a page of another form');
  return page;
}

function filesBelow(folder: string, path: string): { path: string; file: string }[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => {
      const file = join(entry.parentPath, entry.name);
      return { file, path: path + file.slice(folder.length).replaceAll('\\', '/') };
    });
}
