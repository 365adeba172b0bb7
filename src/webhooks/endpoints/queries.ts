// Reads endpoints. They are read from the primary: an answer shows what a change has just made.
import { query, queryOne, type Transaction } from '../../platform/db/connection.js';
import { notFound } from '../../platform/errors.js';
import { type EndpointJson, endpointJson } from './endpoint.js';

/** An endpoint's JSON text; null if the company has no such endpoint. */
export async function findEndpoint(
  companyId: string,
  id: string,
  tx?: Transaction,
): Promise<string | null> {
  const row = await queryOne<{ body: string }>(
    `SELECT ${endpointJson}::text AS body
     FROM webhook_endpoints e
     WHERE e.company_id = $1 AND e.id = $2`,
    [companyId, id],
    tx,
  );
  return row?.body ?? null;
}

/** Throws Problem `not_found`. */
export async function getEndpoint(
  companyId: string,
  id: string,
  tx?: Transaction,
): Promise<EndpointJson> {
  const body = await findEndpoint(companyId, id, tx);
  if (body === null) throw notFound('endpoint');
  return JSON.parse(body) as EndpointJson;
}

/** The company's endpoints, oldest first: a JSON array. There are few of them. */
export async function listEndpoints(companyId: string): Promise<string> {
  const rows = await query<{ body: string }>(
    `SELECT ${endpointJson}::text AS body
     FROM webhook_endpoints e
     WHERE e.company_id = $1
     ORDER BY e.created_at, e.id`,
    [companyId],
  );
  return `[${rows.map(({ body }) => body).join(',')}]`;
}
