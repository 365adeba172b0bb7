// Reads the delivery log.
import { readEventsBySequence } from '../../events/read.js';
import { eventTypes } from '../../events/schema.js';
import { query, queryOne } from '../../platform/db/connection.js';
import { readRows } from '../../platform/db/list-reads.js';
import { timeJson, timeOf, type Walk, walkEnd, walkRows } from '../../platform/db/sql.js';
import { instant } from '../../platform/http/input/time.js';
import { object, oneOf, type ValueOf } from '../../platform/http/input/typed-schema.js';
import { cursor, pageSize } from '../../platform/http/input/validate.js';
import { type Page, pageOfRows } from '../../platform/http/pagination.js';
import {
  type AttemptJson,
  DELIVERY_STATUSES,
  type DeliveryJson,
  deliveryJson,
} from '../endpoints/endpoint.js';

export const deliveryQuery = object({
  limit: pageSize(50, 200).description('Deliveries per page.'),
  cursor: cursor(),
  status: oneOf(...DELIVERY_STATUSES).description('Only deliveries with this status.'),
  type: eventTypes().description(
    'Only events of these types and groups, such as `invoice.*`. Default: all.',
  ),
  from: instant().description("The first time of an event's `timestamp`."),
  to: instant().description("The last time of an event's `timestamp`."),
});
export type DeliveryQuery = ValueOf<typeof deliveryQuery>;

/** Deliveries after `position`, newest first; null if there is no such endpoint. */
export async function listWebhookDeliveries(
  companyId: string,
  endpointId: string,
  { limit, status, type, from, to }: DeliveryQuery,
  position: string[] | undefined,
): Promise<Page | null> {
  if (!(await hasEndpoint(companyId, endpointId))) return null;
  const bind: unknown[] = [companyId, endpointId];
  const value = (bound: unknown) => `$${bind.push(bound)}`;
  const range = ['d.company_id = $1', 'd.endpoint_id = $2'];
  const [before] = position ?? [];
  if (before !== undefined) range.push(`d.sequence < ${value(before)}::bigint`);
  const rangeBind = [...bind];
  const filters: string[] = [];
  if (status !== undefined) filters.push(`d.status = ${value(status)}`);
  if (type !== undefined) filters.push(`d.type = ANY(${value([...type])}::text[])`);
  if (from !== undefined) filters.push(`d.event_at >= ${timeOf(value(from))}`);
  if (to !== undefined) filters.push(`d.event_at <= ${timeOf(value(to))}`);
  const order = 'd.sequence DESC';
  const walk: Walk = { from: 'webhook_deliveries d', range, order, filters };
  const rows = await readRows<{ body: string; sequence: string }>(
    companyId,
    `SELECT ${deliveryJson}::text AS body, d.sequence::text AS sequence
     FROM (${walkRows(walk, limit + 1)}) d
     ORDER BY ${order}`,
    bind,
  );
  const page = pageOfRows(rows, limit, ({ sequence }) => [sequence]);
  if (page.next || filters.length === 0) return page;
  // There may be more matches behind the rows that one page reads.
  const [end] = await readRows<{ sequence: string }>(
    companyId,
    walkEnd(walk, 'd.sequence::text AS sequence'),
    rangeBind,
  );
  return { ...page, next: end ? [end.sequence] : null };
}

async function hasEndpoint(companyId: string, endpointId: string): Promise<boolean> {
  const row = await queryOne('SELECT id FROM webhook_endpoints WHERE company_id = $1 AND id = $2', [
    companyId,
    endpointId,
  ]);
  return row !== null;
}

export interface DeliveryWithAttempts extends DeliveryJson {
  readonly attempts: readonly AttemptJson[];
}

/** A delivery with its attempts, oldest first; null if there is none. */
export async function findWebhookDelivery(
  companyId: string,
  endpointId: string,
  sequence: number,
): Promise<DeliveryWithAttempts | null> {
  if (!(await hasEndpoint(companyId, endpointId))) return null;
  const key = [companyId, endpointId, sequence];
  const found = await queryOne<{ delivery: DeliveryJson }>(
    `SELECT ${deliveryJson} AS delivery
     FROM webhook_deliveries d
     WHERE d.company_id = $1 AND d.endpoint_id = $2 AND d.sequence = $3`,
    key,
  );
  if (!found) return null;
  const [attempts, [event]] = await Promise.all([
    query<AttemptJson & { headers: AttemptJson['request']['headers'] }>(
      `SELECT ${timeJson('at')} AS at, duration_ms AS "durationMs", trigger, status, error,
         request_headers AS headers, response
       FROM webhook_attempts
       WHERE company_id = $1 AND endpoint_id = $2 AND sequence = $3
       ORDER BY number`,
      key,
    ),
    readEventsBySequence(companyId, [sequence]),
  ]);
  const body = event?.body ?? null;
  return {
    ...found.delivery,
    attempts: attempts.map(({ headers, response, ...attempt }) => ({
      ...attempt,
      request: { headers, body },
      response,
    })),
  };
}
