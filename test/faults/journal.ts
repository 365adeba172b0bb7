// Records what the clients sent and received. A request's line is in the file before the request
// is sent, so an interrupted run leaves its requests on record, too.
import { closeSync, openSync, writeSync } from 'node:fs';

export interface Entry {
  /** The Idempotency-Key, and the reference in the body. */
  readonly key: string;
  readonly companyKey: string;
  readonly companyId: string;
  readonly path: string;
  readonly body: Record<string, unknown>;
  readonly prefer: string | null;
  readonly startedAt: number;
  /** Of the web process that receives the request. */
  readonly port: number;
  /** How long the answer may take. */
  readonly limitMs: number;
  /** Absent if the outcome is unknown; the judge replays the request. */
  answer?: Answer;
}

export interface Answer {
  readonly status: number;
  readonly text: string;
  readonly ms: number;
}

export class Journal {
  readonly entries: Entry[] = [];
  /** Reads with an answer that no read may get. */
  readonly badReads: string[] = [];
  readonly #file: number;

  constructor(path: string) {
    this.#file = openSync(path, 'w');
  }

  sends(entry: Entry): void {
    const { companyKey: _secret, ...shown } = entry;
    this.#write({ sends: shown });
    this.entries.push(entry);
  }

  receives(entry: Entry, answer: Answer): void {
    this.#write({ key: entry.key, receives: answer });
    entry.answer = answer;
  }

  close(): void {
    closeSync(this.#file);
  }

  #write(line: object): void {
    writeSync(this.#file, `${JSON.stringify(line)}\n`);
  }
}
