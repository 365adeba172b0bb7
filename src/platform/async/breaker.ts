// A circuit breaker for a store that may hang: a stopped Redis or a cut network accepts calls and
// never answers, and waiting for it would slow down every request.
//
// Closed: calls go through. Opens when a call times out and no other call was answered meanwhile;
// a store that is slow under load keeps answering, so it stays closed.
// Open: calls fail at once, and a ping checks the store until it answers.
import type { OnStop } from '../process/lifecycle.js';
import type { Log } from '../process/log.js';
import { OutageLog } from '../process/outage-log.js';
import { jittered } from './back-off.js';
import { TimeoutError, withTimeout } from './timeout.js';

const PING_EVERY_MS = 500;
const PING_TIMEOUT_MS = 1_000;

export class Breaker {
  readonly #store: string;
  readonly #ping: () => Promise<unknown>;
  readonly #outage: OutageLog;
  #isOpen = false;
  #isPinging = false;
  #isStopped = false;
  #answeredAt = Number.NEGATIVE_INFINITY;

  /** `store` is its name in the log. An unanswered `ping` must settle by itself eventually. */
  constructor(store: string, ping: () => Promise<unknown>, log: Log, onStop: OnStop) {
    this.#store = store;
    this.#ping = ping;
    this.#outage = new OutageLog(log, {
      failing: `${store} does not respond; continuing without it`,
      working: `${store} responds again`,
    });
    onStop(`${store} breaker`, () => {
      this.#isStopped = true;
    });
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** The call's outcome. Rejects with TimeoutError after `timeoutMs`, and at once while open. */
  async call<Value>(timeoutMs: number, work: () => Promise<Value>): Promise<Value> {
    if (this.#isOpen) throw new Error(`${this.#store} does not respond`);
    const calledAt = performance.now();
    const answer = work();
    // A late answer closes the breaker that its delay opened.
    answer.then(
      () => this.#close(),
      () => undefined,
    );
    try {
      return await withTimeout(timeoutMs, answer);
    } catch (error) {
      if (error instanceof TimeoutError && this.#answeredAt < calledAt) this.#open();
      throw error;
    }
  }

  #close(): void {
    this.#answeredAt = performance.now();
    this.#isOpen = false;
    this.#outage.succeeded();
  }

  #open(): void {
    if (this.#isOpen) return;
    this.#isOpen = true;
    this.#outage.failed();
    void this.#pingUntilAnswered();
  }

  async #pingUntilAnswered(): Promise<void> {
    if (this.#isPinging) return;
    this.#isPinging = true;
    while (this.#isOpen && !this.#isStopped) {
      await new Promise(resolve => setTimeout(resolve, jittered(PING_EVERY_MS)).unref());
      const pinged = this.#ping().then(() => this.#close());
      await withTimeout(PING_TIMEOUT_MS, pinged).catch(() => undefined);
    }
    this.#isPinging = false;
  }
}
