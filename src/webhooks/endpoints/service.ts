// Changes of endpoints. They are not queued: the answer comes from the transaction.
import { lockCompanies } from '../../companies/lock.js';
import { inCompanyTransaction } from '../../companies/write-turns.js';
import { query, queryOne, type Transaction } from '../../platform/db/connection.js';
import { notFound, Problem } from '../../platform/errors.js';
import { newId } from '../../platform/values/ids.js';
import { requireKeys } from '../settings.js';
import { checkTarget, refuseRepeatedUrl } from './check-target.js';
import { findEndpoint, getEndpoint } from './queries.js';
import { scheduleEndpoint } from './schedule.js';
import type { EndpointPatch, EndpointRequest } from './schema.js';
import { addEndpointSecret, endSecrets } from './secret-rows.js';

const MAX_ENDPOINTS = 10;

/** SQL: now, in whole milliseconds. */
const NOW = `date_trunc('milliseconds', clock_timestamp())`;

/** SQL: the columns of an endpoint's health once it is healthy. */
const HEALTHY = {
  health: `'healthy'`,
  failures: '0',
  failed_sequences: `'{}'::bigint[]`,
  probe_at: 'NULL::timestamptz',
  probes: '0',
  disable_at: 'NULL::timestamptz',
} as const;

/**
 * Creates an endpoint. Its JSON text includes the secret, which is shown only here. Throws Problem
 * `validation_failed`, `already_exists`, `limit_reached`, `events_expired` or
 * `service_unavailable`.
 */
export async function createEndpoint(
  companyId: string,
  request: EndpointRequest,
): Promise<{ readonly id: string; readonly body: string }> {
  const keys = requireKeys();
  const { types, description = null, ordered = false, after = 'last' } = request;
  const { url, position } = await checkTarget(companyId, { url: request.url, after }, null);
  const id = newId();
  return inCompanyTransaction(companyId, async tx => {
    await lockCompanies([companyId], {}, tx);
    await refuseRepeatedUrl(companyId, url, id, tx);
    await refuseManyEndpoints(companyId, tx);
    await query(
      `INSERT INTO webhook_endpoints (company_id, id, url, types, description, ordered, position,
         is_quick, created_at, updated_at)
       -- It has not shown yet that it keeps up.
       VALUES ($1, $2, $3, $4::json, $5, $6, $7, false, ${NOW}, ${NOW})`,
      [companyId, id, url, JSON.stringify(types), description, ordered, position],
      tx,
    );
    const secret = await addEndpointSecret(companyId, id, keys, tx);
    await scheduleEndpoint(companyId, id, tx);
    return { id, body: await withSecret(companyId, id, secret, tx) };
  });
}

/**
 * Applies a merge patch. A change takes the endpoint from the worker that delivers to it, so what
 * is in flight may be sent again. Throws Problem `not_found` and those of `createEndpoint`.
 */
export async function updateEndpoint(
  companyId: string,
  id: string,
  patch: EndpointPatch,
): Promise<string> {
  const { types, description, ordered, status } = patch;
  const { url, position } = await checkTarget(companyId, patch, id);
  return inCompanyTransaction(companyId, async tx => {
    await lockCompanies([companyId], {}, tx);
    if ((await findEndpoint(companyId, id, tx)) === null) throw notFound('endpoint');
    await refuseRepeatedUrl(companyId, url, id, tx);
    await query(
      `UPDATE webhook_endpoints
       SET url = COALESCE($3, url),
         types = COALESCE($4::json, types),
         description = CASE WHEN $5 THEN $6 ELSE description END,
         ordered = COALESCE($7, ordered),
         position = COALESCE($8, position),
         status = COALESCE($9, status),
         disabled_reason = CASE WHEN $9 IS NULL THEN disabled_reason END,
         ${Object.entries(HEALTHY)
           .map(
             ([column, value]) =>
               `${column} = CASE WHEN $9 = 'active' THEN ${value} ELSE ${column} END`,
           )
           .join(',\n         ')},
         updated_at = ${NOW},
         lease_token = NULL,
         leased_until = NULL
       WHERE company_id = $1 AND id = $2`,
      [
        ...[companyId, id, url, types === undefined ? null : JSON.stringify(types)],
        ...[description !== undefined, description ?? null, ordered ?? null, position],
        status === undefined ? null : status,
      ],
      tx,
    );
    await scheduleEndpoint(companyId, id, tx);
    return (await findEndpoint(companyId, id, tx)) as string;
  });
}

/** Its deliveries are not shown any more. Throws Problem `not_found`. */
export async function deleteEndpoint(companyId: string, id: string): Promise<void> {
  await inCompanyTransaction(companyId, async tx => {
    await lockCompanies([companyId], {}, tx);
    const row = await queryOne(
      'DELETE FROM webhook_endpoints WHERE company_id = $1 AND id = $2 RETURNING id',
      [companyId, id],
      tx,
    );
    if (!row) throw notFound('endpoint');
  });
}

/**
 * Gives the endpoint a new secret; its JSON text includes it, and shows it only here. The current
 * one signs too until the overlap ends. Throws Problem `not_found`, `limit_reached` or
 * `service_unavailable`.
 */
export async function rotateSecret(
  companyId: string,
  id: string,
  overlapHours: number,
): Promise<string> {
  const keys = requireKeys();
  return inCompanyTransaction(companyId, async tx => {
    await lockCompanies([companyId], {}, tx);
    await getEndpoint(companyId, id, tx);
    await endSecrets(companyId, id, overlapHours, tx);
    const secret = await addEndpointSecret(companyId, id, keys, tx);
    return withSecret(companyId, id, secret, tx);
  });
}

async function withSecret(
  companyId: string,
  id: string,
  secret: string,
  tx: Transaction,
): Promise<string> {
  const body = await findEndpoint(companyId, id, tx);
  return `${body?.slice(0, -1)},"secret":${JSON.stringify(secret)}}`;
}

async function refuseManyEndpoints(companyId: string, tx: Transaction): Promise<void> {
  const row = await queryOne<{ count: number }>(
    'SELECT count(*)::int AS count FROM webhook_endpoints WHERE company_id = $1',
    [companyId],
    tx,
  );
  if ((row?.count ?? 0) >= MAX_ENDPOINTS)
    throw new Problem('limit_reached', `A company has at most ${MAX_ENDPOINTS} endpoints.`);
}
