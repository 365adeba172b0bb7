// Back-pressure: limits unfinished work. Beyond a limit new writes are refused with 503, so that
// workers can catch up while reads go on. Writes that were accepted before are not affected. Each
// company has a share of every limit, so that its own backlog refuses only its own writes. Ages are
// by the clock of Postgres, since those of web processes may differ.
import { pollForever } from '../../platform/async/poll.js';
import { queryOne } from '../../platform/db/connection.js';
import { type Problem, unavailable } from '../../platform/errors.js';
import type { OnStop } from '../../platform/process/lifecycle.js';
import type { Log } from '../../platform/process/log.js';
import { NO_COMPANY, queuedCompanies } from '../queries.js';

/** Queued jobs of the whole installation: some minutes of work for one worker. */
export const MAX_QUEUED = 50_000;
/** Queued jobs of one company. More of them do not count towards MAX_QUEUED. */
export const MAX_QUEUED_OF_COMPANY = 10_000;
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
  /** Queued jobs, of each company at most its share. */
  readonly queued: number;
  /** The companies that exceed their share or the age. */
  readonly behind: readonly string[];
}

interface Load {
  count: number;
  bytes: number;
}

/** A write that a request waits for. */
interface Waiting {
  readonly submission: { readonly companyId: string };
  readonly bytes: number;
}

/** Reads the backlog every second. While Postgres is unavailable the last reading counts. */
export class Backpressure {
  readonly #log: Log;
  #isBehind = false;
  #companiesBehind: ReadonlySet<string> = new Set();
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
    if (this.#isBehind || this.#companiesBehind.has(companyId))
      throw tooBusy('The backlog of writes is too long.');
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

  #note({ queued, behind }: Backlog): void {
    const isBehind = queued >= MAX_QUEUED;
    if (isBehind && !this.#isBehind)
      this.#log.error(
        { queued },
        'backlog is over its limit; refusing all writes until workers catch up. Add workers',
      );
    if (this.#isBehind && !isBehind)
      this.#log.info('backlog is under its limit again; accepting writes');
    for (const companyId of behind)
      if (!this.#companiesBehind.has(companyId))
        this.#log.error(
          { companyId },
          "a company's backlog is over its limit; refusing its writes until workers catch up",
        );
    this.#isBehind = isBehind;
    this.#companiesBehind = new Set(behind);
  }
}

async function readBacklog(): Promise<Backlog> {
  const row = await queryOne<Backlog>(
    `WITH RECURSIVE ${queuedCompanies('$1')}
     SELECT COALESCE(sum(backlog.count), 0)::int AS queued,
       COALESCE(
         array_agg(queued_company.id) FILTER (WHERE backlog.count >= $2 OR oldest.seconds > $3),
         '{}'
       ) AS behind
     FROM queued_company
       CROSS JOIN LATERAL (
         SELECT count(*) AS count
         FROM (
           SELECT 1
           FROM jobs
           WHERE status = 'queued' AND company_id = queued_company.id
           ORDER BY queued_at
           LIMIT $2
         ) counted
       ) backlog
       LEFT JOIN LATERAL (
         SELECT EXTRACT(EPOCH FROM now() - queued_at) AS seconds
         FROM jobs
         WHERE status = 'queued' AND company_id = queued_company.id AND attempts = 0
         ORDER BY queued_at
         LIMIT 1
       ) oldest ON true`,
    [NO_COMPANY, MAX_QUEUED_OF_COMPANY, MAX_AGE_SECONDS],
  );
  return row ?? { queued: 0, behind: [] };
}

const isOver = (load: Load, max: Load) => load.count >= max.count || load.bytes >= max.bytes;

function tooBusy(reason: string): Problem {
  return unavailable(
    `${reason} The request was not accepted. Retry it later with the same Idempotency-Key.`,
  );
}
