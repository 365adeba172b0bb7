// Checks where an endpoint sends to and begins to read: its URL and its position in the feed. One
// answer has the errors of both, and those of the rest of the body.
import { queryOne, type Transaction } from '../../platform/db/connection.js';
import { type FieldError, Problem } from '../../platform/errors.js';
import { fieldError, validationFailed } from '../../platform/field-errors.js';
import { withFoundErrors } from '../../platform/http/input/refused-body.js';
import type { SchemaOf } from '../../platform/http/input/typed-schema.js';
import { validateBody } from '../../platform/http/input/validate.js';
import { webhookSettings } from '../settings.js';
import { checkUrl } from '../target/check-url.js';
import { positionAfter } from './position.js';
import { isPosition, MAX_URL_TEXT } from './schema.js';

/** The target that a request names, in whole or in part. */
interface SentTarget {
  readonly url?: string | undefined;
  readonly after?: number | 'last' | undefined;
}

/** Null where the request names none. */
interface Target {
  readonly url: string | null;
  readonly position: number | null;
}

/** Validates a body. One that is refused also gets the errors of its target. */
export function checkEndpoint<Body>(
  schema: SchemaOf<Body | undefined>,
  body: unknown,
  companyId: string,
  id: string | null = null,
): Promise<Body> {
  return withFoundErrors(
    () => validateBody(schema, body),
    () => findTargetErrors(body, companyId, id),
  );
}

/**
 * Checks the target of the endpoint `id`, null for a new one. Throws Problem `validation_failed`,
 * with the error of a URL in use as well, or `events_expired`. A URL in use alone is refused under
 * the lock of the company.
 */
export async function checkTarget(
  companyId: string,
  { url, after }: SentTarget,
  id: string | null,
): Promise<Target> {
  const [ofUrl, ofPosition] = await Promise.allSettled([
    url === undefined ? null : checkUrl(url, webhookSettings().rules),
    after === undefined ? null : positionAfter(companyId, after),
  ]);
  if (ofUrl.status === 'fulfilled' && ofPosition.status === 'fulfilled')
    return { url: ofUrl.value, position: ofPosition.value };
  const errors = [...errorsOf(ofUrl), ...errorsOf(ofPosition)];
  if (ofUrl.status === 'fulfilled' && errors.length > 0)
    errors.push(...(await findRepeatedUrl(companyId, ofUrl.value, id)));
  if (errors.length > 1) throw validationFailed(errors);
  const refused = [ofUrl, ofPosition].filter(each => each.status === 'rejected');
  // An error of the body comes before an expired position.
  throw (refused.find(each => errorsOf(each).length > 0) ?? refused[0])?.reason;
}

/** Throws Problem `already_exists` if another endpoint than `id` has the URL. */
export async function refuseRepeatedUrl(
  companyId: string,
  url: string | null,
  id: string,
  tx: Transaction,
): Promise<void> {
  const [repeated] = await findRepeatedUrl(companyId, url, id, tx);
  if (repeated)
    throw new Problem('already_exists', repeated.detail, {
      members: { existingId: repeated.existingId },
    });
}

async function findRepeatedUrl(
  companyId: string,
  url: string | null,
  id: string | null,
  tx?: Transaction,
): Promise<FieldError[]> {
  if (url === null) return [];
  const row = await queryOne<{ id: string }>(
    `SELECT id
     FROM webhook_endpoints
     WHERE company_id = $1 AND url = $2 AND id IS DISTINCT FROM $3`,
    [companyId, url, id],
    tx,
  );
  if (!row) return [];
  const error = fieldError(['url'], 'already_exists', 'Another endpoint has this URL.');
  return [{ ...error, existingId: row.id }];
}

/** The errors of the target of a body that may be invalid. */
export async function findTargetErrors(
  body: unknown,
  companyId: string,
  id: string | null = null,
): Promise<readonly FieldError[]> {
  const { url, after } = (body ?? {}) as { readonly [member in keyof SentTarget]?: unknown };
  const sent = {
    ...(typeof url === 'string' && url.length <= MAX_URL_TEXT ? { url } : {}),
    ...(isPosition(after) ? { after } : {}),
  };
  try {
    const target = await checkTarget(companyId, sent, id);
    return await findRepeatedUrl(companyId, target.url, id);
  } catch (error) {
    if (error instanceof Problem) return error.details.errors ?? [];
    throw error;
  }
}

/** Throws any other error than a Problem. */
function errorsOf(settled: PromiseSettledResult<unknown>): readonly FieldError[] {
  if (settled.status === 'fulfilled') return [];
  const reason: unknown = settled.reason;
  if (reason instanceof Problem) return reason.details.errors ?? [];
  throw reason;
}
