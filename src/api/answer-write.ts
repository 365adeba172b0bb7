// The answer of every endpoint that queues a write.
import type { Context, Middleware } from 'koa';
import compose from 'koa-compose';
import type { Auth } from '../api-keys/authenticate.js';
import { findJobJson } from '../jobs/queries.js';
import type { Answer } from '../jobs/submit/answer.js';
import { onceAccepted } from '../jobs/submit/outages.js';
import type { WriteRequest } from '../jobs/submit/submission.js';
import type { Submitter } from '../jobs/submit/submitter.js';
import type { WriteKind } from '../jobs/write-kind.js';
import { API } from '../platform/api-path.js';
import { Problem } from '../platform/errors.js';
import { respondWithDocument } from '../platform/http/errors.js';
import { jsonBytes, mergePatchBytes, parseJson } from '../platform/http/input/body.js';
import { noParameters } from '../platform/http/input/query.js';
import { rawHeaderValues } from '../platform/http/input/raw-headers.js';
import { readPreference } from '../platform/http/prefer.js';
import { endTurn, largeBatchTurn, largeBodyTurn, largeRecordTurn } from './large-bodies.js';

const IDEMPOTENCY_KEY = /^[\x21-\x7e]{1,255}$/u;

/**
 * Reads the body of an endpoint that queues a write. Runs before its handler, and refuses a
 * malformed Idempotency-Key first, whatever the body is.
 */
export const writeRequest: readonly Middleware[] = keyedRequest(largeBodyTurn);

/** The same for an endpoint that writes one record, or a batch of them, and queues nothing. */
export const recordRequest: readonly Middleware[] = keyedRequest(largeRecordTurn);
export const recordBatchRequest: readonly Middleware[] = keyedRequest(largeBatchTurn);

/** Reads the JSON Merge Patch (RFC 7396) of an item or a record. */
export const patchRequest: readonly Middleware[] = [
  noParameters,
  ...mergePatchBytes,
  largeRecordTurn,
  parseJson,
];

/**
 * Reads the body of an endpoint that ignores an Idempotency-Key, because a repeated request does no
 * harm. No body counts as an empty object.
 */
export const plainRequest: readonly Middleware[] = [
  noParameters,
  async (ctx, next) => {
    if (ctx.request.length === 0 || !hasBody(ctx)) {
      ctx.request.body = {};
      return next();
    }
    return compose([...jsonBytes, parseJson] as Middleware[])(ctx, next);
  },
];

/** RFC 9112, 6.3: a request without these headers has no body. */
function hasBody(ctx: Context): boolean {
  const { 'content-length': length, 'transfer-encoding': encoding } = ctx.req.headers;
  return length !== undefined || encoding !== undefined;
}

function keyedRequest(largeTurn: Middleware): readonly Middleware[] {
  return [
    noParameters,
    (ctx, next) => {
      ctx.state.idempotencyKey = readIdempotencyKey(ctx);
      return next();
    },
    ...jsonBytes,
    largeTurn,
    parseJson,
  ];
}

/** A validated body, or why it was refused before it reached a worker. */
export type Checked = { readonly payload: unknown } | { readonly refusal: Problem };

/** A refused body has no payload. Its write may have been started when it was valid. */
export function toWrite(checked: Checked): Pick<WriteRequest, 'payload' | 'refusal'> {
  return 'payload' in checked ? checked : { payload: null, refusal: checked.refusal };
}

/** Submits a checked body and answers 201, a refusal, or 202 with the job. */
export async function answerWrite(
  ctx: Context,
  submitter: Submitter,
  kind: WriteKind,
  checked: Checked,
  location: (resultId: string) => string | null,
): Promise<void> {
  const { companyId } = ctx.state.auth as Auth;
  const preference = readPreference(ctx.get('Prefer'));
  const submitted = submitter.submit(kind, {
    ...senderOf(ctx),
    idempotencyKey: idempotencyKey(ctx),
    ...toWrite(checked),
    body: ctx.request.body,
    bytes: (ctx.request.rawBody as Buffer).length,
    waitMs: preference.waitMs,
  });
  endTurn(ctx);
  const answer = await submitted;
  const isApplied = !(preference.respondAsync && answer.kind === 'settled');
  if (preference.applied !== undefined && isApplied)
    ctx.set('Preference-Applied', preference.applied);
  if (answer.kind === 'settled') respondSettled(ctx, answer, location);
  else await respondAccepted(ctx, companyId, answer.jobId, kind);
}

/** The request, the key behind its writes, and the currency with which they are validated. */
export function senderOf(
  ctx: Context,
): Pick<WriteRequest, 'companyId' | 'currency' | 'requestId' | 'createdBy'> {
  const { companyId, currency, keyId, keyName } = ctx.state.auth as Auth;
  const createdBy = { kind: 'key', id: keyId, name: keyName } as const;
  return { companyId, currency, requestId: ctx.state.requestId, createdBy };
}

async function respondAccepted(
  ctx: Context,
  companyId: string,
  jobId: string,
  kind: WriteKind,
): Promise<void> {
  const job = await onceAccepted(() => findJobJson(companyId, jobId, [kind]));
  ctx.state.jobId = jobId;
  ctx.status = 202;
  ctx.set({ Location: `${API}/jobs/${jobId}`, 'Retry-After': '1' });
  ctx.type = 'json';
  ctx.body = job?.body;
}

function respondSettled(
  ctx: Context,
  { outcome, replayed }: Answer & { kind: 'settled' },
  location: (id: string) => string | null,
): void {
  ctx.state.jobId = outcome.id;
  if (replayed) ctx.set('Idempotency-Replayed', 'true');
  if (outcome.problem) {
    respondWithDocument(ctx, outcome.problem);
    return;
  }
  const path = location(outcome.resultId ?? '');
  if (path !== null) ctx.set('Location', path);
  ctx.status = 201;
  ctx.type = 'json';
  ctx.body = outcome.body;
}

/** The request's Idempotency-Key, as `writeRequest` read it; undefined without the header. */
export function idempotencyKey(ctx: Context): string | undefined {
  return ctx.state.idempotencyKey;
}

/** Throws Problem `invalid_idempotency_key`. */
function readIdempotencyKey(ctx: Context): string | undefined {
  const values = rawHeaderValues(ctx.req, 'idempotency-key');
  const [value] = values;
  if (value === undefined) return undefined;
  if (values.length > 1 || !IDEMPOTENCY_KEY.test(value))
    throw new Problem(
      'invalid_idempotency_key',
      'Idempotency-Key must be one header of 1 to 255 visible ASCII characters.',
    );
  return value;
}
