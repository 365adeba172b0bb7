// The numbers that records get which bring none: the next ones that no record has.
import type { Transaction } from '../../platform/db/connection.js';
import { matchKey } from '../../platform/values/text.js';
import { customerNumberText, findFreeNumbers } from './read.js';

/** Free numbers that one query finds at most. */
const MAX_NUMBERS = 256;

export class FreeNumbers {
  readonly #companyId: string;
  readonly #tx: Transaction | undefined;
  /** Numbers from #next on that no stored record has. */
  readonly #found: bigint[] = [];
  #next: bigint;
  #toFind = 1;

  constructor(companyId: string, next: bigint, tx?: Transaction) {
    this.#companyId = companyId;
    this.#next = next;
    this.#tx = tx;
  }

  /** The company's next number after those that were taken. */
  get next(): bigint {
    return this.#next;
  }

  /** Numbers that are not used leave a gap. `isTaken` says which ones new records have. */
  async take(isTaken: (numberKey: string) => boolean): Promise<string> {
    for (;;) {
      const next = this.#found.shift() ?? (await this.#find());
      this.#next = next + 1n;
      const number = customerNumberText(next);
      if (!isTaken(matchKey(number))) return number;
    }
  }

  /** Finds more numbers with each call, so that many new records make few queries. */
  async #find(): Promise<bigint> {
    const count = this.#toFind;
    const found = await findFreeNumbers(this.#companyId, this.#next, count, this.#tx);
    const [first, ...others] = found as [bigint, ...bigint[]];
    this.#found.push(...others);
    this.#toFind = Math.min(2 * count, MAX_NUMBERS);
    return first;
  }
}
