// Endpoints and events for tests of webhooks. The database is open in the process of the test.
import { expect } from 'chai';
import { v7 as uuidv7 } from 'uuid';
import { appendEvents } from '../../src/feed/append.js';
import { inTransaction } from '../../src/platform/db/connection.js';
import { registerSecret } from './canary.js';
import type { Json } from './client.js';
import type { TestCompany } from './factories.js';
import { textOf } from './html.js';
import type { Stack } from './suite.js';

/** The variables of a process that may deliver to receivers on this machine. */
export const LOOPBACK_ALLOWED = { WEBHOOK_ALLOW: '127.0.0.0/8,::1/128' };

export interface TestEndpoint {
  readonly id: string;
  readonly secret: string;
  readonly path: string;
}

export async function makeEndpoint(
  company: TestCompany,
  url: string,
  fields: Json = {},
): Promise<TestEndpoint> {
  const json = { url, types: ['*'], ...fields };
  const response = await company.post('/webhook-endpoints', json, { mayTell: true });
  expect(response.status, textOf(response)).to.equal(201);
  const { id, secret } = response.body;
  registerSecret(secret);
  return { id, secret, path: `/webhook-endpoints/${id}` };
}

/** Writes events of changed keys: their data are in the feed. One transaction for each call. */
export function writeEvents(
  { companyId }: Pick<TestCompany, 'companyId'>,
  count: number,
): Promise<void> {
  const events = Array.from({ length: count }, (_, index) => {
    const id = uuidv7();
    const data = { id, name: `Key ${index}`, scopes: [], expiresAt: null, revokedAt: null };
    return { type: 'key.updated', subjectId: id, actor: null, data };
  });
  return inTransaction(tx => appendEvents(companyId, events, tx));
}

/** Lets the endpoint's retries, probes and redeliveries be due now. */
export async function hurry({ sql }: Pick<Stack, 'sql'>, endpoint: TestEndpoint): Promise<void> {
  const { id } = endpoint;
  await sql(
    `UPDATE webhook_deliveries
     SET next_attempt_at = clock_timestamp()
     WHERE endpoint_id = $1 AND next_attempt_at IS NOT NULL`,
    [id],
  );
  await sql(
    `UPDATE webhook_endpoints
     SET due_at = clock_timestamp(), timed_at = clock_timestamp(),
       probe_at = CASE WHEN probe_at IS NOT NULL THEN clock_timestamp() END
     WHERE id = $1`,
    [id],
  );
}
