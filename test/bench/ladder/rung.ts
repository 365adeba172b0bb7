// A server of the ladder: the web process up to one step of a create, after which it answers at
// once. Its argument is the name of the rung.
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import Router from '@koa/router';
import Koa, { type Middleware } from 'koa';
import bodyParser from 'koa-bodyparser';
import { configOrExit } from '../../../config/index.js';
import { writeRequest } from '../../../src/api/answer-write.js';
import { authOf, type Endpoint, endpointRouter } from '../../../src/api/endpoint.js';
import { type Auth, createAuthenticate } from '../../../src/api-keys/authenticate.js';
import { loadKeptKeys } from '../../../src/companies/kept-keys.js';
import { checkRequest } from '../../../src/invoices/checks/check-requests.js';
import { invoiceWrites } from '../../../src/invoices/post.js';
import { invoiceEndpoints } from '../../../src/invoices/routes.js';
import { Submitter } from '../../../src/jobs/submit/submitter.js';
import type { JobOutcome, Submission } from '../../../src/jobs/write-kind.js';
import { API } from '../../../src/platform/api-path.js';
import { closeDatabase, openDatabase } from '../../../src/platform/db/connection.js';
import { methods, problems } from '../../../src/platform/http/errors.js';
import { closeOnUnreadBody } from '../../../src/platform/http/input/body.js';
import { createCursors } from '../../../src/platform/http/pagination.js';
import { createCounter, rateLimit } from '../../../src/platform/http/rate-limit.js';
import { representation } from '../../../src/platform/http/representation.js';
import { requestLog } from '../../../src/platform/http/request-log.js';
import { securityHeaders } from '../../../src/platform/http/security-headers.js';
import { HttpServer } from '../../../src/platform/http/server.js';
import { type OnStop, runProcess } from '../../../src/platform/process/lifecycle.js';
import type { Log } from '../../../src/platform/process/log.js';
import { openQueues, type Producer, type Queues } from '../../../src/platform/queue/open.js';
import { openReplyListener } from '../../../src/platform/queue/replies.js';
import { readAnswer, replyWith } from './answer.js';

const HOUR_SECONDS = 3600;
const QUEUE_POOL_MAX = 4;
const PATH = `${API}/invoices`;

/** An unread body would close the connection. */
const readBody: Middleware = async ({ req }, next) => {
  for await (const _chunk of req);
  await next();
};

const config = configOrExit();
const [rung = ''] = process.argv.slice(2);

await runProcess('rung', config, async (log, onStop) => {
  const databaseUrl = config.databaseUrl ?? '';
  openDatabase({ url: databaseUrl, poolMax: config.databasePoolMax, name: 'tradepost-rung' });
  onStop('database', closeDatabase);
  await loadKeptKeys();
  const answer = await readAnswer();
  const port = await listen(rung, { answer, databaseUrl, log, onStop });
  process.send?.({ ready: true, port });
});

interface Parts {
  /** The JSON text of every answer. */
  readonly answer: string;
  readonly databaseUrl: string;
  readonly log: Log;
  readonly onStop: OnStop;
}

async function listen(name: string, parts: Parts): Promise<number> {
  if (name === 'node') return listenPlainly(bareNode(parts), parts);
  if (name === 'koa') return listenPlainly(bareKoa(parts), parts);
  const server = new HttpServer((await productUpTo(name, parts)).callback());
  parts.onStop('http', () => server.close());
  return server.listen(0, '127.0.0.1');
}

function listenPlainly(listener: RequestListener, { onStop }: Parts): Promise<number> {
  const server = createServer(listener);
  onStop('http', () => server.close());
  return new Promise(resolve => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
  });
}

function bareNode({ answer }: Parts): RequestListener {
  return async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    JSON.parse(Buffer.concat(chunks).toString());
    response.writeHead(201, { 'Content-Type': 'application/json; charset=utf-8' }).end(answer);
  };
}

function bareKoa({ answer }: Parts): RequestListener {
  const router = new Router().post(PATH, answerWith(answer));
  return new Koa().use(bodyParser()).use(router.routes()).callback();
}

function answerWith(answer: string): Middleware {
  return ctx => {
    ctx.status = 201;
    ctx.type = 'json';
    ctx.body = answer;
  };
}

/** The product's middleware, in its order, up to the step of this name. */
async function productUpTo(name: string, parts: Parts): Promise<Koa> {
  const { log, onStop } = parts;
  const queues = await openQueues(
    { databaseUrl: parts.databaseUrl, redisUrl: config.redisUrl, poolMax: QUEUE_POOL_MAX },
    log,
    onStop,
  );
  const shared = queues.redis && { redis: queues.redis, breaker: queues.breaker };
  const refusals = createCounter(shared, 'bench-refused', 60, 30);
  const requests = createCounter(shared, 'bench-requests', HOUR_SECONDS);
  const steps: Readonly<Record<string, readonly Middleware[]>> = {
    log: [requestLog(log)],
    headers: [securityHeaders, closeOnUnreadBody],
    representation: [representation],
    errors: [problems(log), methods],
    authenticate: [createAuthenticate(refusals, log, onStop)],
    limit: [rateLimit(requests, HOUR_SECONDS, ({ auth }) => limitOf(auth as Auth))],
  };
  const app = new Koa();
  for (const [step, middleware] of Object.entries(steps)) {
    for (const each of middleware) app.use(each);
    if (step === name) return app.use(readBody).use(answerWith(parts.answer));
  }
  return app.use(await routesUpTo(name, { ...parts, queues }));
}

function limitOf({ companyId, rateLimitPerHour }: Auth) {
  return { key: companyId, limit: rateLimitPerHour ?? config.rateLimitPerHour };
}

async function routesUpTo(name: string, parts: Parts & { queues: Queues }): Promise<Middleware> {
  const create = invoiceEndpoints.find(({ id }) => id === 'createInvoice') as Endpoint;
  const answer = answerWith(parts.answer);
  const check: Middleware = async (ctx, next) => {
    await checkRequest(ctx.request.body, authOf(ctx));
    await next();
  };
  const shorter: Readonly<Record<string, readonly Middleware[]>> = {
    body: [...writeRequest, answer],
    checks: [...writeRequest, check, answer],
  };
  const middleware = shorter[name];
  const endpoint = middleware ? { ...create, middleware: () => middleware } : create;
  const services = {
    submitter: await submitterOf(name, parts),
    pager: createCursors('bench', undefined),
  };
  return endpointRouter([endpoint], services).prefix(API).routes() as Middleware;
}

/** Without a queue, each write has its reply at once. */
async function submitterOf(
  name: string,
  { queues, answer, databaseUrl, log, onStop }: Parts & { queues: Queues },
): Promise<Submitter> {
  const atOnce = {
    add: async (_name: string, { submissions }: { submissions: readonly Submission[] }) => {
      submitter.onReplies(submissions.map(submission => replyWith(submission, answer)));
    },
  } as unknown as Producer;
  const isQueued = name === 'queue' || name === 'plan';
  const { queue } = invoiceWrites;
  const producers = { [queue]: isQueued ? await queues.shardProducers(queue) : [atOnce] };
  let address = '';
  const replyTo = () => address;
  const submitter = new Submitter({ kinds: [invoiceWrites], producers, replyTo, log, onStop });
  if (isQueued)
    address = openReplyListener<JobOutcome>(
      { databaseUrl, redisUrl: config.redisUrl },
      replies => submitter.onReplies(replies),
      log,
      onStop,
    );
  return submitter;
}
