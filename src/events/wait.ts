// Readers that wait for the next event of a company. One look at the companies' counters serves all
// of them that wait in this process.
import { readNewestSequences } from '../feed/read.js';
import { describeError } from '../platform/postgres-errors.js';
import type { OnStop } from '../platform/process/lifecycle.js';
import type { Log } from '../platform/process/log.js';

const LOOK_EVERY_MS = 500;
/** Further readers of a company are answered at once. */
const READERS_PER_COMPANY = 20;

interface Reader {
  readonly after: number;
  /** True if the feed has passed `after`. */
  readonly end: (hasNew: boolean) => void;
}

class WaitingReaders {
  readonly #readers = new Map<string, Set<Reader>>();
  readonly #log: Log;
  #isStopping = false;
  #look: NodeJS.Timeout | undefined;

  constructor(log: Log) {
    this.#log = log;
  }

  /** False at the end of the time or of the process, if the client is gone, or if many wait. */
  wait(companyId: string, after: number, ms: number, signal: AbortSignal): Promise<boolean> {
    const readers = this.#readers.get(companyId) ?? new Set();
    if (this.#isStopping || signal.aborted || readers.size >= READERS_PER_COMPANY || ms <= 0)
      return Promise.resolve(false);
    this.#readers.set(companyId, readers);
    return new Promise(resolve => {
      const reader = { after, end };
      const give = () => end(false);
      const timer = setTimeout(give, ms);
      function end(hasNew: boolean): void {
        clearTimeout(timer);
        signal.removeEventListener('abort', give);
        readers.delete(reader);
        resolve(hasNew);
      }
      signal.addEventListener('abort', give);
      readers.add(reader);
      this.#lookSoon();
    });
  }

  stop(): void {
    this.#isStopping = true;
    clearTimeout(this.#look);
    for (const reader of this.#all()) reader.end(false);
  }

  #all(): Reader[] {
    return [...this.#readers.values()].flatMap(readers => [...readers]);
  }

  #lookSoon(): void {
    this.#look ??= setTimeout(() => void this.#lookNow(), LOOK_EVERY_MS);
  }

  async #lookNow(): Promise<void> {
    for (const [companyId, { size }] of this.#readers)
      if (size === 0) this.#readers.delete(companyId);
    try {
      const newest = await readNewestSequences([...this.#readers.keys()]);
      for (const [companyId, readers] of this.#readers)
        for (const reader of [...readers])
          if ((newest.get(companyId) ?? 0) > reader.after) reader.end(true);
    } catch (error) {
      // The readers go on waiting. Their answers come from the database, too.
      this.#log.debug({ err: describeError(error) }, 'could not look for new events');
    }
    this.#look = undefined;
    if (!this.#isStopping && this.#all().length > 0) this.#lookSoon();
  }
}

let waiting: WaitingReaders | undefined;

/** For processes that serve requests. A stop answers the readers. */
export function openWaitingReaders(log: Log, onStop: OnStop): void {
  const opened = new WaitingReaders(log);
  waiting = opened;
  onStop('waiting readers of events', () => opened.stop());
}

/** Resolves to true once the company has an event after this one, at most a second later. */
export function waitForEvent(
  companyId: string,
  after: number,
  ms: number,
  signal: AbortSignal,
): Promise<boolean> {
  return waiting?.wait(companyId, after, ms, signal) ?? Promise.resolve(false);
}
