// How a worker does leased work: it claims rows that are due while it has places, renews their
// leases, and gives no company more than its share of the places.
import { setTimeout as delay } from 'node:timers/promises';
import { hasRows } from '../async/has-rows.js';
import { type PollPeriod, pollForever } from '../async/poll.js';
import { describeError, isTransient } from '../postgres-errors.js';
import type { OnStop } from '../process/lifecycle.js';
import type { Log } from '../process/log.js';
import {
  claimDue,
  followClock,
  type Lease,
  type LeasedTable,
  LeaseLost,
  renewLease,
} from './leases.js';

/** A lease is renewed this often within its time, so that one lost renewal does not end it. */
const RENEWALS = 3;
/** The pause between two looks at whether the database's clock was set back. */
const FOLLOW_CLOCK_MS = 10_000;
/** While a company has all of its places, the rows of others are looked for this often. */
const LOOK_AGAIN_MS = 500;
/** A stop waits this long for the work in progress before it aborts it. The rest is to store. */
const FINISH_MS = 9_000;

export interface LeasedWork extends LeasedTable {
  /** For logs. */
  readonly name: string;
  readonly poll: PollPeriod;
  /**
   * How many rows this process works on at a time, and how many of them of one company. Slow rows
   * do not count among the others of their company.
   */
  readonly places: number;
  readonly placesPerCompany: number;
  /** Rows that take long have a part of the places. Default: no row does. */
  readonly slow?: SlowRows;
  /** The pause in milliseconds between the starts of two rows. Default: none. */
  readonly pauseMs?: () => number;
  /**
   * Does the work of a row and stores the outcome with `endLease`. The signal aborts when the lease
   * is lost or the process stops. May throw LeaseLost. After any other error, the row is claimed
   * again when its lease runs out.
   */
  readonly run: (lease: Lease, signal: AbortSignal) => Promise<CompanyRest | null>;
}

/** Nothing of the company can be worked on for now: this process claims none of its rows. */
export interface CompanyRest {
  readonly restMs: number;
}

export interface SlowRows {
  /** SQL: the row is not one of them. */
  readonly others: string;
  readonly places: number;
  /** Work on another row counts as slow, too, when it takes longer than this. */
  readonly afterMs: number;
}

interface Place {
  readonly companyId: string;
  readonly lease: Lease;
  readonly startedAt: number;
  readonly abort: AbortController;
  readonly done: Promise<void>;
}

/**
 * Does the work of rows that are due until the process stops. Safe in any number of workers. The
 * returned function looks for rows at once.
 */
export function runLeasedForever(work: LeasedWork, log: Log, onStop: OnStop): () => void {
  const places = new Places(work, log);
  // Released last: after the poll has ended, no work is added.
  onStop(`${work.name} in progress`, () => places.finish());
  return pollForever(work.name, work.poll, signal => places.fill(signal), log, onStop);
}

class Places {
  readonly #work: LeasedWork;
  readonly #log: Log;
  readonly #taken = new Set<Place>();
  /** The leases of slow rows. */
  readonly #slow = new WeakSet<Lease>();
  /** The ends of the rests of companies. */
  readonly #rests = new Map<string, number>();
  #followedAt = Number.NEGATIVE_INFINITY;

  constructor(work: LeasedWork, log: Log) {
    this.#work = work;
    this.#log = log;
  }

  /** Starts the work of one row. True if there may be more to start. */
  async fill(signal: AbortSignal): Promise<boolean> {
    const { places, table } = this.#work;
    if (this.#taken.size >= places) return this.#untilOneIsFree(signal);
    if (!(await hasRows(`${table} WHERE due_at IS NOT NULL`))) return false;
    await this.#followClock();
    const full = this.#fullCompanies([...this.#taken]);
    const lease = await this.#claim(full);
    if (!lease) return full.length > 0 && this.#untilOneIsFree(signal);
    this.#start(lease);
    const pauseMs = this.#work.pauseMs?.() ?? 0;
    if (pauseMs > 0) await delay(pauseMs, undefined, { signal }).catch(() => undefined);
    return true;
  }

  /**
   * Slow rows come after all others, which wait for none of their places: neither for those of all
   * companies nor for those of their own.
   */
  async #claim(full: readonly string[]): Promise<Lease | null> {
    const { slow } = this.#work;
    const resting = [...this.#restingCompanies()];
    if (!slow) return claimDue(this.#work, [...full, ...resting]);
    const taken = [...this.#taken];
    const slowPlaces = taken.filter(place => this.#isSlow(place, slow));
    const others = taken.filter(place => !slowPlaces.includes(place));
    const busy = [...this.#fullCompanies(others), ...resting];
    const lease = await claimDue(this.#work, busy, slow.others);
    if (lease || slowPlaces.length >= slow.places) return lease;
    const slowLease = await claimDue(this.#work, [...full, ...resting], `NOT (${slow.others})`);
    if (slowLease) this.#slow.add(slowLease);
    return slowLease;
  }

  #isSlow({ lease, startedAt }: Place, { afterMs }: SlowRows): boolean {
    return this.#slow.has(lease) || performance.now() - startedAt > afterMs;
  }

  /** Waits for the work in progress, and aborts it if it takes too long. */
  async finish(): Promise<void> {
    const timer = setTimeout(() => {
      for (const { abort } of this.#taken) abort.abort();
    }, FINISH_MS);
    await Promise.all([...this.#taken].map(({ done }) => done));
    clearTimeout(timer);
  }

  async #followClock(): Promise<void> {
    if (performance.now() - this.#followedAt < FOLLOW_CLOCK_MS) return;
    await followClock(this.#work);
    this.#followedAt = performance.now();
  }

  /** The companies that have their share of the places, or more. */
  #fullCompanies(taken: readonly Place[]): string[] {
    const counts = new Map<string, number>();
    for (const { companyId } of taken) counts.set(companyId, (counts.get(companyId) ?? 0) + 1);
    const { placesPerCompany } = this.#work;
    return [...counts].flatMap(([id, count]) => (count >= placesPerCompany ? [id] : []));
  }

  #restingCompanies(): Iterable<string> {
    const now = performance.now();
    for (const [companyId, end] of this.#rests) if (end <= now) this.#rests.delete(companyId);
    return this.#rests.keys();
  }

  /** Waits until a place is free, for a moment at most: another company may have a row by then. */
  async #untilOneIsFree(signal: AbortSignal): Promise<true> {
    let end = () => {};
    const ended = new Promise<void>(resolve => {
      end = resolve;
    });
    const timer = setTimeout(end, LOOK_AGAIN_MS);
    signal.addEventListener('abort', end, { once: true });
    await Promise.race([ended, ...[...this.#taken].map(({ done }) => done)]);
    signal.removeEventListener('abort', end);
    clearTimeout(timer);
    return true;
  }

  #start(lease: Lease): void {
    const abort = new AbortController();
    const { companyId } = lease;
    const done = this.#run(lease, abort);
    const place: Place = { companyId, lease, startedAt: performance.now(), abort, done };
    this.#taken.add(place);
    void place.done.then(() => this.#taken.delete(place));
  }

  async #run(lease: Lease, abort: AbortController): Promise<void> {
    const { companyId, id } = lease;
    const stopRenewing = this.#renew(lease, abort);
    try {
      const rest = await this.#work.run(lease, abort.signal);
      if (rest) this.#rests.set(companyId, performance.now() + rest.restMs);
    } catch (error) {
      const work = { companyId, id, work: this.#work.name };
      const failed = { ...work, err: describeError(error) };
      if (error instanceof LeaseLost) this.#log.warn(work, 'lease lost');
      else if (isTransient(error)) this.#log.warn(failed, 'work postponed');
      else this.#log.error(failed, 'work failed');
    } finally {
      stopRenewing();
    }
  }

  /**
   * Renews the lease until the returned function is called. Aborts the work once another worker has
   * the row, or may have it because no renewal succeeded in time.
   */
  #renew(lease: Lease, abort: AbortController): () => void {
    const { leaseMs } = this.#work;
    let renewedAt = performance.now();
    const timer = setInterval(async () => {
      const startedAt = performance.now();
      try {
        await renewLease(this.#work, lease);
        renewedAt = startedAt;
      } catch (error) {
        if (error instanceof LeaseLost || performance.now() - renewedAt > leaseMs) abort.abort();
      }
    }, leaseMs / RENEWALS);
    return () => clearInterval(timer);
  }
}
