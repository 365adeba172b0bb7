// Stores a turn in one transaction, if its lease still holds: attempts, deliveries, position and
// health. A step of the health is an event of the feed.
import { lockCompanies } from '../../companies/lock.js';
import { appendEvents } from '../../feed/append.js';
import { inTransaction, query, type Transaction } from '../../platform/db/connection.js';
import { timeOf } from '../../platform/db/sql.js';
import { endLease, type Lease } from '../../platform/leases/leases.js';
import { getEndpoint } from '../endpoints/queries.js';
import { scheduleEndpoint } from '../endpoints/schedule.js';
import { type EndpointRef, endExpired, endRedeliveries, storeAttempts } from './deliveries.js';
import type { Health } from './health.js';
import type { EndpointState } from './load.js';
import type { TurnResult } from './turn.js';

/** A change of health that owners get notice of. */
export type HealthStep = 'failing' | 'disabled';

export function stepBetween(
  { status, health }: Pick<EndpointState, 'status' | 'health'>,
  after: Health,
): HealthStep | null {
  if (after.disabled) return status === 'disabled' ? null : 'disabled';
  return after.failing && !health.failing ? 'failing' : null;
}

/** Throws LeaseLost. */
export async function storeTurn(
  lease: Lease,
  endpoint: Pick<EndpointState, 'status' | 'health' | 'missed'>,
  result: TurnResult,
): Promise<void> {
  const { companyId, id } = lease;
  const ref: EndpointRef = { companyId, endpointId: id };
  const step = stepBetween(endpoint, result.health);
  await inTransaction(async tx => {
    if (step) await lockCompanies([companyId], {}, tx);
    await endLease({ table: 'webhook_endpoints' }, lease, null, tx);
    await storeAttempts(ref, result.records, result, tx);
    await endExpired(ref, result.expired, tx);
    await endRedeliveries(ref, result.redelivered, tx);
    await storeEndpoint(ref, endpoint.missed, result, tx);
    await scheduleEndpoint(companyId, id, tx);
    if (!step) return;
    const data = await getEndpoint(companyId, id, tx);
    const event = { type: `webhook_endpoint.${step}`, subjectId: id, actor: null, data };
    await appendEvents(companyId, [event], tx);
  });
}

async function storeEndpoint(
  { companyId, endpointId }: EndpointRef,
  missed: number,
  { health, position, lastSuccessAt, lastFailureAt }: TurnResult,
  tx: Transaction,
): Promise<void> {
  const { failing, disabled } = health;
  await query(
    `UPDATE webhook_endpoints
     SET position = $3,
       missed = missed + $4,
       failures = $5,
       failed_sequences = $6::bigint[],
       is_quick = $7,
       health = CASE WHEN $8::float8 IS NULL THEN 'healthy' ELSE 'failing' END,
       disable_at = ${timeOf('$8')},
       probe_at = ${timeOf('$9')},
       probes = $10,
       status = CASE WHEN $11::text IS NULL THEN status ELSE 'disabled' END,
       disabled_reason = COALESCE($11, disabled_reason),
       last_success_at = COALESCE(${timeOf('$12')}, last_success_at),
       last_failure_at = COALESCE(${timeOf('$13')}, last_failure_at)
     WHERE company_id = $1 AND id = $2`,
    [
      ...[companyId, endpointId, position, missed],
      ...[health.failures, health.failedSequences, health.isQuick],
      ...[failing?.disableAt ?? null, failing?.probeAt ?? null, failing?.probes ?? 0],
      ...[disabled, lastSuccessAt, lastFailureAt],
    ],
    tx,
  );
}
