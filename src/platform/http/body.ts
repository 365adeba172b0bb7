// A request's JSON body. koa-bodyparser only reads and limits the bytes (as latin1, one character a byte): it would
// take invalid UTF-8, ignore a charset and inflate bombs, so what may come in is decided before it and parsed after it.

import type { Context, Middleware, Next } from 'koa';
import bodyParser from 'koa-bodyparser';
import { Problem } from '../errors.js';
import { parseStrictJson } from './strict-json.js';

/** 250 full lines of 255 four-byte characters each fit. */
export const BODY_LIMIT_BYTES = 512 * 1024;

const readBytes: Middleware = bodyParser({
  enableTypes: ['text'],
  extendTypes: { text: ['application/json'] },
  encoding: 'latin1',
  textLimit: BODY_LIMIT_BYTES,
  onerror: (error: Error) => {
    throw readError(error);
  },
} as unknown as bodyParser.Options);

/** Leaves the parsed body in ctx.request.body. 413, 415 and 400 close the connection: the rest of the body is unread. */
export const jsonBody: Middleware[] = [closeOnError, refuseOtherTypes, readBytes, parse];

async function closeOnError(ctx: Context, next: Next): Promise<void> {
  try {
    await next();
  } catch (error) {
    if (!ctx.req.complete) ctx.set('Connection', 'close');
    throw error;
  }
}

async function refuseOtherTypes(ctx: Context, next: Next): Promise<void> {
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
  await next();
}

async function parse(ctx: Context, next: Next): Promise<void> {
  const raw = typeof ctx.request.body === 'string' ? ctx.request.body : '';
  ctx.request.body = parseStrictJson(Buffer.from(raw, 'latin1'));
  await next();
}

function readError(error: Error & { type?: string }): Error {
  if (error.type === 'entity.too.large') {
    return new Problem('payload_too_large', `The body is larger than ${BODY_LIMIT_BYTES} bytes.`);
  }
  if (error.type === 'request.aborted' || error.type === 'request.size.invalid') {
    return new Problem('malformed_json', 'The body ended early.');
  }
  return error;
}
