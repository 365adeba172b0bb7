// The part of a worker that delivers webhooks.
import type { Config } from '../../../config/index.js';
import { pollForever } from '../../platform/async/poll.js';
import type { Lease, LeasedTable } from '../../platform/leases/leases.js';
import { runLeasedForever } from '../../platform/leases/work.js';
import type { OnStop } from '../../platform/process/lifecycle.js';
import type { Log } from '../../platform/process/log.js';
import { addCounter } from '../../platform/process/metrics.js';
import type { JobHandler } from '../../platform/queue/worker.js';
import { sweepEndpoints } from '../endpoints/schedule.js';
import { MAX_REDELIVERIES } from '../log/redeliver.js';
import { isSuccess } from '../sending/outcome.js';
import { Sender } from '../sending/sender.js';
import { type WebhookSettings, webhookSettings } from '../settings.js';
import { chooseDeliveries, type EndpointRef } from './deliveries.js';
import { LeasedSecrets } from './leased-secrets.js';
import { type EndpointState, loadEndpoint } from './load.js';
import { Slots } from './slots.js';
import { stepBetween, storeTurn } from './store.js';
import { Turn, type TurnResult } from './turn.js';
import type { WakeUp } from './wake-ups.js';

const SWEEP_MS = 1_000;
const POLL = { everyMs: 1_000, offsetMs: 350 };
/** Endpoints of a company that are served at a time. */
const ENDPOINTS_PER_COMPANY = 8;
/** Endpoints that do not keep up share this part of the places. */
const SLOW_SHARE = 0.25;
/** An endpoint that is further behind does not keep up. */
const BEHIND = "interval '60 seconds'";
const SLOW_TURN_MS = 2_500;

const ENDPOINTS: LeasedTable = {
  table: 'webhook_endpoints',
  leaseMs: 20_000,
  times: [
    { table: 'webhook_endpoints', columns: ['probe_at', 'disable_at'], where: 'true' },
    {
      table: 'webhook_deliveries',
      columns: ['next_attempt_at', 'redeliver_at'],
      where: 'next_attempt_at IS NOT NULL',
    },
  ],
};

interface Delivering {
  readonly keys: NonNullable<WebhookSettings['keys']>;
  readonly rules: WebhookSettings['rules'];
  readonly slots: Slots;
  readonly log: Log;
}

/**
 * Delivers until the process stops. Safe in every worker. Returns the handler of wake-up jobs; null
 * if this worker delivers nothing.
 */
export function deliverWebhooksForever(
  { concurrency }: Config['webhooks'],
  log: Log,
  onStop: OnStop,
): JobHandler | null {
  const { keys, rules } = webhookSettings();
  if (concurrency === 0) return null;
  if (!keys) {
    log.warn('ENCRYPTION_KEY is not set: webhooks are not delivered');
    return null;
  }
  const delivering = { keys, rules, slots: new Slots(concurrency), log };
  const sweep = async (companyIds: readonly string[] | null): Promise<void> => {
    const hasFound = await sweepEndpoints(companyIds);
    // An endpoint may have become due while its row was locked, and so was not claimed.
    if (hasFound || companyIds !== null) wake();
  };
  const wake: () => void = runLeasedForever(
    {
      ...ENDPOINTS,
      name: 'webhooks',
      poll: POLL,
      places: concurrency,
      placesPerCompany: ENDPOINTS_PER_COMPANY,
      slow: {
        others: `is_quick AND due_at >= statement_timestamp() - ${BEHIND}`,
        places: Math.max(1, Math.floor(concurrency * SLOW_SHARE)),
        afterMs: SLOW_TURN_MS,
      },
      run: async (lease, signal) => {
        await takeTurn(delivering, lease, signal);
        // Events that came meanwhile: their wake-up job found the endpoint leased.
        if (!signal.aborted) await sweep([lease.companyId]);
        return null;
      },
    },
    log,
    onStop,
  );
  pollForever(
    'the sweep of webhooks',
    SWEEP_MS,
    async () => {
      await sweep(null);
      return false;
    },
    log,
    onStop,
  );
  return ({ data }) => sweep([(data as WakeUp).companyId]);
}

const attempts = addCounter(
  'tradepost_webhook_attempts_total',
  'Attempts to deliver webhooks, by outcome.',
  ['outcome'],
);
const steps = addCounter(
  'tradepost_webhook_endpoints_total',
  'Webhook endpoints that became failing or were disabled.',
  ['step'],
);

async function takeTurn(delivering: Delivering, lease: Lease, signal: AbortSignal): Promise<void> {
  const { keys, slots } = delivering;
  const { companyId, id } = lease;
  await slots.take(companyId);
  try {
    const endpoint = await loadEndpoint({ companyId, endpointId: id }, keys);
    // Its row is gone, and so is the lease.
    if (!endpoint) return;
    const result = await resultOf(lease, endpoint, delivering, signal);
    await storeTurn(lease, endpoint, result);
    report(delivering, lease, endpoint, result);
  } finally {
    slots.release(companyId);
  }
}

async function resultOf(
  lease: Lease,
  endpoint: EndpointState,
  { rules, slots, keys, log }: Delivering,
  stop: AbortSignal,
): Promise<TurnResult> {
  const { companyId, id } = lease;
  const ref = { companyId, endpointId: id };
  if (endpoint.secrets.length === 0) return withoutSecret(ref, endpoint);
  const leased = new LeasedSecrets(lease, endpoint.secrets, { keys, log, stop });
  const sender = new Sender(rules);
  try {
    return await new Turn(ref, endpoint, { sender, slots, leased }).run();
  } finally {
    sender.close();
  }
}

/** Nothing can be signed, so nothing is sent, and redeliveries end. */
async function withoutSecret(
  ref: EndpointRef,
  { health, position }: EndpointState,
): Promise<TurnResult> {
  const ended = await chooseDeliveries(ref, 'manual', MAX_REDELIVERIES);
  return {
    records: [],
    before: new Map(),
    after: new Map(),
    health: { ...health, disabled: 'secret_lost' },
    position,
    redelivered: ended,
    expired: [],
    lastSuccessAt: null,
    lastFailureAt: null,
  };
}

function report(
  { log }: Delivering,
  { companyId, id }: Lease,
  endpoint: EndpointState,
  result: TurnResult,
): void {
  for (const { outcome } of result.records)
    attempts.inc({ outcome: isSuccess(outcome) ? 'succeeded' : 'failed' });
  const step = stepBetween(endpoint, result.health);
  if (!step) return;
  steps.inc({ step });
  const { disabled: reason } = result.health;
  log.warn({ companyId, endpointId: id, reason }, `webhook endpoint ${step}`);
}
