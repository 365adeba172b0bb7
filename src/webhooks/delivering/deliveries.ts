// The deliveries of an endpoint that a worker attempts, and how their rows change.
import { type FeedEvent, readEventsBySequence } from '../../events/read.js';
import { query, type Transaction } from '../../platform/db/connection.js';
import { type Columns, insertRows, type RowChange, updateRows } from '../../platform/db/rows.js';
import type { Trigger } from '../endpoints/endpoint.js';
import { type AttemptOutcome, type HeaderMap, isSuccess } from '../sending/outcome.js';
import { retryPause } from './health.js';

export interface EndpointRef {
  readonly companyId: string;
  readonly endpointId: string;
}

export interface DeliveryState {
  readonly status: 'pending' | 'succeeded' | 'failed' | 'skipped';
  readonly attempts: number;
  readonly scheduledAttempts: number;
  /** Milliseconds since 1970; null unless it is pending. */
  readonly nextAttemptAt: number | null;
}

/** An event to attempt. */
export interface Item {
  readonly event: FeedEvent;
  readonly trigger: Trigger;
}

export interface AttemptRecord extends Item {
  /** The number of the attempt, from 1. */
  readonly number: number;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly outcome: AttemptOutcome;
  readonly requestHeaders: HeaderMap;
}

/** Which deliveries an endpoint has to attempt beside new events. */
export type DeliveryChoice = 'retry' | 'probe' | 'manual' | 'held up';

const CHOICES: Readonly<Record<DeliveryChoice, string>> = {
  retry: 'next_attempt_at <= clock_timestamp() ORDER BY next_attempt_at, sequence',
  // The pending event that has the fewest attempts.
  probe: 'next_attempt_at IS NOT NULL ORDER BY attempts, sequence',
  manual: 'redeliver_at IS NOT NULL ORDER BY sequence',
  // The first pending event of an ordered endpoint.
  'held up': 'next_attempt_at IS NOT NULL ORDER BY sequence',
};

export interface ChosenDelivery {
  readonly sequence: number;
  readonly isDue: boolean;
  /** When its redelivery was asked for, as Postgres writes it, to the microsecond. */
  readonly askedAt: string | null;
}

export async function chooseDeliveries(
  { companyId, endpointId }: EndpointRef,
  choice: DeliveryChoice,
  limit: number,
): Promise<ChosenDelivery[]> {
  const rows = await query<Omit<ChosenDelivery, 'sequence'> & { sequence: string }>(
    `SELECT sequence::text AS sequence,
       COALESCE(next_attempt_at <= clock_timestamp(), false) AS "isDue",
       redeliver_at::text AS "askedAt"
     FROM webhook_deliveries
     WHERE company_id = $1 AND endpoint_id = $2 AND ${CHOICES[choice]}
     LIMIT $3`,
    [companyId, endpointId, limit],
  );
  return rows.map(row => ({ ...row, sequence: Number(row.sequence) }));
}

/** The states of those of these deliveries that exist. */
export async function readStates(
  { companyId, endpointId }: EndpointRef,
  sequences: readonly number[],
): Promise<Map<number, DeliveryState>> {
  const rows = await query<DeliveryState & { sequence: string }>(
    `SELECT sequence::text AS sequence, status, attempts,
       scheduled_attempts AS "scheduledAttempts",
       extract(epoch FROM next_attempt_at)::float8 * 1000 AS "nextAttemptAt"
     FROM webhook_deliveries
     WHERE company_id = $1 AND endpoint_id = $2 AND sequence = ANY ($3::bigint[])`,
    [companyId, endpointId, sequences],
  );
  return new Map(rows.map(({ sequence, ...state }) => [Number(sequence), state]));
}

/** The events of the deliveries, in their order. Expired ones are missing. */
export async function eventItems(
  companyId: string,
  sequences: readonly number[],
  trigger: Trigger,
): Promise<Item[]> {
  if (sequences.length === 0) return [];
  const events = await readEventsBySequence(companyId, sequences);
  const bySequence = new Map(events.map(event => [event.sequence, event]));
  return sequences.flatMap(sequence => {
    const event = bySequence.get(sequence);
    return event ? [{ event, trigger }] : [];
  });
}

/** The state after an attempt that ended at `now`. */
export function stateAfter(
  state: DeliveryState | undefined,
  { trigger, outcome }: Pick<AttemptRecord, 'trigger' | 'outcome'>,
  isOrdered: boolean,
  now: number,
): DeliveryState {
  const attempts = (state?.attempts ?? 0) + 1;
  const isScheduled = trigger === 'first' || trigger === 'retry';
  const scheduledAttempts = (state?.scheduledAttempts ?? 0) + (isScheduled ? 1 : 0);
  const counted = { attempts, scheduledAttempts };
  if (isSuccess(outcome)) return { ...counted, status: 'succeeded', nextAttemptAt: null };
  if (!isScheduled && state) return { ...state, ...counted };
  const { retryAfterMs } = outcome;
  const pause = retryPause(
    Math.max(1, scheduledAttempts),
    { isOrdered, retryAfterMs },
    Math.random(),
  );
  if (pause === null) return { ...counted, status: 'failed', nextAttemptAt: null };
  return { ...counted, status: 'pending', nextAttemptAt: now + pause };
}

interface DeliveryRow extends EndpointRef, DeliveryState {
  readonly event: FeedEvent;
  readonly createdAt: number;
}

const at = (milliseconds: number | null): string | null =>
  milliseconds === null ? null : new Date(milliseconds).toISOString();

const KEY: Columns<EndpointRef & { readonly event: FeedEvent }> = {
  company_id: ['uuid', ({ companyId }) => companyId],
  endpoint_id: ['uuid', ({ endpointId }) => endpointId],
  sequence: ['bigint', ({ event }) => event.sequence],
};
const STATE: Columns<DeliveryState> = {
  status: ['text', ({ status }) => status],
  attempts: ['int', ({ attempts }) => attempts],
  scheduled_attempts: ['int', ({ scheduledAttempts }) => scheduledAttempts],
  next_attempt_at: ['timestamptz', ({ nextAttemptAt }) => at(nextAttemptAt)],
  timed_at: 'clock_timestamp()',
};
const NEW_DELIVERY: Columns<DeliveryRow> = {
  ...KEY,
  ...STATE,
  event_id: ['uuid', ({ event }) => event.id],
  type: ['text', ({ event }) => event.type],
  event_at: ['timestamptz', ({ event }) => event.timestamp],
  created_at: ['timestamptz', ({ createdAt }) => at(createdAt)],
};
const CHANGED_DELIVERY: RowChange<DeliveryRow> = { key: KEY, set: STATE };

const ATTEMPT: Columns<EndpointRef & AttemptRecord> = {
  ...KEY,
  number: ['int', ({ number }) => number],
  at: ['timestamptz', record => at(record.at)],
  duration_ms: ['int', ({ outcome }) => outcome.durationMs],
  trigger: ['text', ({ trigger }) => trigger],
  status: ['int', ({ outcome }) => outcome.status],
  error: ['text', ({ outcome }) => outcome.error],
  request_headers: ['json', ({ requestHeaders }) => JSON.stringify(requestHeaders)],
  response: ['json', ({ outcome }) => outcome.response && JSON.stringify(outcome.response)],
};

/** Stores attempts, and the states of their deliveries before and after them. */
export async function storeAttempts(
  ref: EndpointRef,
  records: readonly AttemptRecord[],
  { before, after }: Readonly<Record<'before' | 'after', ReadonlyMap<number, DeliveryState>>>,
  tx: Transaction,
): Promise<void> {
  const rows = new Map<number, DeliveryRow>();
  for (const { event, at: createdAt } of records) {
    const state = after.get(event.sequence);
    if (state && !rows.has(event.sequence))
      rows.set(event.sequence, { ...ref, ...state, event, createdAt });
  }
  const all = [...rows.values()];
  const isNew = ({ event }: DeliveryRow) => !before.has(event.sequence);
  await insertRows('webhook_deliveries', NEW_DELIVERY, all.filter(isNew), tx);
  const changed = all.filter(row => !isNew(row));
  await updateRows('webhook_deliveries', CHANGED_DELIVERY, changed, tx);
  const attempts = records.map(record => ({ ...ref, ...record }));
  await insertRows('webhook_attempts', ATTEMPT, attempts, tx);
}

/** Ends deliveries whose events have expired: they can be sent no more. */
export async function endExpired(
  { companyId, endpointId }: EndpointRef,
  sequences: readonly number[],
  tx: Transaction,
): Promise<void> {
  if (sequences.length === 0) return;
  await query(
    `UPDATE webhook_deliveries
     SET status = CASE WHEN status = 'pending' THEN 'failed' ELSE status END,
       next_attempt_at = NULL,
       redeliver_at = NULL
     WHERE company_id = $1 AND endpoint_id = $2 AND sequence = ANY ($3::bigint[])`,
    [companyId, endpointId, sequences],
    tx,
  );
}

/** Ends the requests for redeliveries that were carried out, except those made meanwhile. */
export async function endRedeliveries(
  { companyId, endpointId }: EndpointRef,
  redelivered: readonly ChosenDelivery[],
  tx: Transaction,
): Promise<void> {
  if (redelivered.length === 0) return;
  await query(
    `UPDATE webhook_deliveries d
     SET redeliver_at = NULL
     FROM unnest($3::bigint[], $4::timestamptz[]) AS ended (sequence, asked_at)
     WHERE d.company_id = $1 AND d.endpoint_id = $2
       AND d.sequence = ended.sequence AND d.redeliver_at = ended.asked_at`,
    [
      ...[companyId, endpointId],
      redelivered.map(({ sequence }) => sequence),
      redelivered.map(({ askedAt }) => askedAt),
    ],
    tx,
  );
}
