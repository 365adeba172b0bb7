// The stored secrets of endpoints.
import { query, queryOne, type Transaction } from '../../platform/db/connection.js';
import { Problem } from '../../platform/errors.js';
import { newId } from '../../platform/values/ids.js';
import { decrypt, type EncryptionKeys, encrypt } from '../secrets/encryption.js';
import { makeSecret, secretText } from '../secrets/signing.js';
import { IS_VALID_SECRET } from './endpoint.js';

/** Valid secrets of one endpoint, while overlaps of rotations last. */
const MAX_SECRETS = 4;

const contextOf = (companyId: string, endpointId: string) => `${companyId}/${endpointId}`;

/** Adds a secret, which is the current one from now on, and returns its text. */
export async function addEndpointSecret(
  companyId: string,
  endpointId: string,
  keys: EncryptionKeys,
  tx: Transaction,
): Promise<string> {
  const secret = makeSecret();
  const encrypted = encrypt(keys, contextOf(companyId, endpointId), secret);
  await query(
    `INSERT INTO webhook_secrets (company_id, endpoint_id, id, encrypted, created_at)
     VALUES ($1, $2, $3, $4, date_trunc('milliseconds', clock_timestamp()))`,
    [companyId, endpointId, newId(), encrypted],
    tx,
  );
  return secretText(secret);
}

/**
 * Ends the current secret after the overlap; without one, all secrets at once. The company is
 * locked. Throws Problem `limit_reached`.
 */
export async function endSecrets(
  companyId: string,
  endpointId: string,
  overlapHours: number,
  tx: Transaction,
): Promise<void> {
  const ended = overlapHours === 0 ? 'true' : `NOT ${IS_VALID_SECRET}`;
  await query(
    `DELETE FROM webhook_secrets s WHERE s.company_id = $1 AND s.endpoint_id = $2 AND ${ended}`,
    [companyId, endpointId],
    tx,
  );
  const row = await queryOne<{ count: number }>(
    `SELECT count(*)::int AS count
     FROM webhook_secrets
     WHERE company_id = $1 AND endpoint_id = $2`,
    [companyId, endpointId],
    tx,
  );
  if ((row?.count ?? 0) >= MAX_SECRETS)
    throw new Problem(
      'limit_reached',
      `An endpoint has at most ${MAX_SECRETS} valid secrets. Wait until one ends, or rotate ` +
        'without an overlap.',
    );
  await query(
    `UPDATE webhook_secrets
     SET expires_at = date_trunc('milliseconds', clock_timestamp())
       + $3::float8 * interval '1 hour'
     WHERE company_id = $1 AND endpoint_id = $2 AND expires_at IS NULL`,
    [companyId, endpointId, overlapHours],
    tx,
  );
}

/**
 * The valid secrets that can be decrypted, newest first. With a lease: none if it is lost, since a
 * change of the endpoint ends it.
 */
export async function readSecrets(
  companyId: string,
  endpointId: string,
  keys: EncryptionKeys,
  leaseToken: string | null = null,
): Promise<readonly Buffer[]> {
  const rows = await query<{ encrypted: Buffer }>(
    `SELECT s.encrypted
     FROM webhook_secrets s
     WHERE s.company_id = $1 AND s.endpoint_id = $2 AND ${IS_VALID_SECRET}
       AND ($3::uuid IS NULL OR EXISTS (
         SELECT 1
         FROM webhook_endpoints e
         WHERE e.company_id = $1 AND e.id = $2 AND e.lease_token = $3
       ))
     ORDER BY s.created_at DESC, s.id DESC`,
    [companyId, endpointId, leaseToken],
  );
  return rows.flatMap(
    ({ encrypted }) => decrypt(keys, contextOf(companyId, endpointId), encrypted) ?? [],
  );
}
