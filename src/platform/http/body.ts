// A request's JSON body. koa-bodyparser only reads and limits the bytes (as latin1, one character a byte): it would
// take invalid UTF-8, ignore a charset and inflate bombs, so what may come in is decided before it and parsed after it.
import type { IncomingMessage } from 'node:http';
import type { Context, Middleware, Next } from 'koa';
import bodyParser from 'koa-bodyparser';
import { Problem } from '../errors.js';
import { parseStrictJson } from './strict-json.js';

/** 250 full lines of 255 four-byte characters each fit. */
export const BODY_LIMIT_BYTES = 512 * 1024;
/** The rest of a refused body is read and thrown away for so long, or so many bytes: many clients only listen after. */
const DRAIN_MS = 1_000;
const DRAIN_BYTES = 8 * 1024 * 1024;

const readBytes: Middleware = bodyParser({
  enableTypes: ['text'],
  extendTypes: { text: ['application/json'] },
  encoding: 'latin1',
  textLimit: BODY_LIMIT_BYTES,
  onerror: (error: Error) => {
    throw readError(error);
  },
} as unknown as bodyParser.Options);

/** Leaves the parsed body in ctx.request.body. */
export const jsonBody: Middleware[] = [refuseOtherBodies, readBytes, parse];

/**
 * Closes the connection after an answer that came before the whole body did (a refusal, most often): what follows on it
 * would be the rest of that body. Stands above everything that answers.
 */
export async function closeOnUnreadBody(ctx: Context, next: Next): Promise<void> {
  await next();
  const hasBody = ctx.get('Transfer-Encoding') !== '' || Number(ctx.get('Content-Length')) > 0;
  if (ctx.req.complete || !hasBody) return;
  ctx.set('Connection', 'close');
  if (!awaitsContinue(ctx)) await drain(ctx.req);
}

async function refuseOtherBodies(ctx: Context, next: Next): Promise<void> {
  const [type = '', ...parameters] = ctx
    .get('Content-Type')
    .toLowerCase()
    .split(';')
    .map(part => part.trim());
  const charsetIsUtf8 = parameters.every(
    part => part === '' || !part.startsWith('charset=') || /^charset="?utf-?8"?$/u.test(part),
  );
  if (type !== 'application/json' || !charsetIsUtf8) {
    throw new Problem('unsupported_media_type', 'Send the body as application/json in UTF-8.');
  }
  if (ctx.get('Content-Encoding') !== '') {
    throw new Problem('unsupported_media_type', 'Send the body without Content-Encoding.');
  }
  if (Number(ctx.get('Content-Length')) > BODY_LIMIT_BYTES) throw tooLarge();
  if (awaitsContinue(ctx)) {
    ctx.state.continued = true;
    ctx.res.writeContinue();
  }
  await next();
}

async function parse(ctx: Context, next: Next): Promise<void> {
  const raw = typeof ctx.request.body === 'string' ? ctx.request.body : '';
  ctx.request.body = parseStrictJson(Buffer.from(raw, 'latin1'));
  await next();
}

function readError(error: Error & { type?: string }): Error {
  if (error.type === 'entity.too.large') return tooLarge();
  // A client that hangs up: before its body is asked for, in the middle of it, or short of what it announced.
  const endedEarly = ['stream.not.readable', 'request.aborted', 'request.size.invalid'].includes(error.type ?? '');
  return endedEarly ? new Problem('malformed_json', 'The body ended early.') : error;
}

function tooLarge(): Problem {
  return new Problem('payload_too_large', `The body is larger than ${BODY_LIMIT_BYTES} bytes.`);
}

/** True where the client sends its body only after a 100 that it has not had. */
function awaitsContinue(ctx: Context): boolean {
  return /^100-continue$/iu.test(ctx.get('Expect')) && ctx.state.continued !== true;
}

function drain(request: IncomingMessage): Promise<void> {
  return new Promise(resolve => {
    let left = DRAIN_BYTES;
    const timer = setTimeout(resolve, DRAIN_MS);
    const done = (): void => {
      clearTimeout(timer);
      resolve();
    };
    request.on('data', (chunk: Buffer) => {
      left -= chunk.length;
      if (left < 0) done();
    });
    request.once('end', done).once('close', done).once('error', done).resume();
  });
}
