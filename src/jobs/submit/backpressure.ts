// Back-pressure: limits unfinished work, in lines. Beyond a limit new writes are refused with 503,
// so that workers can catch up. Reads and accepted writes continue. The companies with the largest
// backlogs are refused first; a company without a backlog never is. Ages are measured by Postgres's
// clock, since the clocks of web processes may differ.

import { hasRows } from '../../platform/async/has-rows.js';
import { pollForever } from '../../platform/async/poll.js';
import { queryOne } from '../../platform/db/connection.js';
import { NOT_ACCEPTED, type Problem, unavailable } from '../../platform/errors.js';
import type { OnStop } from '../../platform/process/lifecycle.js';
import type { Log } from '../../platform/process/log.js';
import { NO_COMPANY, queuedCompanies } from '../queries.js';
import { MIN_WEIGHT } from '../write-kind.js';

/** Queued weight of the whole installation: a minute of work for one worker. */
export const MAX_QUEUED = 250_000;
/** Queued weight of one company. The excess does not count towards MAX_QUEUED. */
export const MAX_QUEUED_OF_COMPANY = 50_000;
/**
 * Beyond this age of a company's oldest job there are no workers, far too few of them, or a lock on
 * its rows. Jobs that failed do not count: their age says nothing about other writes.
 */
export const MAX_AGE_SECONDS = 300;
/** Writes that one web process waits for, and the memory that their bodies take. */
const MAX_PENDING = { count: 5_000, bytes: 64 * 1024 * 1024 };
const MAX_PENDING_OF_COMPANY = { count: MAX_PENDING.count / 2, bytes: MAX_PENDING.bytes / 2 };
const POLL_MS = 1_000;

interface Backlog {
  /** Sum of the companies' queued weights. Each counts up to its share. */
  readonly queued: number;
  /** The companies that exceed their share or the age. */
  readonly behind: readonly string[];
  /** The companies with the largest backlogs, without which `queued` would be under its limit. */
  readonly largest: readonly string[];
}

const NO_BACKLOG: Backlog = { queued: 0, behind: [], largest: [] };

interface Load {
  count: number;
  bytes: number;
}

/** A write that a request waits for. */
interface Waiting {
  readonly submission: { readonly companyId: string };
  readonly bytes: number;
}

/** Reads the backlog every second, and uses the last reading while Postgres is unavailable. */
export class Backpressure {
  readonly #log: Log;
  #isBehind = false;
  #companiesBehind: ReadonlySet<string> = new Set();
  #refused: ReadonlySet<string> = new Set();
  readonly #load: Load = { count: 0, bytes: 0 };
  readonly #loadOf = new Map<string, Load>();

  constructor(log: Log, onStop: OnStop) {
    this.#log = log;
    const poll = async (): Promise<boolean> => {
      this.#note(await readBacklog());
      return false;
    };
    pollForever('backlog poll', POLL_MS, poll, log, onStop);
  }

  /** Throws `service_unavailable` if one more write of the company would be too many. */
  admit(companyId: string): void {
    if (this.#refused.has(companyId)) throw tooBusy('The backlog of writes is too long.');
    const own = this.#loadOf.get(companyId) ?? { count: 0, bytes: 0 };
    if (isOver(this.#load, MAX_PENDING) || isOver(own, MAX_PENDING_OF_COMPANY))
      throw tooBusy('Too many writes are waiting.');
  }

  add({ submission: { companyId }, bytes }: Waiting): void {
    const own = this.#loadOf.get(companyId) ?? { count: 0, bytes: 0 };
    this.#loadOf.set(companyId, own);
    for (const load of [this.#load, own]) {
      load.count += 1;
      load.bytes += bytes;
    }
  }

  remove({ submission: { companyId }, bytes }: Waiting): void {
    const own = this.#loadOf.get(companyId);
    if (!own) return;
    for (const load of [this.#load, own]) {
      load.count -= 1;
      load.bytes -= bytes;
    }
    if (own.count === 0) this.#loadOf.delete(companyId);
  }

  #note({ queued, behind, largest }: Backlog): void {
    const isBehind = queued >= MAX_QUEUED;
    if (isBehind && !this.#isBehind)
      this.#log.error(
        { queued, companies: largest.length },
        'backlog is over its limit; refusing writes of the companies with the largest backlogs ' +
          'until workers catch up. Add workers',
      );
    if (this.#isBehind && !isBehind)
      this.#log.info('backlog is under its limit again; accepting all writes');
    for (const companyId of behind)
      if (!this.#companiesBehind.has(companyId))
        this.#log.error(
          { companyId },
          "a company's backlog is over its limit; refusing its writes until workers catch up",
        );
    this.#isBehind = isBehind;
    this.#companiesBehind = new Set(behind);
    this.#refused = new Set([...behind, ...largest]);
  }
}

async function readBacklog(): Promise<Backlog> {
  // Most readings find nothing. The whole statement is planned each time, which costs more.
  if (!(await hasRows("jobs WHERE status = 'queued'"))) return NO_BACKLOG;
  const row = await queryOne<Backlog>(
    `WITH RECURSIVE ${queuedCompanies('$1')},
     backlog AS (
       SELECT queued_company.id, weight.sum AS weight, oldest.seconds,
         -- From the smallest backlog on.
         sum(weight.sum) OVER (ORDER BY weight.sum, queued_company.id) AS up_to_here
       FROM queued_company
         CROSS JOIN LATERAL (
           SELECT LEAST(COALESCE(sum(row_weight), 0), $2)::int AS sum
           FROM (
             SELECT COALESCE(weight, ${MIN_WEIGHT}) AS row_weight
             FROM jobs
             WHERE status = 'queued' AND company_id = queued_company.id
             ORDER BY queued_at
             LIMIT $5
           ) counted
         ) weight
         LEFT JOIN LATERAL (
           SELECT EXTRACT(EPOCH FROM now() - queued_at) AS seconds
           FROM jobs
           WHERE status = 'queued' AND company_id = queued_company.id AND attempts = 0
           ORDER BY queued_at
           LIMIT 1
         ) oldest ON true
     )
     SELECT COALESCE(sum(weight), 0)::int AS queued,
       COALESCE(array_agg(id) FILTER (WHERE weight >= $2 OR seconds > $3), '{}') AS behind,
       COALESCE(array_agg(id) FILTER (WHERE up_to_here >= $4), '{}') AS largest
     FROM backlog
     WHERE weight > 0`,
    [
      ...[NO_COMPANY, MAX_QUEUED_OF_COMPANY, MAX_AGE_SECONDS, MAX_QUEUED],
      MAX_QUEUED_OF_COMPANY / MIN_WEIGHT,
    ],
  );
  return row ?? NO_BACKLOG;
}

const isOver = (load: Load, max: Load) => load.count >= max.count || load.bytes >= max.bytes;

function tooBusy(reason: string): Problem {
  return unavailable(`${reason} ${NOT_ACCEPTED}`);
}
