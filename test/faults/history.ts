// The history of a run: the faults that the judge accepts as an excuse, and nothing else.
import type { Entry } from './journal.js';

/** In milliseconds since the epoch. `to` is infinite while it lasts. */
export interface Span {
  readonly from: number;
  to: number;
}

/**
 * A web process did not run, or was about to end: killed at once, told to stop (it first answers
 * the requests that it has), or ended by itself.
 */
export interface Downtime extends Span {
  readonly port: number;
  readonly how: 'killed' | 'stopped' | 'ended by itself';
}

/** A time in which other companies must not notice the named fault. */
export interface Trial extends Span {
  readonly what: string;
  /** Writes of the other companies, sent at a steady rate. */
  readonly entries: Entry[];
}

export class History {
  /** Postgres was unavailable, or faults disturbed it. */
  readonly outages: Span[] = [];
  readonly downtimes: Downtime[] = [];
  /** Web processes that a SIGSTOP kept from running, by port. */
  readonly freezes: (Span & { readonly port: number })[] = [];
  readonly trials: Trial[] = [];
  /** A process ended by itself, or wrote a log line that is not JSON. No fault excuses these. */
  readonly breaches = new Set<string>();

  /** Records a span in which `work` runs. */
  async during<Kind extends Span>(spans: Kind[], span: Kind, work: () => Promise<void>) {
    spans.push(span);
    try {
      await work();
    } finally {
      span.to = Date.now();
    }
  }
}

/** A span that starts now. */
export const startSpan = (): Span => ({ from: Date.now(), to: Number.POSITIVE_INFINITY });
