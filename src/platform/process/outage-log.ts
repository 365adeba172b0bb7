// Logs that a store or a piece of repeated work fails. The same failure may happen many times per
// second for hours, and the first line already says what an operator needs to know.
import type { Log } from './log.js';

const LINE_EVERY_MS = 60_000;

export interface OutageMessages {
  readonly failing: string;
  readonly working: string;
  /** The level of the line about a failure: `warn` by default. At `debug`, all lines have it. */
  readonly level?: 'debug' | 'warn' | 'error';
}

/**
 * The log of one store, queue or poll. Its first failure is logged at once. Further failures are
 * logged together, at most one line per minute, with the number that was left out. One line says
 * that it works again. An outage that starts and ends within that minute is only counted.
 */
export class OutageLog {
  readonly #log: Log;
  readonly #messages: OutageMessages;
  readonly #everyMs: number;
  #isFailing = false;
  /** Whether the last line said that it fails. */
  #isReported = false;
  #nextLineAt = Number.NEGATIVE_INFINITY;
  #leftOut = 0;
  #latest: object = {};
  #timer: NodeJS.Timeout | undefined;

  constructor(log: Log, messages: OutageMessages, everyMs = LINE_EVERY_MS) {
    this.#log = log;
    this.#messages = messages;
    this.#everyMs = everyMs;
  }

  /** Reports a failure. Its line has these fields. */
  failed(fields: object = {}): void {
    this.#isFailing = true;
    const waitMs = this.#nextLineAt - performance.now();
    if (waitMs <= 0) {
      this.#report(fields);
      return;
    }
    this.#leftOut += 1;
    this.#latest = fields;
    this.#timer ??= setTimeout(() => this.#reportLatest(), waitMs).unref();
  }

  /** Reports a success. Costs nothing while there is no failure. */
  succeeded(): void {
    if (!this.#isFailing) return;
    this.#isFailing = false;
    if (!this.#isReported) return;
    this.#isReported = false;
    const { level, working } = this.#messages;
    this.#log[level === 'debug' ? 'debug' : 'info'](this.#takeLeftOut(), working);
  }

  /** The line of the latest failure that was left out, unless it is over. */
  #reportLatest(): void {
    this.#timer = undefined;
    if (!this.#isFailing) return;
    this.#leftOut -= 1;
    this.#report(this.#latest);
  }

  #report(fields: object): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#isReported = true;
    this.#nextLineAt = performance.now() + this.#everyMs;
    const { level = 'warn', failing } = this.#messages;
    this.#log[level]({ ...fields, ...this.#takeLeftOut() }, failing);
  }

  #takeLeftOut(): { leftOut?: number } {
    const leftOut = this.#leftOut;
    this.#leftOut = 0;
    return leftOut > 0 ? { leftOut } : {};
  }
}
