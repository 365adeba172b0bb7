// Bull Board, the operators' view of the queues, as middleware at a path and below. This file is
// its adapter, because the library's adapter for Koa parses bodies without our limits and needs a
// template engine with 100 packages. The caller restricts access; this file restricts actions to
// those that cannot create or alter a write.
import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BoardOptions, IServerAdapter } from '@bull-board/api/typings/app';
import type Router from '@koa/router';
import type { Context, Middleware } from 'koa';
import bodyParser from 'koa-bodyparser';
import { withTimeout } from '../../platform/async/timeout.js';
import { Problem, unavailable } from '../../platform/errors.js';
import { contentType, FOREVER, LATIN_FONT } from '../../platform/http/assets.js';
import { createRouter } from '../../platform/http/router.js';
import type { Log } from '../../platform/process/log.js';
import type { QueueShards } from '../../platform/queue/open.js';
import type { Session } from '../../users/sessions.js';
import { assets } from '../kit/assets.js';
import type { MountedApp } from '../kit/page.js';
import {
  BACK_LINK,
  boardPolicy,
  boardStyle,
  NONCE_SCRIPT,
  renderBoardPage,
} from './queue-board-page.js';

/** Where the board is mounted. */
const BASE = '/admin/queues';

interface QueueBoardParts {
  readonly producers: QueueShards;
  readonly log: Log;
}

/** Slower than the library's default: operators keep the page open while the queues are quiet. */
const POLL_SECONDS = 5;
/** The longest that a request waits for an unresponsive queue store. */
const ANSWER_MS = 5_000;
/** Adding a job or changing its data is not allowed: a worker would take it for a submission. */
const ALLOWED = /\/(?:pause|resume|retry|promote|clean|empty)(?:\/:queueStatus)?$/u;
/** All files except translations have a hash in their names. */
const HASHED = /\.[0-9a-f]{10}\.(?:js|css)$/u;
const NONCE_BYTES = 16;

const options = (): BoardOptions => ({
  uiConfig: {
    boardTitle: 'Queues',
    hideDocsLink: true,
    boardLogo: { path: assets.path('icon.svg'), width: 24, height: 24 },
    favIcon: { default: assets.path('icon.svg'), alternative: assets.path('favicon.ico') },
    pollingInterval: { showSetting: true, forceInterval: POLL_SECONDS },
  },
  handlerHooks: {
    before: ({ method, route }) =>
      method === 'get' || ALLOWED.test(route) ? undefined : NOT_ALLOWED,
  },
});
const NOT_ALLOWED = {
  allow: false,
  status: 403,
  errorKey: 'ERRORS.FORBIDDEN',
  message: 'This action is not allowed here.',
} as const;

/** The board as an app beside the dashboard's pages, with every action logged. */
export function queueApp(parts: QueueBoardParts): MountedApp {
  const board = queueBoard(parts);
  return {
    path: BASE,
    guard: 'operator',
    nav: { label: 'Queues', icon: 'queues', group: 'Operators' },
    run: async (ctx, next) => {
      await board(ctx, next);
      if (ctx.method === 'GET' || ctx.method === 'HEAD') return;
      const { companyId, userId } = ctx.state.session as Session;
      const { requestId } = ctx.state;
      parts.log.info(
        { requestId, companyId, userId, method: ctx.method, path: ctx.path, status: ctx.status },
        'queue board',
      );
    },
  };
}

/**
 * Loads the library and opens the board at the first request. While the queue's store is
 * unavailable, requests throw Problem `service_unavailable`, and the next one tries again.
 */
function queueBoard(parts: QueueBoardParts): Middleware {
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

async function openBoard({ producers, log }: QueueBoardParts): Promise<Middleware> {
  const [{ createBullBoard }, { BullMQAdapter }] = await Promise.all([
    import('@bull-board/api'),
    import('@bull-board/api/bullMQAdapter'),
  ]);
  // All shards of a queue have the same name in the store; a prefix separates them on the board.
  const queues = Object.values(producers).flatMap(shards =>
    shards.map(async (producer, shard) => ({
      queue: await producer.queue(),
      prefix: shard === 0 ? '' : `shard-${shard}-`,
    })),
  );
  const opened = await withTimeout(ANSWER_MS, Promise.all(queues)).catch(() => {
    throw unavailable('The queue is temporarily unavailable.');
  });
  const { adapter, settings } = collectSettings();
  createBullBoard({
    queues: opened.map(({ queue, prefix }) => new BullMQAdapter(queue, { prefix })),
    serverAdapter: adapter,
    options: options(),
  });
  const router = createRouter();
  addPage(router, settings);
  addFiles(router, settings.filesFolder, `${BASE}/static`);
  addApi(router, settings, log);
  return router.routes() as Middleware;
}

type Argument<Setter extends keyof IServerAdapter> = Parameters<IServerAdapter[Setter]>[0];

interface Settings {
  queues: Argument<'setQueues'>;
  viewsFolder: string;
  filesFolder: string;
  onError: Argument<'setErrorHandler'>;
  api: Argument<'setApiRoutes'>;
  entry: Argument<'setEntryRoute'>;
  ui: Argument<'setUIConfig'>;
}

/** An adapter that stores what `createBullBoard` passes to its setters. */
function collectSettings(): { adapter: IServerAdapter; settings: Settings } {
  const settings = {} as Settings;
  const store = <Key extends keyof Settings>(key: Key, value: Settings[Key]): IServerAdapter => {
    settings[key] = value;
    return adapter;
  };
  const adapter: IServerAdapter = {
    setQueues: queues => store('queues', queues),
    setViewsPath: path => store('viewsFolder', path),
    setStaticPath: (_route, path) => store('filesFolder', path),
    setErrorHandler: handler => store('onError', handler),
    setApiRoutes: routes => store('api', routes),
    setEntryRoute: route => store('entry', route),
    setUIConfig: config => store('ui', config),
  };
  return { adapter, settings };
}

function addPage(router: Router, { entry, ui, viewsFolder }: Settings): void {
  const { params } = entry.handler({ basePath: BASE, uiConfig: ui });
  const template = readFileSync(join(viewsFolder, 'index.ejs'), 'utf8');
  const page = renderBoardPage(template, params as Record<string, string>);
  const show = (ctx: Context): void => {
    const nonce = randomBytes(NONCE_BYTES).toString('base64url');
    const script = `<script src="${BASE}/nonce.js" data-nonce="${nonce}"></script>`;
    ctx.set('Content-Security-Policy', boardPolicy(nonce));
    ctx.type = 'text/html; charset=utf-8';
    ctx.body = page
      .replace('</head>', `<link href="${BASE}/back.css" rel="stylesheet">${script}</head>`)
      .replace('<div id="root">', `${BACK_LINK}<div id="root">`);
  };
  router.get(`${BASE}/nonce.js`, ctx => {
    ctx.type = contentType('nonce.js');
    ctx.body = NONCE_SCRIPT;
  });
  router.get(`${BASE}/back.css`, ctx => {
    ctx.type = contentType('back.css');
    ctx.body = boardStyle(assets.path(LATIN_FONT));
  });
  router.get(BASE, show);
  for (const path of [entry.route].flat()) router.get(BASE + path, show);
}

/** The files are read per request: several megabytes that only operators ever load. */
function addFiles(router: Router, folder: string, base: string): void {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
  for (const file of files) {
    router.get(base + file.slice(folder.length).replaceAll('\\', '/'), ctx => {
      ctx.state.isAsset = true;
      ctx.set('Cache-Control', `private, ${HASHED.test(file) ? FOREVER : 'no-cache'}`);
      ctx.type = contentType(file);
      ctx.body = readFileSync(file);
    });
  }
}

function addApi(router: Router, settings: Settings, log: Log): void {
  for (const { method, route, handler } of settings.api) {
    const answer = async (ctx: Context): Promise<void> => {
      const request = {
        queues: settings.queues,
        uiConfig: settings.ui,
        params: ctx.params,
        query: ctx.query,
        body: ctx.request.body,
        headers: ctx.headers,
      } as never as Parameters<typeof handler>[0];
      const { status = 200, body = {} } = await withTimeout(
        ANSWER_MS,
        Promise.resolve(handler(request)),
      ).catch(error => {
        const { requestId } = ctx.state;
        log.warn({ requestId, err: { message: error.message } }, 'queue board failed');
        return settings.onError(error);
      });
      ctx.status = status;
      ctx.type = 'application/json';
      ctx.body = JSON.stringify(body);
    };
    for (const verb of [method].flat()) router[verb](BASE + route, readBody, answer);
  }
}

/** Reads JSON if there is any. Most actions of the board have no body, and get an empty object. */
const readBody = bodyParser({
  enableTypes: ['json'],
  onerror: () => {
    throw new Problem('malformed_json', 'The body is not valid JSON.');
  },
});
