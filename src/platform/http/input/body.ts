// Request bodies: JSON and forms. The headers are checked before the bytes are read, and the bytes
// are parsed strictly: koa-bodyparser would accept invalid UTF-8, ignore the charset and inflate
// compressed bombs.
import type { IncomingMessage } from 'node:http';
import type { Context, Middleware, Next } from 'koa';
import readStream from 'raw-body';
import { Problem } from '../../errors.js';
import { parseStrictJson } from './strict-json.js';

/** Limit of a JSON body. 250 full lines with names of 255 four-byte characters fit. */
export const BODY_LIMIT_BYTES = 512 * 1024;
/** A refused body is read and dropped for this long: many clients read only after sending. */
const DRAIN_MS = 1_000;
const DRAIN_BYTES = 8 * 1024 * 1024;

/** Puts the bytes of a JSON body into ctx.request.body, for `parseJson`. */
export const jsonBytes: Middleware[] = [rawBody('application/json', BODY_LIMIT_BYTES)];

/** Puts the bytes of a JSON Merge Patch (RFC 7396) into ctx.request.body, for `parseJson`. */
export const mergePatchBytes: Middleware[] = [
  rawBody(['application/merge-patch+json', 'application/json'], BODY_LIMIT_BYTES),
];

/**
 * Puts the bytes of the body into ctx.request.body and ctx.request.rawBody, as a Buffer. Throws
 * Problem `unsupported_media_type` for any other media type, a charset other than UTF-8 or any
 * Content-Encoding, and `payload_too_large`.
 */
export function rawBody(mediaType: string | string[], limitBytes: number): Middleware {
  const mediaTypes = [mediaType].flat();
  return async (ctx, next) => {
    checkHeaders(ctx, mediaTypes, limitBytes);
    ctx.request.body = await readBytes(ctx, limitBytes);
    ctx.request.rawBody = ctx.request.body as never;
    return next();
  };
}

/**
 * Closes the connection after an answer that came before the end of the body, usually a refusal:
 * the next bytes on it would belong to that body. Must be above every middleware that answers.
 */
export async function closeOnUnreadBody(ctx: Context, next: Next): Promise<void> {
  await next();
  if (ctx.req.complete) return;
  const hasBody = ctx.get('Transfer-Encoding') !== '' || Number(ctx.get('Content-Length')) > 0;
  if (!hasBody) return;
  ctx.set('Connection', 'close');
  if (!awaitsContinue(ctx)) await drain(ctx.req);
}

/** The problem of a body above the limit. */
export function payloadTooLarge(limitBytes: number): Problem {
  return new Problem('payload_too_large', `The body is larger than ${limitBytes / 1024} KiB.`);
}

/** The problem of a body in another media type or charset. */
export function unsupportedMediaType(mediaType: string): Problem {
  return new Problem('unsupported_media_type', `Send the body as ${mediaType} in UTF-8.`);
}

function checkHeaders(ctx: Context, mediaTypes: string[], limitBytes: number): void {
  const type = ctx.get('Content-Type');
  if (!mediaTypes.some(mediaType => isMediaType(type, mediaType)))
    throw unsupportedMediaType(mediaTypes.join(' or '));
  if (ctx.get('Content-Encoding') !== '')
    throw new Problem('unsupported_media_type', 'Send the body without Content-Encoding.');
  if (Number(ctx.get('Content-Length')) > limitBytes) throw payloadTooLarge(limitBytes);
  if (awaitsContinue(ctx)) {
    ctx.state.continued = true;
    ctx.res.writeContinue();
  }
}

/** True for the media type in UTF-8. */
function isMediaType(header: string, mediaType: string): boolean {
  if (header === mediaType) return true;
  const [type = '', ...parameters] = header
    .toLowerCase()
    .split(';')
    .map(part => part.trim());
  const charsetIsUtf8 = parameters.every(
    part => !part.startsWith('charset=') || /^charset="?utf-?8"?$/u.test(part),
  );
  return type === mediaType && charsetIsUtf8;
}

/** Parses the bytes in ctx.request.body. */
export async function parseJson(ctx: Context, next: Next): Promise<void> {
  ctx.request.body = parseStrictJson(ctx.request.body as Buffer);
  return next();
}

/** raw-body's errors of a client that disconnects before, in or short of its announced body. */
const ENDED_EARLY = ['stream.not.readable', 'request.aborted', 'request.size.invalid'];

async function readBytes({ req, request }: Context, limitBytes: number): Promise<Buffer> {
  try {
    return await readStream(req, { length: request.length, limit: limitBytes });
  } catch (error) {
    const { type } = error as readStream.RawBodyError;
    if (type === 'entity.too.large') throw payloadTooLarge(limitBytes);
    if (ENDED_EARLY.includes(type)) throw new Problem('malformed_json', 'The body ended early.');
    throw error;
  }
}

/** True if the client waits for a `100 Continue` that it has not received. */
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
