// The turns of companies at transactions that lock rows. A web process has few connections for all
// companies, so a request must not hold one while it waits for its own company: each company has
// one of these transactions at a time, and they use at most half of the connections. The other
// requests wait without a connection.
//
// A company whose rows stay locked is delayed: all delayed companies share one connection for their
// transactions, until none of them waits any more.
import { NoTurn, Turns } from '../platform/async/turns.js';
import { database, inTransaction, type Transaction } from '../platform/db/connection.js';
import type { TransactionLimits } from '../platform/db/limits.js';
import { unavailable } from '../platform/errors.js';
import { isLockTimeout, isPauseTimeout } from '../platform/postgres-errors.js';
import type { Log } from '../platform/process/log.js';

/** A batch of the company that a worker settles meanwhile holds the lock for less than this. */
const LOCK_MS = 250;
/** The same for a delayed company. Other delayed companies wait for it. */
const DELAYED_LOCK_MS = 1_000;
/** A request waits this long for its turns, and then for one lock. */
const WAIT_MS = 5_000;
/** Requests that wait have their bodies in memory. */
const WAITING = { waitingPerKey: 300, waiting: 1_000, waitMs: WAIT_MS };

const AGAIN = 'Nothing was changed. Try again in a moment.';
const LOCKED = `Other work of your company, such as an import, holds up this change. ${AGAIN}`;
const TOO_MANY_OWN = `Too many changes of your company are waiting. ${AGAIN}`;
const TOO_MANY = `Too many changes are waiting. ${AGAIN}`;

type Attempt<Result> = (limits: TransactionLimits) => Promise<Result>;

class WriteTurns {
  readonly #usual: Turns;
  readonly #delayed = new Turns({ running: 1, ...WAITING });
  readonly #log: Log;

  constructor(connections: number, log: Log) {
    this.#log = log;
    this.#usual = new Turns({
      running: Math.max(1, Math.floor((connections - 1) / 2)),
      ...WAITING,
    });
  }

  async run<Result>(key: string, attempt: Attempt<Result>): Promise<Result> {
    const endsAt = performance.now() + WAIT_MS;
    try {
      const usual = await this.#usual.run(key, () => this.#attemptUnlessDelayed(key, attempt));
      if (usual) return usual.result;
      for (;;) {
        const delayed = await this.#delayed.run(
          key,
          () => orLocked(attempt({ lockMs: DELAYED_LOCK_MS })),
          endsAt - performance.now(),
        );
        if (delayed) return delayed.result;
        if (performance.now() >= endsAt) throw unavailable(LOCKED);
      }
    } catch (error) {
      if (error instanceof NoTurn) throw unavailable(this.#refusalOf(key, error));
      throw error;
    }
  }

  /** Null if the company is delayed, or is to be from now on. */
  async #attemptUnlessDelayed<Result>(key: string, attempt: Attempt<Result>) {
    if (this.#delayed.isBusy(key)) return null;
    const usual = await orLocked(attempt({ lockMs: LOCK_MS }));
    const [companyId] = key.split(' ');
    if (!usual) this.#log.warn({ companyId }, 'rows of a company are locked; its changes wait');
    return usual;
  }

  #refusalOf(key: string, { isOwn }: NoTurn): string {
    if (this.#delayed.isBusy(key)) return LOCKED;
    return isOwn ? TOO_MANY_OWN : TOO_MANY;
  }
}

/** Null instead of a failure that is a lock's time limit. */
async function orLocked<Result>(attempt: Promise<Result>): Promise<{ result: Result } | null> {
  try {
    return { result: await attempt };
  } catch (error) {
    if (isLockTimeout(error)) return null;
    throw error;
  }
}

let turns: WriteTurns | undefined;

/**
 * From now on, this process's `inCompanyTransaction` waits for a turn. For processes that serve the
 * requests of all companies; call it when the database is open.
 */
export function openWriteTurns(log: Log): void {
  turns = new WriteTurns(database().options.poolMax, log);
}

/**
 * Runs `work` in one transaction, like `inTransaction`, in a turn of the company. Every transaction
 * of a web process that locks a company's row is one of these. If a lock takes too long, the
 * transaction is rolled back and `work` runs again in a later turn. It also runs again, once, after
 * too long a pause of this process. Throws Problem `service_unavailable` if that does not succeed
 * in time, or if too many requests wait.
 */
export function inCompanyTransaction<Result>(
  companyId: string,
  work: (tx: Transaction) => Promise<Result>,
): Promise<Result> {
  return inTurnOf(companyId, work);
}

/** Rows of a company that are locked without a lock of the company's own row. */
type OtherRows =
  /** Users, sessions and keys, and the links for them. */
  | 'access'
  /** Imports that no worker has claimed. */
  | 'imports'
  /** The progress of figures that a read brings up to date. */
  | 'figures';

/**
 * Like `inCompanyTransaction`, for a transaction that locks other rows than the company's, and so
 * does not wait while that is locked.
 */
export function inTransactionOn<Result>(
  companyId: string,
  rows: OtherRows,
  work: (tx: Transaction) => Promise<Result>,
): Promise<Result> {
  return inTurnOf(`${companyId} ${rows}`, work);
}

function inTurnOf<Result>(key: string, work: (tx: Transaction) => Promise<Result>) {
  const attempt = (limits?: TransactionLimits) =>
    againAfterPause(() => inTransaction(work, limits));
  return turns ? turns.run(key, attempt) : attempt();
}

/**
 * Runs a transaction again that Postgres ended because this process paused in it, as a process does
 * that has just started on a busy host.
 */
async function againAfterPause<Result>(run: () => Promise<Result>): Promise<Result> {
  try {
    return await run();
  } catch (error) {
    if (!isPauseTimeout(error)) throw error;
    return run();
  }
}
