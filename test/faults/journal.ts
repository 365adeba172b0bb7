// Records what the clients sent and received. A request's line is in the file before the request
// is sent, so even an interrupted run leaves its requests on record.
import { closeSync, openSync, writeSync } from 'node:fs';

/** A request of a client, and how it ended: with an answer or with a failure. */
export interface Exchange {
  readonly companyId: string;
  readonly path: string;
  readonly startedAt: number;
  /** Of the web process that receives the request. */
  readonly port: number;
  /** How long the answer may take. */
  readonly limitMs: number;
  answer?: Answer;
  failure?: Failure;
  /** When its client saw the answer or the failure. */
  endedAt?: number;
}

/** A request that its key names in reports. */
export interface KeyedExchange extends Exchange {
  readonly key: string;
}

/** A write. Without an answer that tells its outcome, the judge replays it. */
export interface Entry extends KeyedExchange {
  /** The Idempotency-Key, and the reference in the body. */
  readonly key: string;
  readonly companyKey: string;
  readonly body: Record<string, unknown>;
  readonly prefer: string | null;
}

export interface Answer {
  readonly status: number;
  readonly text: string;
  readonly ms: number;
  /** Of a redirect. */
  readonly location?: string;
  /** The header Retry-After. */
  readonly retryAfter?: string;
}

/**
 * Why a request got no answer: its client hung up on purpose, the port refused the connection, the
 * connection was lost, or nothing came within the limit and ten more seconds.
 */
export interface Failure {
  readonly cause: 'hung up' | 'refused' | 'lost' | 'timed out';
  readonly ms: number;
}

export class Journal {
  readonly entries: Entry[] = [];
  readonly reads: Exchange[] = [];
  /** Requests of dashboard users. */
  readonly pages: Exchange[] = [];
  /** Requests that change customers' records. */
  readonly changes: KeyedExchange[] = [];
  readonly #file: number;

  constructor(path: string) {
    this.#file = openSync(path, 'w');
  }

  /** Records the writes of a request, and how each ends. */
  async write(
    entries: readonly Entry[],
    sent: () => Promise<readonly (Answer | Failure)[]>,
  ): Promise<void> {
    for (const entry of entries) {
      const { companyKey: _secret, ...shown } = entry;
      this.#append({ sends: shown });
      this.entries.push(entry);
    }
    const ends = await sent();
    if (ends.length !== entries.length)
      throw new Error(`${ends.length} answers to ${entries.length} writes`);
    for (const [index, entry] of entries.entries()) {
      const end = ends[index] as Answer | Failure;
      this.#append({ key: entry.key, receives: end });
      complete(entry, end);
    }
  }

  async read(exchange: Exchange, sent: () => Promise<Answer | Failure>): Promise<void> {
    this.reads.push(exchange);
    complete(exchange, await sent());
  }

  /** Records a request of a dashboard user, which `details` describe, and how it ends. */
  async page(
    exchange: Exchange,
    details: object,
    sent: () => Promise<Answer | Failure>,
  ): Promise<void> {
    this.pages.push(exchange);
    complete(exchange, await sent());
    const { path, startedAt, answer, failure } = exchange;
    const { status, location } = answer ?? {};
    this.#append({ page: path, startedAt, ...details, status, location, failure });
  }

  /** Records a change of a customer's record, which `details` describe, and how it ends. */
  async change(
    exchange: KeyedExchange,
    details: object,
    sent: () => Promise<Answer | Failure>,
  ): Promise<Answer | Failure> {
    this.changes.push(exchange);
    const end = await sent();
    complete(exchange, end);
    this.#append({ changes: exchange.path, startedAt: exchange.startedAt, ...details, end });
    return end;
  }

  close(): void {
    closeSync(this.#file);
  }

  #append(line: object): void {
    writeSync(this.#file, `${JSON.stringify(line)}\n`);
  }
}

function complete(exchange: Exchange, end: Answer | Failure): void {
  exchange.endedAt = Date.now();
  if ('cause' in end) exchange.failure = end;
  else exchange.answer = end;
}
