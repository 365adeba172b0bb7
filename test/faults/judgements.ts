// The judgements that need only the journal, the history and a few rows. Pure. Each returns one
// sentence per broken promise.
import { v5 as uuidv5 } from 'uuid';
import type { History, Span, Trial } from './history.js';
import type { Answer, Entry, Exchange, Failure, KeyedExchange } from './journal.js';

/** The client or an operator who caused these failures expects them. */
export const POISON = 'poison';
/** The harness sees the end of a process a little later than its clients do. */
const CLOCK_MS = 1_000;
/** After an outage each pooled connection may fail once more. */
const RECOVERY_MS = 2_000;
/**
 * For all companies together. Twelve clients reach about 70 per second on two busy cores. Without
 * any worker it is two: each write then takes its whole wait, and ends with 202.
 */
const MIN_ACKNOWLEDGED_PER_SECOND = 1;
/** Of the grace. A bystander's write usually takes a hundredth of it. */
const PROMPT_SHARE_OF_GRACE = 0.5;
const MIN_PROMPT_SHARE = 0.9;

/** 404: a draft that is gone. 429: two uploads at once. 503 is judged separately. */
const PAGE_STATUSES = new Set([200, 303, 404, 422, 429, 503]);

const FINAL = new Set([201, 409, 422]);

type Exchanges = readonly Exchange[];
type Sent = Pick<History, 'outages' | 'downtimes' | 'freezes'>;

export const isFinal = (answer: Answer | undefined): answer is Answer =>
  answer !== undefined && FINAL.has(answer.status);

/** True if the client may rely on the write. */
export const isAcknowledged = ({ answer }: Exchange): boolean =>
  answer?.status === 202 || isFinal(answer);

/** Answers that no fault explains: a 5xx other than 503, a read that is not 200, a late answer. */
export function findBadAnswers(
  entries: readonly KeyedExchange[],
  reads: Exchanges,
  history: Sent,
): string[] {
  return [...entries, ...reads].flatMap(exchange => {
    const { answer, limitMs, path } = exchange;
    if (!answer) return [];
    const { status, text, ms } = answer;
    const isWrite = 'key' in exchange;
    const isBad = status !== 503 && (isWrite ? status >= 500 : status !== 200);
    const isLate = ms > limitMs && !wasFrozen(exchange, history);
    return [
      ...(isBad ? [`${nameOf(exchange)}: ${path} answered ${status} ${text}`] : []),
      ...(isLate
        ? [`${nameOf(exchange)}: answered after ${Math.round(ms)} ms, allowed ${limitMs} ms`]
        : []),
    ];
  });
}

/** Pages that no fault explains: a 5xx other than 503, a refused user, a late answer. */
export function findBadPages(pages: Exchanges, history: Sent): string[] {
  return pages.flatMap(page => {
    const { path, limitMs, answer } = page;
    if (!answer) return [];
    const { status, location = '', ms } = answer;
    const isBad = !PAGE_STATUSES.has(status) || location.startsWith('/sign-in');
    const isLate = ms > limitMs && !wasFrozen(page, history);
    return [
      ...(isBad ? [`page ${path}: answered ${status} ${location}`] : []),
      ...(isLate ? [`page ${path}: answered after ${Math.round(ms)} ms, allowed ${limitMs}`] : []),
    ];
  });
}

/**
 * Requests without an answer, although their client waited for it and their web process ran. A
 * process that is told to stop answers the requests that it has by then.
 */
export function findUnanswered(exchanges: Exchanges, history: Sent): string[] {
  return exchanges.flatMap(exchange => {
    const { failure, port, startedAt } = exchange;
    if (!failure || failure.cause === 'hung up' || wasFrozen(exchange, history)) return [];
    const met = history.downtimes.filter(
      downtime => downtime.port === port && overlaps(downtime, exchange, CLOCK_MS),
    );
    const isExplained = met.some(
      ({ how, from }) =>
        how === 'killed' ||
        failure.cause === 'refused' ||
        (how === 'stopped' && failure.cause === 'lost' && startedAt >= from),
    );
    return isExplained ? [] : [`${nameOf(exchange)}: ${failure.cause} after ${timeOf(failure)}`];
  });
}

/**
 * 503s while Postgres was available. There may be none: every other part has a substitute, and the
 * load is far below the limits from which on writes are refused.
 */
export function findUnexplainedRefusals(exchanges: Exchanges, history: Sent): string[] {
  return exchanges.flatMap(exchange => {
    const { answer, path } = exchange;
    if (answer?.status !== 503 || wasFrozen(exchange, history)) return [];
    if (history.outages.some(outage => overlaps(outage, exchange, RECOVERY_MS))) return [];
    return [`${nameOf(exchange)}: ${path} answered 503 without a reason: ${answer.text}`];
  });
}

/** Companies that could hardly write while Postgres and the web processes were available. */
export function findStarved(
  companyIds: readonly string[],
  entries: readonly Entry[],
  { outages, freezes, downtimes }: Sent,
  run: Span,
): string[] {
  const disturbances = [...outages, ...freezes, ...downtimes];
  const isCalm = (at: number) => !disturbances.some(({ from, to }) => from <= at && at <= to);
  const calmSeconds = countSeconds(run, isCalm);
  const required = Math.floor((calmSeconds * MIN_ACKNOWLEDGED_PER_SECOND) / companyIds.length);
  return companyIds.flatMap(id => {
    const count = entries.filter(
      entry => entry.companyId === id && isAcknowledged(entry) && isCalm(entry.startedAt),
    ).length;
    return count >= required
      ? []
      : [`company ${id}: ${count} writes acknowledged in ${calmSeconds} s, expected ${required}`];
  });
}

function countSeconds({ from, to }: Span, isIncluded: (at: number) => boolean): number {
  let count = 0;
  for (let at = from; at < to; at += 1_000) if (isIncluded(at)) count += 1;
  return count;
}

export interface FailedJob {
  readonly companyId: string;
  readonly id: string;
  readonly requestId: string;
  /** Of the stored problem. */
  readonly status: number;
  /** A job with a payload can still be carried out, so it was not refused. */
  readonly hasPayload: boolean;
}

/** Jobs that failed by the product's fault. Their clients may hold a 202. */
export function findBrokenPromises(
  failed: readonly FailedJob[],
  entries: readonly Entry[],
): string[] {
  const entryOf = new Map(entries.map(entry => [uuidv5(entry.key, entry.companyId), entry]));
  return failed.flatMap(({ id, companyId, requestId, status, hasPayload }) => {
    if (requestId === POISON || (status < 500 && !hasPayload)) return [];
    const entry = entryOf.get(id);
    const who = entry ? entry.key : `job ${id} of company ${companyId}`;
    const told = entry?.answer ? `after the answer ${entry.answer.status}, ` : '';
    return [`${who}: ${told}the job failed with ${status}`];
  });
}

export interface CompanyTrial {
  readonly companyId: string;
  readonly writes: number;
  readonly promptMs: number;
  /** The share of writes that were done within `promptMs`. */
  readonly promptShare: number;
  readonly p99Ms: number;
}

/** How each of the other companies fared while a fault concerned one. */
export function measureTrial({ entries }: Trial, graceMs: number): CompanyTrial[] {
  const promptMs = graceMs * PROMPT_SHARE_OF_GRACE;
  const byCompany = new Map<string, Entry[]>();
  for (const entry of entries)
    byCompany.set(entry.companyId, [...(byCompany.get(entry.companyId) ?? []), entry]);
  return [...byCompany].map(([companyId, writes]) => {
    const times = writes
      .map(({ answer }) => (isFinal(answer) ? answer.ms : Number.POSITIVE_INFINITY))
      .sort((a, b) => a - b);
    return {
      companyId,
      writes: writes.length,
      promptMs,
      promptShare: times.filter(ms => ms <= promptMs).length / times.length,
      p99Ms: times[Math.ceil(times.length * 0.99) - 1] ?? 0,
    };
  });
}

/** Other companies that waited for the company that a fault concerned. */
export function findBlocked(trials: readonly Trial[], graceMs: number): string[] {
  return trials.flatMap(trial =>
    measureTrial(trial, graceMs)
      .filter(({ promptShare, p99Ms }) => promptShare < MIN_PROMPT_SHARE || p99Ms > graceMs)
      .map(company => `${trial.what}: ${describeTrial(company)}, expected 90 % and ${graceMs} ms`),
  );
}

export function describeTrial(trial: CompanyTrial): string {
  const { companyId, writes, promptMs, promptShare, p99Ms } = trial;
  const share = Math.floor(promptShare * 100);
  const p99 = Number.isFinite(p99Ms) ? `p99 ${Math.round(p99Ms)} ms` : 'not all done';
  return `company ${companyId}: ${share} % of ${writes} writes done in ${promptMs} ms, ${p99}`;
}

function wasFrozen(exchange: Exchange, { freezes }: Sent): boolean {
  return freezes.some(freeze => freeze.port === exchange.port && overlaps(freeze, exchange, 0));
}

/** True if the exchange was under way in the span, or up to `lateMs` after it. */
function overlaps({ from, to }: Span, exchange: Exchange, lateMs: number): boolean {
  const { startedAt, answer, failure } = exchange;
  const endedAt = startedAt + (answer?.ms ?? failure?.ms ?? 0);
  return startedAt <= to + lateMs && endedAt >= from - CLOCK_MS;
}

function nameOf(exchange: Exchange): string {
  const name = 'key' in exchange ? String(exchange.key) : `GET ${exchange.path}`;
  return `${name}, sent at ${new Date(exchange.startedAt).toISOString()}`;
}

const timeOf = ({ ms }: Failure) => `${Math.round(ms)} ms`;
