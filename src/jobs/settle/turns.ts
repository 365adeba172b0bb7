// Isolated companies take turns, one at a time; each turn settles some of a company's rows. A turn
// that fails makes the next one later and more patient, and smaller if statements are slow. A
// company is released after a turn that leaves no row due.

/** How long a turn waits for a lock: the first one, and at most. */
const LOCK_MS = 500;
const LOCK_MAX_MS = 2_000;
/** The pause after a failed turn: the first one, and at most unless the turn took longer. */
const PAUSE_MS = 250;
const PAUSE_MAX_MS = 5_000;
/** A turn of this length met the limit of a statement. Waiting for locks takes half of it. */
const SLOW_TURN_MS = 10_000;
/** A claim outlasts the turn's wait and pause by this. */
const CLAIM_MARGIN_MS = 250;

interface Isolation {
  failures: number;
  maxSize: number;
  /** Of performance.now(). Infinite until the first submissions are persisted. */
  turnAt: number;
}

export interface Turn {
  readonly companyId: string;
  /** Rows to settle. */
  readonly maxSize: number;
  readonly lockMs: number;
  readonly claimMs: number;
  readonly startedAt: number;
}

/** The isolated companies and when they have their turns. */
export class Turns {
  readonly #maxSize: number;
  /** In the order of their turns. */
  readonly #isolations = new Map<string, Isolation>();

  constructor(maxSize: number) {
    this.#maxSize = maxSize;
  }

  has(companyId: string): boolean {
    return this.#isolations.has(companyId);
  }

  /** Isolates a company. It gets no turn before `open`. */
  add(companyId: string): void {
    if (this.has(companyId)) return;
    const isolation = { failures: 0, maxSize: this.#maxSize, turnAt: Number.POSITIVE_INFINITY };
    this.#isolations.set(companyId, isolation);
  }

  /** Gives the company turns, now that it has persisted rows. */
  open(companyId: string): void {
    const isolation = this.#isolations.get(companyId);
    if (isolation?.turnAt === Number.POSITIVE_INFINITY) isolation.turnAt = performance.now();
  }

  /** The next company's turn; null if none may have one yet. */
  next(): Turn | null {
    const startedAt = performance.now();
    for (const [companyId, isolation] of this.#isolations) {
      const { failures, maxSize, turnAt } = isolation;
      if (turnAt > startedAt) continue;
      this.#isolations.delete(companyId);
      this.#isolations.set(companyId, isolation);
      const lockMs = Math.min(LOCK_MS * 2 ** failures, LOCK_MAX_MS);
      const pauseMs = Math.min(PAUSE_MS * 2 ** failures, PAUSE_MAX_MS);
      const claimMs = lockMs + pauseMs + CLAIM_MARGIN_MS;
      return { companyId, maxSize, lockMs, claimMs, startedAt };
    }
    return null;
  }

  /** Ends a turn that settled `settled` rows; null if some must wait. True if it was the last. */
  end({ companyId, maxSize, claimMs, startedAt }: Turn, settled: number | null): boolean {
    const isolation = this.#isolations.get(companyId);
    if (!isolation) return false;
    if (settled === null) {
      const now = performance.now();
      isolation.failures += 1;
      isolation.maxSize = now - startedAt > SLOW_TURN_MS ? Math.ceil(maxSize / 2) : this.#maxSize;
      // The claimed rows are due again by then, and others get at least half of the time.
      isolation.turnAt = Math.max(startedAt + claimMs, now + (now - startedAt));
      return false;
    }
    isolation.failures = 0;
    isolation.maxSize = this.#maxSize;
    return settled < maxSize && this.#isolations.delete(companyId);
  }
}
