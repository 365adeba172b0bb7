// What the clients sent and were told. A line is in the file before its request is on the way, so that even a run that
// is cut off leaves what it was about to do; what has no answer is unknown, and is asked again when all is well.
import { closeSync, openSync, writeSync } from 'node:fs';

export interface Entry {
  readonly key: string;
  readonly companyKey: string;
  readonly companyId: string;
  readonly path: string;
  readonly body: Record<string, unknown>;
  readonly prefer: string | null;
  readonly startedAt: number;
  /** Of the web process that it is sent to. */
  readonly port: number;
  /** How long the answer may take. */
  readonly limitMs: number;
  answer?: Answer;
}

export interface Answer {
  readonly status: number;
  readonly text: string;
  readonly ms: number;
}

export class Journal {
  readonly entries: Entry[] = [];
  /** Reads that got an answer that no read may get. */
  readonly badReads: string[] = [];
  reads = 0;
  readonly #file: number;

  constructor(path: string) {
    this.#file = openSync(path, 'w');
  }

  sends(entry: Entry): void {
    const { companyKey: _secret, ...told } = entry;
    this.#write({ sends: told });
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
