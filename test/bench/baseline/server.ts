// The baseline: the product's routes as one lean process on node:http and pg, with its own tables.
// It checks keys, counts requests and carries out each write in one transaction within the request.
// It omits what costs time: logs, queue, refreshing summaries, careful validation.
import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import pg from 'pg';
import { configOrExit } from '../../../config/index.js';
import { createAccounts } from './accounts.js';
import { createLimiter } from './limiter.js';
import { findInvoice, listInvoices, listLow, readSummary } from './reads.js';
import { type Answer, adjustStock, createInvoice, type WriteInput } from './writes.js';

/** The fastest number measured. */
const CONNECTIONS = 16;
const API = '/api/external';

const { databaseUrl, redisUrl } = configOrExit();
const pool = new pg.Pool({ connectionString: databaseUrl, max: CONNECTIONS });
const findAccount = createAccounts(pool);
const countRequest = createLimiter(pool, redisUrl);

const NOT_FOUND: Answer = { status: 404, body: '{"code":"not_found"}' };

async function answer(
  request: IncomingMessage,
  companyId: string,
  currency: string,
): Promise<Answer> {
  const [path = '', search = ''] = (request.url ?? '').slice(API.length).split('?');
  if (request.method === 'POST') {
    const key = request.headers['idempotency-key'] as string | undefined;
    const write: WriteInput = {
      companyId,
      currency,
      key,
      body: JSON.parse(await readBody(request)),
    };
    if (path === '/invoices') return createInvoice(pool, write);
    return path === '/inventory/adjustments' ? adjustStock(pool, write) : NOT_FOUND;
  }
  if (path === '/invoices') {
    return ok(
      await listInvoices(pool, companyId, Number(new URLSearchParams(search).get('limit') ?? 50)),
    );
  }
  if (path.startsWith('/invoices/'))
    return ok(await findInvoice(pool, companyId, path.slice('/invoices/'.length)));
  if (path === '/inventory') return ok(await listLow(pool, companyId));
  return path === '/summary' ? ok(await readSummary(pool, companyId)) : NOT_FOUND;
}

function ok(body: string | null): Answer {
  return body === null ? NOT_FOUND : { status: 200, body };
}

async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const account = await findAccount(request.headers['x-api-key'] as string | undefined);
  if (!account) return send(response, { status: 401, body: '{"code":"invalid_api_key"}' }, {});
  const { used, resetMs } = await countRequest(account.companyId);
  const left = Math.max(account.limit - used, 0);
  const reset = Math.ceil(resetMs / 1000);
  const headers: Record<string, string | number> = {
    'RateLimit-Policy': `"hourly";q=${account.limit};w=3600`,
    RateLimit: `"hourly";r=${left};t=${reset}`,
    'X-RateLimit-Limit': account.limit,
    'X-RateLimit-Remaining': left,
    'X-RateLimit-Reset': Math.ceil((Date.now() + resetMs) / 1000),
  };
  if (used > account.limit)
    return send(response, { status: 429, body: '{"code":"rate_limit_exceeded"}' }, headers);
  const answered = await answer(request, account.companyId, account.currency);
  if (answered.status === 200) {
    headers.ETag = `"${createHash('sha1').update(answered.body).digest('base64url')}"`;
    if (request.headers['if-none-match'] === headers.ETag) {
      response.writeHead(304, headers).end();
      return;
    }
  }
  send(response, answered, headers);
}

function send(response: ServerResponse, { status, body, location }: Answer, headers: object): void {
  response.writeHead(status, {
    ...headers,
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
    ...(location === undefined ? {} : { Location: location }),
  });
  response.end(body);
}

function readBody(request: IncomingMessage): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    request.setEncoding('utf8');
    request.on('data', (chunk: string) => {
      text += chunk;
    });
    request.once('end', () => resolve(text)).once('error', reject);
  });
}

const server = createServer((request, response) => {
  serve(request, response).catch(error => {
    process.stderr.write(`${(error as Error).stack}\n`);
    if (!response.headersSent)
      send(response, { status: 500, body: '{"code":"internal_error"}' }, {});
  });
});
server.listen(0, '127.0.0.1', () =>
  process.send?.({ ready: true, port: (server.address() as AddressInfo).port }),
);
process.once('SIGTERM', () => process.exit(0));
process.once('disconnect', () => process.exit(0));
