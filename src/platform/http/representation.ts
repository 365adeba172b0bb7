// The last step of a response: its ETag, a 304 if the client already has the body, and compression.
// Bodies here are whole strings or buffers, which keeps this simpler than the stream-based
// libraries, and a 304 never pays for compression.
import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Context, Next } from 'koa';
import { type Coding, preferredCoding } from './accept.js';

/** Bodies up to this size are not compressed: that would save less than its header costs. */
const COMPRESS_ABOVE_BYTES = 1024;
/** JSON shrinks nearly as well at 4 as at 11, in a fiftieth of the time, on zlib's own threads. */
const BROTLI_QUALITY = 4;
const GZIP_LEVEL = 5;
const COMPRESSIBLE = /json|^text\/|javascript|xml/u;
/** 18 bytes. */
const ETAG_LENGTH = 24;

const compressBrotli = promisify(brotliCompress) as (
  bytes: Buffer,
  options: { params: Record<number, number> },
) => Promise<Buffer>;
const compressGzip = promisify(gzip) as (
  bytes: Buffer,
  options: { level: number },
) => Promise<Buffer>;

/**
 * Gives each 200 of GET and HEAD a strong ETag (one per content coding), answers 304 if
 * If-None-Match has it, and compresses large text. Must be above every middleware that sets a body.
 * HEAD gets the headers of GET.
 */
export async function representation(ctx: Context, next: Next): Promise<void> {
  await next();
  const { body } = ctx;
  if ((typeof body !== 'string' && !Buffer.isBuffer(body)) || ctx.res.hasHeader('Content-Encoding'))
    return;
  const isLong = ctx.response.length > COMPRESS_ABOVE_BYTES;
  const hasTag = ctx.state.hasTag === true;
  const isCompressible = isLong || hasTag;
  const coding = isCompressible ? codingOf(ctx, ctx.response.type) : null;
  const isRead = !hasTag && ctx.status === 200 && (ctx.method === 'GET' || ctx.method === 'HEAD');
  if (!isRead && coding === null) return;
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  if (isRead) {
    const tag = typeof body === 'string' ? hashOf(bytes) : tagOf(bytes);
    const etag = etagOf(tag, String(ctx.res.getHeader('Link') ?? ''), coding);
    ctx.set('ETag', etag);
    if (matches(ctx.get('If-None-Match'), etag)) {
      ctx.status = 304;
      return;
    }
  }
  // A long text is encoded once for hash and socket. A short one is sent together with its headers.
  if (isLong) ctx.body = bytes;
  if (coding === null) return;
  ctx.body = await compressOnce(bytes, coding);
  ctx.set('Content-Encoding', coding);
}

/**
 * For a body that is made only if it is needed: sets the ETag of its hash and, if the client has
 * that copy, the status 304. Returns true then, and the route makes no body.
 */
export function isCurrentCopy(ctx: Context, type: string, hash: string): boolean {
  const etag = etagOf(hash.slice(0, ETAG_LENGTH), '', codingOf(ctx, type));
  ctx.set('ETag', etag);
  ctx.state.hasTag = true;
  if (!matches(ctx.get('If-None-Match'), etag)) return false;
  ctx.status = 304;
  return true;
}

/** Takes the tag of `isCurrentCopy` back, because the body could not be made. */
export function withoutCopy(ctx: Context): void {
  ctx.remove('ETag');
  ctx.state.hasTag = false;
}

/** Null for a type that is not compressed. */
function codingOf(ctx: Context, type: string): Coding | null {
  return COMPRESSIBLE.test(type) ? preferredCoding(ctx.get('Accept-Encoding')) : null;
}

/** The ETag that a GET of this body has without compression. */
export function etagOfBody(body: string): string {
  return etagOf(hashOf(Buffer.from(body)), '', null);
}

/**
 * True if If-Match (RFC 9110, 13.1.1) allows a change of the resource whose GET has this body, as
 * ctx.get returns it. The tag may be of any content coding, but not weak.
 */
export function isMatchAllowed(ifMatch: string, body: string): boolean {
  if (ifMatch === '' || ifMatch.trim() === '*') return true;
  const tag = hashOf(Buffer.from(body));
  const current = CODINGS.map(coding => etagOf(tag, '', coding));
  return ifMatch.split(',').some(each => current.includes(each.trim()));
}
const CODINGS: readonly (Coding | null)[] = [null, 'br', 'gzip'];

/** Includes Link: a page that is no longer the last has changed even if its rows have not. */
function etagOf(bytesTag: string, link: string, coding: Coding | null): string {
  const tag = link === '' ? bytesTag : hashOf(Buffer.from(bytesTag + link));
  return `"${tag}${coding === null ? '' : `-${coding}`}"`;
}

/** Tags of bytes that several responses send, such as a page of a list. */
const tags = new WeakMap<Buffer, string>();

function tagOf(bytes: Buffer): string {
  const tag = tags.get(bytes) ?? hashOf(bytes);
  tags.set(bytes, tag);
  return tag;
}

function hashOf(bytes: Buffer): string {
  return hash('sha256', bytes, 'base64url').slice(0, ETAG_LENGTH);
}

/** True if If-None-Match is `*` or lists the tag, compared weakly (RFC 9110, 13.1.2). */
function matches(ifNoneMatch: string, etag: string): boolean {
  if (ifNoneMatch.trim() === '*') return true;
  return [...ifNoneMatch.matchAll(/"[^"]*"/gu)].some(([tag]) => tag === etag);
}

/** The compressed forms of bytes that several responses send. */
const compressed = new WeakMap<Buffer, Map<Coding, Promise<Buffer>>>();

function compressOnce(bytes: Buffer, coding: Coding): Promise<Buffer> {
  const forms = compressed.get(bytes) ?? new Map<Coding, Promise<Buffer>>();
  compressed.set(bytes, forms);
  const form = forms.get(coding) ?? compress(bytes, coding);
  forms.set(coding, form);
  return form;
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
