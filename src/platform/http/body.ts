// A request's body, JSON or a form. koa-bodyparser only reads and limits the bytes (as latin1, one character a byte): it would
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

/** Leaves the parsed body in ctx.request.body. */
export const jsonBody: Middleware[] = [...rawBody('application/json', BODY_LIMIT_BYTES), parse];

/**
 * Leaves the bytes of a body in ctx.request.body as a Buffer. Refuses other media types, other charsets than UTF-8, any
 * Content-Encoding and what is larger.
 */
export function rawBody(mediaType: string, limitBytes: number): Middleware[] {
  const readBytes = bodyParser({
    enableTypes: ['text'],
    extendTypes: { text: [mediaType] },
    encoding: 'latin1',
    textLimit: limitBytes,
    onerror: (error: Error) => {
      throw readError(error, limitBytes);
    },
  } as unknown as bodyParser.Options);
  return [refuseOtherBodies(mediaType, limitBytes), readBytes, toBytes];
}

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

function refuseOtherBodies(mediaType: string, limitBytes: number): Middleware {
  return async (ctx, next) => {
    const [type = '', ...parameters] = ctx
      .get('Content-Type')
      .toLowerCase()
      .split(';')
      .map(part => part.trim());
    const charsetIsUtf8 = parameters.every(
      part => part === '' || !part.startsWith('charset=') || /^charset="?utf-?8"?$/u.test(part),
    );
    if (type !== mediaType || !charsetIsUtf8) {
      throw new Problem('unsupported_media_type', `Send the body as ${mediaType} in UTF-8.`);
    }
    if (ctx.get('Content-Encoding') !== '') {
      throw new Problem('unsupported_media_type', 'Send the body without Content-Encoding.');
    }
    if (Number(ctx.get('Content-Length')) > limitBytes) throw tooLarge(limitBytes);
    if (awaitsContinue(ctx)) {
      ctx.state.continued = true;
      ctx.res.writeContinue();
    }
    await next();
  };
}

async function toBytes(ctx: Context, next: Next): Promise<void> {
  ctx.request.body = Buffer.from(
    typeof ctx.request.body === 'string' ? ctx.request.body : '',
    'latin1',
  );
  await next();
}

async function parse(ctx: Context, next: Next): Promise<void> {
  ctx.request.body = parseStrictJson(ctx.request.body as Buffer);
  await next();
}

function readError(error: Error & { type?: string }, limitBytes: number): Error {
  if (error.type === 'entity.too.large') return tooLarge(limitBytes);
  // A client that hangs up: before its body is asked for, in the middle of it, or short of what it announced.
  const endedEarly = ['stream.not.readable', 'request.aborted', 'request.size.invalid'].includes(
    error.type ?? '',
  );
  return endedEarly ? new Problem('malformed_json', 'The body ended early.') : error;
}

function tooLarge(limitBytes: number): Problem {
  return new Problem('payload_too_large', `The body is larger than ${limitBytes} bytes.`);
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
