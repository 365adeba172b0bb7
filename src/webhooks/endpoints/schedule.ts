// When an endpoint is due: a worker then has something to do for it.
import { query, type Transaction } from '../../platform/db/connection.js';

/** SQL: the endpoint e has no delivery that holds up the next events. */
const IS_FREE = `NOT (e.ordered AND EXISTS (
  SELECT 1
  FROM webhook_deliveries d
  WHERE d.company_id = e.company_id AND d.endpoint_id = e.id AND d.next_attempt_at IS NOT NULL
))`;

/** SQL: the next retry of the endpoint e. If it is ordered, that of its first pending event. */
const NEXT_RETRY = `(
  SELECT d.next_attempt_at
  FROM webhook_deliveries d
  WHERE d.company_id = e.company_id AND d.endpoint_id = e.id AND d.next_attempt_at IS NOT NULL
  ORDER BY CASE WHEN e.ordered THEN d.sequence END, d.next_attempt_at
  LIMIT 1
)`;

const NEXT_REDELIVERY = `(
  SELECT min(d.redeliver_at)
  FROM webhook_deliveries d
  WHERE d.company_id = e.company_id AND d.endpoint_id = e.id AND d.redeliver_at IS NOT NULL
)`;

/** SQL: since when the next event of the endpoint e waits. An expired one waits since now. */
const WAITING_SINCE = `LEAST(clock_timestamp(), (
  SELECT f.created_at
  FROM feed f
  WHERE f.company_id = e.company_id AND f.last_sequence > e.position
  ORDER BY f.last_sequence
  LIMIT 1
))`;

/** Sets when the endpoint is due, after any change of it or of its deliveries. */
export async function scheduleEndpoint(
  companyId: string,
  id: string,
  tx: Transaction,
): Promise<void> {
  await query(
    `UPDATE webhook_endpoints e
     SET timed_at = clock_timestamp(),
       due_at = LEAST(
         ${NEXT_REDELIVERY},
         CASE WHEN e.status = 'active' AND e.health = 'failing' THEN e.probe_at END,
         CASE WHEN e.status = 'active' AND e.health = 'healthy' THEN
           LEAST(${NEXT_RETRY}, CASE WHEN e.position < (
             SELECT next_event_sequence - 1
             FROM companies c
             WHERE c.id = e.company_id
           ) AND ${IS_FREE} THEN ${WAITING_SINCE} END)
         END
       )
     WHERE e.company_id = $1 AND e.id = $2`,
    [companyId, id],
    tx,
  );
}

/**
 * Makes the endpoints due that are behind their feed: those of the companies, or of all companies
 * (null). Skips rows that another process has locked, which looks after them. True if it found one.
 */
export async function sweepEndpoints(companyIds: readonly string[] | null): Promise<boolean> {
  const rows = await query(
    `WITH behind AS MATERIALIZED (
       SELECT e.company_id, e.id
       FROM webhook_endpoints e
       JOIN companies c ON c.id = e.company_id
       WHERE e.status = 'active'
         AND e.health = 'healthy'
         AND e.lease_token IS NULL
         AND (e.due_at IS NULL OR e.due_at > clock_timestamp())
         AND e.position < c.next_event_sequence - 1
         AND ($1::uuid[] IS NULL OR e.company_id = ANY ($1))
         AND ${IS_FREE}
       FOR NO KEY UPDATE OF e SKIP LOCKED
     )
     UPDATE webhook_endpoints e
     SET due_at = ${WAITING_SINCE}, timed_at = clock_timestamp()
     FROM behind
     WHERE e.company_id = behind.company_id AND e.id = behind.id
     RETURNING e.id`,
    [companyIds],
  );
  return rows.length > 0;
}
