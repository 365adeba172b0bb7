// A test of an endpoint: one attempt at once, which leaves its health and its log alone.
import { readEvents, readFeedPosition } from '../../events/read.js';
import { sampleData } from '../../events/samples.js';
import type { EventTypeName } from '../../events/types.js';
import { queryOne } from '../../platform/db/connection.js';
import { notFound, Problem } from '../../platform/errors.js';
import { newId } from '../../platform/values/ids.js';
import type { AttemptJson, EndpointJson } from '../endpoints/endpoint.js';
import { getEndpoint } from '../endpoints/queries.js';
import { readSecrets } from '../endpoints/secret-rows.js';
import { webhookHeaders } from '../sending/request.js';
import { Sender } from '../sending/sender.js';
import { requireKeys, webhookSettings } from '../settings.js';

export const TESTS_PER_MINUTE = 10;
const TEST_TYPE = 'webhook_endpoint.test';

/**
 * Sends a test, or a sample of a type, and returns the attempt. Throws Problem `not_found`,
 * `too_many_attempts` or `service_unavailable`.
 */
export async function testEndpoint(
  companyId: string,
  endpointId: string,
  type: EventTypeName | undefined,
): Promise<AttemptJson> {
  const keys = requireKeys();
  const endpoint = await getEndpoint(companyId, endpointId);
  const secrets = await readSecrets(companyId, endpointId, keys);
  if (secrets.length === 0)
    throw new Problem('invalid_state', 'The secret of the endpoint is lost. Rotate it.');
  const now = await countTest(companyId);
  const timestamp = new Date(now).toISOString();
  const id = newId();
  const { data, partial } = await sampleOf(companyId, type, endpoint);
  const sent = {
    type: type ?? TEST_TYPE,
    timestamp,
    id,
    sequence: null,
    companyId,
    actor: null,
    data,
    test: true,
    partial,
  };
  const body = JSON.stringify(sent);
  const headers = webhookHeaders({ id, body }, secrets, now);
  const sender = new Sender(webhookSettings().rules);
  try {
    const { url } = endpoint;
    const { durationMs, status, error, response } = await sender.send({ url, headers, body });
    const request = { headers, body };
    return { at: timestamp, durationMs, trigger: 'manual', status, error, request, response };
  } finally {
    sender.close();
  }
}

/** Events that are looked through for a sample: those that one read examines. */
const RECENT = 5_000;

interface Sample {
  readonly data: unknown;
  /** As in the event, if that is too long for its lists. */
  readonly partial?: true;
}

/** The data of the company's newest event of the type; without a recent one, an invented object. */
async function sampleOf(
  companyId: string,
  type: EventTypeName | undefined,
  endpoint: EndpointJson,
): Promise<Sample> {
  const invented = type && sampleData(type);
  if (!invented) return { data: endpoint };
  const { newest } = await readFeedPosition(companyId);
  const { events } = await readEvents(companyId, {
    after: Math.max(0, newest - RECENT),
    limit: RECENT,
    types: new Set([type]),
  });
  const last = events.at(-1);
  return last ? JSON.parse(last.body) : { data: invented };
}

/** Counts a test in the current minute. Returns the time in milliseconds since 1970. */
async function countTest(companyId: string): Promise<number> {
  const row = await queryOne<{ count: number; now: number; leftSeconds: number }>(
    `INSERT INTO webhook_tests AS tests (company_id, started_at, count)
     VALUES ($1, clock_timestamp(), 1)
     ON CONFLICT (company_id) DO UPDATE
     SET started_at = CASE
         WHEN tests.started_at BETWEEN clock_timestamp() - interval '1 minute'
           AND clock_timestamp()
         THEN tests.started_at
         ELSE clock_timestamp()
       END,
       count = CASE
         WHEN tests.started_at BETWEEN clock_timestamp() - interval '1 minute'
           AND clock_timestamp()
         THEN least(tests.count + 1, $2 + 1)
         ELSE 1
       END
     RETURNING count,
       floor(extract(epoch FROM clock_timestamp()) * 1000)::float8 AS now,
       ceil(60 - extract(epoch FROM clock_timestamp() - started_at))::int AS "leftSeconds"`,
    [companyId, TESTS_PER_MINUTE],
  );
  if (!row) throw notFound('company');
  if (row.count > TESTS_PER_MINUTE)
    throw new Problem(
      'too_many_attempts',
      `A company may send ${TESTS_PER_MINUTE} tests per minute.`,
      { headers: { 'Retry-After': String(Math.max(1, row.leftSeconds)) } },
    );
  return row.now;
}
