// The health of an endpoint: a pure function of the outcomes of its attempts.
//
// States: healthy; failing, in which there are only probes; disabled, which is final until someone
// activates the endpoint. Times are in milliseconds since 1970, by the database's clock.
import { nextPause } from '../../platform/leases/leases.js';
import type { DisabledReason } from '../endpoints/endpoint.js';
import { type AttemptOutcome, GONE, isSuccess } from '../sending/outcome.js';

const FAILURES_IN_A_ROW = 10;
/** One event that its receiver cannot read is no failing endpoint. */
const FAILED_EVENTS = 3;
const ORDERED_FAILURES_IN_A_ROW = 4;
const MINUTE_MS = 60_000;
export const MAX_PROBE_PAUSE_MS = 30 * MINUTE_MS;
const DISABLE_AFTER_MS = 5 * 24 * 60 * MINUTE_MS;
const HOUR_SECONDS = 3_600;
/** Between the ten attempts of a delivery. */
const PAUSE_SECONDS = [
  5,
  300,
  1_800,
  ...[2, 5, 10, 14, 20, 24].map(hours => hours * HOUR_SECONDS),
] as const;
const LAST_PAUSE_SECONDS = 24 * HOUR_SECONDS;
/** A pause is this much shorter or longer, so that deliveries that failed together spread. */
const SPREAD = 0.1;
/** An answer that takes longer shows an endpoint that does not keep up. */
export const QUICK_MS = 2_000;

export interface Health {
  readonly failures: number;
  /** The first events of these failures, FAILED_EVENTS at most. */
  readonly failedSequences: readonly number[];
  readonly isQuick: boolean;
  /** Null while it is healthy. */
  readonly failing: {
    readonly probeAt: number;
    readonly probes: number;
    readonly disableAt: number;
  } | null;
  readonly disabled: DisabledReason | null;
}

export interface AttemptResult {
  readonly sequence: number;
  readonly isProbe: boolean;
  readonly outcome: Pick<AttemptOutcome, 'status' | 'error' | 'durationMs'>;
}

/** The health after an attempt that ended at `now`. */
export function healthAfter(
  health: Health,
  { sequence, isProbe, outcome }: AttemptResult,
  isOrdered: boolean,
  now: number,
): Health {
  if (isSuccess(outcome)) {
    const isQuick = outcome.durationMs <= QUICK_MS;
    return { failures: 0, failedSequences: [], isQuick, failing: null, disabled: null };
  }
  const failures = health.failures + 1;
  const failedSequences = [...new Set([...health.failedSequences, sequence])].slice(
    0,
    FAILED_EVENTS,
  );
  const failed = { failures, failedSequences, isQuick: false, disabled: null };
  if (outcome.status === GONE) return { ...failed, failing: health.failing, disabled: 'gone' };
  if (health.failing) {
    if (!isProbe) return { ...failed, failing: health.failing };
    const { disableAt } = health.failing;
    const probes = health.failing.probes + 1;
    const failing = { probes, disableAt, probeAt: now + probePause(probes) };
    return { ...failed, failing, disabled: now >= disableAt ? 'no_success' : null };
  }
  const isFailing = isOrdered
    ? failures >= ORDERED_FAILURES_IN_A_ROW
    : failures >= FAILURES_IN_A_ROW && failedSequences.length >= FAILED_EVENTS;
  return { ...failed, failing: isFailing ? startFailing(now) : null };
}

/** The pause before a probe that follows so many failed ones: a minute, doubling. */
export function probePause(probes: number): number {
  return Math.min(MINUTE_MS * 2 ** probes, MAX_PROBE_PAUSE_MS);
}

function startFailing(now: number): Health['failing'] {
  return { probes: 0, probeAt: now + probePause(0), disableAt: now + DISABLE_AFTER_MS };
}

/**
 * The pause in milliseconds after a number of scheduled attempts; null after the last one. Ordered
 * deliveries never run out of attempts. `random` is from 0 to 1.
 */
export function retryPause(
  attempts: number,
  { isOrdered, retryAfterMs }: { isOrdered: boolean; retryAfterMs: number | null },
  random: number,
): number | null {
  const seconds = nextPause(attempts, PAUSE_SECONDS) ?? (isOrdered ? LAST_PAUSE_SECONDS : null);
  if (seconds === null) return null;
  const pauseMs = seconds * 1_000 * (1 - SPREAD + 2 * SPREAD * random);
  return Math.round(Math.max(pauseMs, retryAfterMs ?? 0));
}
