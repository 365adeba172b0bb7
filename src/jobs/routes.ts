// GET /jobs/{id}, and the answer of every endpoint that queues a write.
import type Router from '@koa/router';
import type { Context, Middleware } from 'koa';
import { type Auth, checkScope } from '../api-keys/authenticate.js';
import { Problem } from '../platform/errors.js';
import { jsonBody } from '../platform/http/body.js';
import { respondWithDocument } from '../platform/http/errors.js';
import { readPreference } from '../platform/http/prefer.js';
import { noParameters } from '../platform/http/query.js';
import { createRouter } from '../platform/http/router.js';
import { isUuid } from '../platform/values/ids.js';
import { findJob } from './queries.js';
import type { Answer, Submitter } from './submit/submitter.js';
import type { JobType, WriteKind } from './write-kind.js';

const READ_SCOPES = {
  'invoice.create': 'invoices:read',
  'inventory.adjust': 'inventory:read',
} as const satisfies Record<JobType, string>;
const IDEMPOTENCY_KEY = /^[\x21-\x7e]{1,255}$/u;

export function jobRoutes(kinds: readonly WriteKind[]): Router {
  const router = createRouter();
  router.get('/jobs/:id', noParameters, async ctx => {
    const auth = ctx.state.auth as Auth;
    const id = ctx.params.id ?? '';
    const job = isUuid(id) ? await findJob(auth.companyId, id, kinds) : null;
    if (!job) throw new Problem('not_found', 'There is no such job.');
    checkScope(auth, READ_SCOPES[job.type]);
    ctx.type = 'json';
    ctx.body = job.body;
  });
  return router;
}

/**
 * Before the handler of an endpoint that queues a write: what the request may not have, then its body. A malformed
 * Idempotency-Key is refused whatever the body is.
 */
export const writeRequest: readonly Middleware[] = [
  noParameters,
  async (ctx, next) => {
    idempotencyKey(ctx);
    await next();
  },
  ...jsonBody,
];

/** Submits a validated body as this kind of write and answers 201, the worker's refusal, or 202 with the job. */
export async function answerWrite(
  ctx: Context,
  submitter: Submitter,
  kind: WriteKind,
  payload: unknown,
  location: (resultId: string) => string | null,
): Promise<void> {
  const auth = ctx.state.auth as Auth;
  const preference = readPreference(ctx.get('Prefer'));
  const answer = await submitter.submit(kind, {
    companyId: auth.companyId,
    requestId: ctx.state.requestId,
    idempotencyKey: idempotencyKey(ctx),
    body: ctx.request.body,
    payload,
    waitMs: preference.waitMs,
  });
  if (preference.applied !== undefined && !(preference.respondAsync && answer.kind === 'settled')) {
    ctx.set('Preference-Applied', preference.applied);
  }
  if (answer.kind === 'accepted') return respondAccepted(ctx, auth, answer.jobId, kind);
  respondSettled(ctx, answer, location);
}

async function respondAccepted(
  ctx: Context,
  auth: Auth,
  jobId: string,
  kind: WriteKind,
): Promise<void> {
  const job = await findJob(auth.companyId, jobId, [kind]);
  ctx.state.jobId = jobId;
  ctx.status = 202;
  ctx.set({ Location: `/api/external/jobs/${jobId}`, 'Retry-After': '1' });
  ctx.type = 'json';
  ctx.body = job?.body;
}

function respondSettled(
  ctx: Context,
  { settled, replayed }: Answer & { kind: 'settled' },
  location: (id: string) => string | null,
): void {
  ctx.state.jobId = settled.id;
  if (replayed) ctx.set('Idempotency-Replayed', 'true');
  if (settled.problem) {
    respondWithDocument(ctx, settled.problem);
    return;
  }
  ctx.status = 201;
  const path = location(settled.resultId ?? '');
  if (path !== null) ctx.set('Location', path);
  ctx.type = 'json';
  ctx.body = settled.body;
}

/** The Idempotency-Key, undefined without one. Throws Problem `invalid_idempotency_key`. */
function idempotencyKey(ctx: Context): string | undefined {
  const values = ctx.req.rawHeaders.filter(
    (_, at, headers) => at % 2 === 1 && headers[at - 1]?.toLowerCase() === 'idempotency-key',
  );
  if (values.length === 0) return undefined;
  const [value = ''] = values;
  if (values.length > 1 || !IDEMPOTENCY_KEY.test(value)) {
    throw new Problem(
      'invalid_idempotency_key',
      'An Idempotency-Key is one header of 1 to 255 visible ASCII characters.',
    );
  }
  return value;
}
