// The last word on a response's bytes: its ETag, whether the client has it already (304), and its compression. Bodies are
// whole strings here, so this stays simpler than the stream-minded libraries, and a 304 never pays for compression.
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Context, Next } from 'koa';
import { type Coding, preferredCoding } from './accept.js';

/** Below it compression saves less than its header costs. */
const COMPRESS_ABOVE_BYTES = 1024;
/** JSON shrinks nearly as well at 4 as at 11, in a fiftieth of the time. Both run on zlib's own threads. */
const BROTLI_QUALITY = 4;
const GZIP_LEVEL = 5;
const COMPRESSIBLE = /json|^text\/|javascript|xml/u;
const ETAG_BYTES = 18;

const compressBrotli = promisify(brotliCompress) as (
  bytes: Buffer,
  options: { params: Record<number, number> },
) => Promise<Buffer>;
const compressGzip = promisify(gzip) as (
  bytes: Buffer,
  options: { level: number },
) => Promise<Buffer>;

/**
 * Gives each 200 of GET and HEAD a strong ETag, one per content coding, answers 304 where If-None-Match has it, and
 * compresses what is worth it. Stands above everything that makes a body; HEAD gets the headers that GET would.
 */
export async function representation(ctx: Context, next: Next): Promise<void> {
  await next();
  const { body } = ctx;
  if ((typeof body !== 'string' && !Buffer.isBuffer(body)) || ctx.res.hasHeader('Content-Encoding'))
    return;
  const isLong = ctx.response.length > COMPRESS_ABOVE_BYTES;
  const coding =
    isLong && COMPRESSIBLE.test(ctx.response.type)
      ? preferredCoding(ctx.get('Accept-Encoding'))
      : null;
  const isRead = ctx.status === 200 && (ctx.method === 'GET' || ctx.method === 'HEAD');
  if (!isRead && coding === null) return;
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  if (isRead) {
    const etag = etagOf(bytes, String(ctx.res.getHeader('Link') ?? ''), coding);
    ctx.set('ETag', etag);
    if (isNamedBy(ctx.get('If-None-Match'), etag)) {
      ctx.status = 304;
      return;
    }
  }
  // A long text is encoded once, for its hash and for the wire; a short one leaves in one piece with its headers.
  if (isLong) ctx.body = bytes;
  if (coding === null) return;
  ctx.body = await compress(bytes, coding);
  ctx.set('Content-Encoding', coding);
}

/** Of the body and of its Link: a page that is no longer the last one has changed, though its rows have not. */
function etagOf(bytes: Buffer, link: string, coding: Coding | null): string {
  const hash = createHash('sha256').update(link).update('\n').update(bytes).digest();
  return `"${hash.subarray(0, ETAG_BYTES).toString('base64url')}${coding === null ? '' : `-${coding}`}"`;
}

/** RFC 9110, 13.1.2: any of the list, compared weakly, or `*`. */
function isNamedBy(ifNoneMatch: string, etag: string): boolean {
  if (ifNoneMatch.trim() === '*') return true;
  return [...ifNoneMatch.matchAll(/"[^"]*"/gu)].some(([named]) => named === etag);
}

function compress(bytes: Buffer, coding: Coding): Promise<Buffer> {
  return coding === 'gzip'
    ? compressGzip(bytes, { level: GZIP_LEVEL })
    : compressBrotli(bytes, {
        params: {
          [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
          [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
        },
      });
}
