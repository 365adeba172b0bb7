// Asks workers to send deliveries again, and lets ordered endpoints pass over one.
import { lockCompanies } from '../../companies/lock.js';
import { inCompanyTransaction } from '../../companies/write-turns.js';
import { query, queryOne, type Transaction } from '../../platform/db/connection.js';
import { timeOf } from '../../platform/db/sql.js';
import { notFound, Problem } from '../../platform/errors.js';
import { fieldError, invalidField, validationFailed } from '../../platform/field-errors.js';
import { deliveryJson } from '../endpoints/endpoint.js';
import { getEndpoint } from '../endpoints/queries.js';
import { scheduleEndpoint } from '../endpoints/schedule.js';

/** Of one request. */
export const MAX_REDELIVERIES = 10_000;

/** The deliveries of a bulk redelivery. */
export type RedeliveryChoice =
  | { readonly sequences: readonly number[] }
  /** Times in milliseconds since 1970. */
  | { readonly from: number; readonly to: number | null; readonly onlyFailed: boolean };

/** Asks for one redelivery, in any status of the endpoint. Throws Problem `not_found`. */
export async function redeliverOne(
  companyId: string,
  endpointId: string,
  sequence: number,
): Promise<void> {
  await inCompanyTransaction(companyId, async tx => {
    await lockCompanies([companyId], {}, tx);
    await getEndpoint(companyId, endpointId, tx);
    const marked = await markSequences(companyId, endpointId, [sequence], tx);
    if (marked.length === 0) throw notFound('delivery');
    await scheduleEndpoint(companyId, endpointId, tx);
  });
}

/**
 * Asks for redeliveries and returns their number. Throws Problem `not_found`, `invalid_state`
 * unless the endpoint is active, or `validation_failed`: `invalid_value` for unknown sequences,
 * `too_large` for too many deliveries.
 */
export async function redeliverMany(
  companyId: string,
  endpointId: string,
  choice: RedeliveryChoice,
): Promise<number> {
  return inCompanyTransaction(companyId, async tx => {
    await lockCompanies([companyId], {}, tx);
    const { status } = await getEndpoint(companyId, endpointId, tx);
    if (status !== 'active')
      throw new Problem('invalid_state', `The endpoint is ${status}. Activate it first.`);
    const count =
      'sequences' in choice
        ? await markAll(companyId, endpointId, choice.sequences, tx)
        : await markRange(companyId, endpointId, choice, tx);
    await scheduleEndpoint(companyId, endpointId, tx);
    return count;
  });
}

async function markAll(
  companyId: string,
  endpointId: string,
  sequences: readonly number[],
  tx: Transaction,
): Promise<number> {
  const marked = new Set(await markSequences(companyId, endpointId, sequences, tx));
  const errors = sequences.flatMap((sequence, index) =>
    marked.has(sequence)
      ? []
      : [fieldError(['sequences', index], 'invalid_value', 'There is no such delivery.')],
  );
  if (errors.length > 0) throw validationFailed(errors);
  return marked.size;
}

async function markSequences(
  companyId: string,
  endpointId: string,
  sequences: readonly number[],
  tx: Transaction,
): Promise<number[]> {
  const rows = await query<{ sequence: string }>(
    `UPDATE webhook_deliveries
     SET redeliver_at = clock_timestamp(), timed_at = clock_timestamp()
     WHERE company_id = $1 AND endpoint_id = $2 AND sequence = ANY ($3::bigint[])
     RETURNING sequence::text AS sequence`,
    [companyId, endpointId, sequences],
    tx,
  );
  return rows.map(({ sequence }) => Number(sequence));
}

async function markRange(
  companyId: string,
  endpointId: string,
  { from, to, onlyFailed }: { from: number; to: number | null; onlyFailed: boolean },
  tx: Transaction,
): Promise<number> {
  const rows = await query<{ sequence: string }>(
    `SELECT sequence::text AS sequence
     FROM webhook_deliveries
     WHERE company_id = $1 AND endpoint_id = $2
       AND event_at >= ${timeOf('$3')}
       AND ($4::float8 IS NULL OR event_at <= ${timeOf('$4')})
       AND ($5::boolean IS FALSE OR status = 'failed')
     LIMIT ${MAX_REDELIVERIES + 1}`,
    [companyId, endpointId, from, to, onlyFailed],
    tx,
  );
  if (rows.length > MAX_REDELIVERIES)
    throw invalidField(
      'from',
      `More than ${MAX_REDELIVERIES} deliveries. Choose a shorter range.`,
      'too_large',
    );
  const sequences = rows.map(({ sequence }) => Number(sequence));
  return (await markSequences(companyId, endpointId, sequences, tx)).length;
}

/**
 * Ends a pending delivery without another attempt. Returns its JSON text. Throws Problem
 * `not_found`, or `invalid_state` unless it is pending.
 */
export async function skipDelivery(
  companyId: string,
  endpointId: string,
  sequence: number,
): Promise<string> {
  return inCompanyTransaction(companyId, async tx => {
    await lockCompanies([companyId], {}, tx);
    await getEndpoint(companyId, endpointId, tx);
    // The worker that delivers to the endpoint would store another outcome.
    await query(
      `UPDATE webhook_endpoints
       SET lease_token = NULL, leased_until = NULL
       WHERE company_id = $1 AND id = $2`,
      [companyId, endpointId],
      tx,
    );
    const row = await queryOne<{ status: string }>(
      `SELECT status
       FROM webhook_deliveries
       WHERE company_id = $1 AND endpoint_id = $2 AND sequence = $3`,
      [companyId, endpointId, sequence],
      tx,
    );
    if (!row) throw notFound('delivery');
    if (row.status !== 'pending')
      throw new Problem('invalid_state', `The delivery is ${row.status}, so it cannot be skipped.`);
    const skipped = await queryOne<{ body: string }>(
      `UPDATE webhook_deliveries d
       SET status = 'skipped', next_attempt_at = NULL
       WHERE d.company_id = $1 AND d.endpoint_id = $2 AND d.sequence = $3
       RETURNING ${deliveryJson}::text AS body`,
      [companyId, endpointId, sequence],
      tx,
    );
    await scheduleEndpoint(companyId, endpointId, tx);
    return skipped?.body ?? '';
  });
}
