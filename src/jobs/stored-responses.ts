// Idempotency of POST requests that are not queued: their responses are stored in the transaction
// that carries them out, while the company's row is locked. So the second of two equal requests
// waits for the first one and repeats its response.
import type { Context } from 'koa';
import { query, type Transaction } from '../platform/db/connection.js';
import { type Columns, insertRows } from '../platform/db/rows.js';
import { PROBLEMS, Problem } from '../platform/errors.js';
import { respondWithDocument } from '../platform/http/errors.js';
import { type ProblemDocument, problemDocument } from '../platform/problem-document.js';
import { fingerprintOf, jobId } from './submit/submission.js';

/** The outcome of a request. */
export type Outcome =
  | { readonly status: 200 | 201 | 202; readonly body: string; readonly location?: string }
  | { readonly refusal: Problem };

/** A request with an Idempotency-Key. */
export interface KeyedRequest {
  readonly key: string;
  /** The endpoint's path. */
  readonly path: string;
  /** As received. */
  readonly body: unknown;
}

/** A response as it was sent or is to be sent. */
export type StoredResponse = {
  readonly status: number;
  readonly location: string | null;
  readonly isReplayed: boolean;
} & ({ readonly body: string } | { readonly problem: ProblemDocument });

/**
 * The stored response of each request, or `idempotency_key_reused` if its key was used for another
 * request; undefined for a new key, and for a request without one. Without a transaction that has
 * locked the company, a response may be stored meanwhile.
 */
export async function findResponses(
  companyId: string,
  requests: readonly (KeyedRequest | null)[],
  tx?: Transaction,
): Promise<(StoredResponse | undefined)[]> {
  const ids = requests.map(request => request && jobId(companyId, request.key));
  const keyed = ids.filter(id => id !== null);
  if (keyed.length === 0) return requests.map(() => undefined);
  const rows = await query<{
    id: string;
    fingerprint: string;
    status: number;
    location: string | null;
    body: string;
  }>(
    `SELECT id, encode(fingerprint, 'hex') AS fingerprint, status, location, body
     FROM stored_responses
     WHERE company_id = $1 AND id = ANY($2::uuid[])
     UNION ALL
     SELECT id, '', 0, NULL, ''
     FROM jobs
     WHERE company_id = $1 AND id = ANY($2::uuid[])`,
    [companyId, keyed],
    tx,
  );
  // A job that has the id, too, was refused for that: it comes first, with status 0.
  const stored = new Map(rows.toSorted((a, b) => a.status - b.status).map(row => [row.id, row]));
  return requests.map((request, index) => {
    const row = stored.get(ids[index] ?? '');
    if (!request || !row) return undefined;
    const { fingerprint, status, location, body } = row;
    if (fingerprint !== fingerprintOf(request.path, request.body)) return reused(request);
    const response = { status, location, isReplayed: true };
    return status < 400 ? { ...response, body } : { ...response, problem: JSON.parse(body) };
  });
}

function reused({ path }: KeyedRequest): StoredResponse {
  const detail = 'This Idempotency-Key was used with another request. Use a new key.';
  return toResponse({ refusal: new Problem('idempotency_key_reused', detail) }, path);
}

/** The response of an outcome at a path. */
export function toResponse(outcome: Outcome, path: string): StoredResponse {
  if ('refusal' in outcome) {
    const problem = problemDocument(outcome.refusal, path);
    return { status: problem.status, location: null, isReplayed: false, problem };
  }
  const { status, body, location = null } = outcome;
  return { status, location, isReplayed: false, body };
}

/** Stores the new responses of keyed requests: successes and conflicts. */
export async function storeResponses(
  companyId: string,
  requests: readonly (KeyedRequest | null)[],
  responses: readonly StoredResponse[],
  tx: Transaction,
): Promise<void> {
  const rows = responses.flatMap((response, index) => {
    const request = requests[index];
    const { status, isReplayed } = response;
    if (!request || isReplayed || (status >= 400 && status !== CONFLICT)) return [];
    return [{ companyId, request, response }];
  });
  await insertRows('stored_responses', RESPONSE, rows, tx);
}
const [CONFLICT] = PROBLEMS.invalid_state;

interface ResponseRow {
  readonly companyId: string;
  readonly request: KeyedRequest;
  readonly response: StoredResponse;
}

const RESPONSE: Columns<ResponseRow> = {
  company_id: ['uuid', ({ companyId }) => companyId],
  id: ['uuid', ({ companyId, request }) => jobId(companyId, request.key)],
  fingerprint: ['bytea', ({ request: { path, body } }) => `\\x${fingerprintOf(path, body)}`],
  status: ['int', ({ response }) => response.status],
  location: ['text', ({ response }) => response.location],
  body: ['text', ({ response }) => textOf(response)],
};

function textOf(response: StoredResponse): string {
  return 'body' in response ? response.body : JSON.stringify(response.problem);
}

/** Sends a response. */
export function sendResponse(ctx: Context, response: StoredResponse): void {
  if (response.isReplayed) ctx.set('Idempotency-Replayed', 'true');
  if ('problem' in response) {
    respondWithDocument(ctx, response.problem);
    return;
  }
  if (response.location !== null) ctx.set('Location', response.location);
  ctx.status = response.status;
  ctx.type = 'json';
  ctx.body = response.body;
}
