// The answer of an endpoint that takes many writes of one kind in one request. They are settled in
// the order sent. Refusing one does not affect the others.
import type { Context } from 'koa';
import { findJobBodies } from '../jobs/queries.js';
import type { Answer } from '../jobs/submit/answer.js';
import { onceAccepted } from '../jobs/submit/outages.js';
import { sequenceId } from '../jobs/submit/submission.js';
import type { Submitter } from '../jobs/submit/submitter.js';
import type { WriteKind } from '../jobs/write-kind.js';
import { MAY_BE_CARRIED_OUT, Problem, unavailable } from '../platform/errors.js';
import { problemText, UNAVAILABLE } from '../platform/http/errors.js';
import { readPreference } from '../platform/http/prefer.js';
import { isTransient } from '../platform/postgres-errors.js';
import {
  MAX_FIELD_ERRORS,
  type ProblemDocument,
  problemDocument,
  withFieldErrors,
} from '../platform/problem-document.js';
import { type Checked, idempotencyKey, senderOf, toWrite } from './answer-write.js';
import { endTurn } from './large-bodies.js';

/** One write of the request. */
export interface BatchEntry {
  /** As received, for the fingerprint. */
  readonly body: unknown;
  readonly checked: Checked;
}

/**
 * Submits the writes together and answers 200 with `{"results":[…]}`. Each result, in the order of
 * the request, has a status and either the created resource as `member`, the problem or the job.
 * With an Idempotency-Key the n-th write, counted from 0, has the key `<key>/<n>`. If no write was
 * accepted because the service is unavailable, throws that Problem.
 */
export async function answerBatch(
  ctx: Context,
  submitter: Submitter,
  kind: WriteKind,
  entries: readonly BatchEntry[],
  member: string,
): Promise<void> {
  const key = idempotencyKey(ctx);
  const { waitMs, respondAsync, applied } = readPreference(ctx.get('Prefer'));
  const sender = senderOf(ctx);
  const bytes = Math.ceil((ctx.request.rawBody as Buffer).length / entries.length);
  const id = sequenceId(sender.companyId, key);
  const requests = entries.flatMap((entry, place) =>
    withoutScope(entry)
      ? []
      : [
          {
            ...sender,
            ...toWrite(entry.checked),
            idempotencyKey: key === undefined ? undefined : `${key}/${place}`,
            body: entry.body,
            bytes,
            waitMs,
            sequence: { id, place },
          },
        ],
  );
  const submitted = submitter.submitInOrder(kind, requests).values();
  endTurn(ctx);
  const results = await Promise.all(
    entries.map(
      entry => withoutScope(entry) ?? (submitted.next().value as Promise<Answer>).catch(toProblem),
    ),
  );
  const answers = results.filter((result): result is Answer => !(result instanceof Problem));
  const outages = results.filter(isOutage);
  const outage = outages.find(mayBeCarriedOut) ?? outages[0];
  if (answers.length === 0 && outage) throw outage;
  if (applied !== undefined && !(respondAsync && answers.every(isSettled)))
    ctx.set('Preference-Applied', applied);
  if (answers.length === results.length && answers.every(isReplayed))
    ctx.set('Idempotency-Replayed', 'true');
  const jobIds = answers.flatMap(answer => (answer.kind === 'accepted' ? [answer.jobId] : []));
  const jobs =
    jobIds.length === 0
      ? new Map()
      : await onceAccepted(() => findJobBodies(sender.companyId, jobIds, [kind]));
  const context = { kind, member, jobs, ctx, errorsLeft: MAX_FIELD_ERRORS };
  const texts = results.map(result => resultText(result, context));
  ctx.type = 'json';
  ctx.body = `{"results":[${texts.join(',')}]}`;
}

/** The refusal of a write that needs a scope which the key lacks. It gets no replay either. */
function withoutScope({ checked }: BatchEntry): Problem | null {
  const isMissing = 'refusal' in checked && checked.refusal.code === 'insufficient_scope';
  return isMissing ? checked.refusal : null;
}

/** Converts an error to a Problem. Rethrows unexpected errors. */
function toProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  if (isTransient(error)) return unavailable(UNAVAILABLE);
  throw error;
}

interface ResultContext {
  readonly kind: WriteKind;
  readonly member: string;
  /** JSON texts by job id. */
  readonly jobs: ReadonlyMap<string, string>;
  readonly ctx: Context;
  /** Field errors that the problems of further results may list. */
  errorsLeft: number;
}

function resultText(result: Answer | Problem, context: ResultContext): string {
  const { kind, member, jobs, ctx } = context;
  const refused = (whole: ProblemDocument) => {
    const document = withFieldErrors(whole, context.errorsLeft);
    context.errorsLeft -= document.errors?.length ?? 0;
    return `{"status":${document.status},"problem":${problemText(document, ctx.state.requestId)}}`;
  };
  if (result instanceof Problem) return refused(problemDocument(result, kind.path(null)));
  if (result.kind === 'accepted') return `{"status":202,"job":${jobs.get(result.jobId)}}`;
  const { problem, body } = result.outcome;
  return problem ? refused(problem) : `{"status":201,"${member}":${body}}`;
}

const isOutage = (result: Answer | Problem): result is Problem =>
  result instanceof Problem && result.code === 'service_unavailable';
const mayBeCarriedOut = ({ message }: Problem) => message.includes(MAY_BE_CARRIED_OUT);
const isSettled = (answer: Answer) => answer.kind === 'settled';
const isReplayed = (answer: Answer) => answer.kind === 'settled' && answer.replayed;
