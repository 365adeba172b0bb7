// How many deliveries of this process are in progress, in all and per company.

/** A company has no more than this, whatever the number of its endpoints. */
const PER_COMPANY = 8;

interface Waiter {
  readonly companyId: string;
  readonly start: () => void;
}

export class Slots {
  readonly #total: number;
  readonly #counts = new Map<string, number>();
  readonly #waiters: Waiter[] = [];
  #taken = 0;

  constructor(total: number) {
    this.#total = total;
  }

  /** Waits for a slot, behind those that wait already. */
  async take(companyId: string): Promise<void> {
    if (this.tryTake(companyId)) return;
    await new Promise<void>(start => this.#waiters.push({ companyId, start }));
  }

  /** Takes a slot unless the process or the company has none left, or another one waits. */
  tryTake(companyId: string): boolean {
    if (this.#waiters.length > 0 || !this.#isFree(companyId)) return false;
    this.#add(companyId, 1);
    return true;
  }

  release(companyId: string): void {
    this.#add(companyId, -1);
    const next = this.#waiters.findIndex(waiter => this.#isFree(waiter.companyId));
    const [waiter] = next < 0 ? [] : this.#waiters.splice(next, 1);
    if (!waiter) return;
    this.#add(waiter.companyId, 1);
    waiter.start();
  }

  #isFree(companyId: string): boolean {
    return this.#taken < this.#total && (this.#counts.get(companyId) ?? 0) < PER_COMPANY;
  }

  #add(companyId: string, count: 1 | -1): void {
    this.#taken += count;
    const ofCompany = (this.#counts.get(companyId) ?? 0) + count;
    if (ofCompany === 0) this.#counts.delete(companyId);
    else this.#counts.set(companyId, ofCompany);
  }
}
