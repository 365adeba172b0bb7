// Turns for expensive reads. Callers who want the same result while a call for it waits for its
// turn share that call: it has not begun, so it sees everything that was committed before they
// asked.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { pauseAfter, type TurnLimits, Turns } from './turns.js';

interface Caller {
  readonly resolve: (result: never) => void;
  readonly reject: (error: unknown) => void;
}

/** Turns at answering. Most of them are pauses, and results that wait have been bounded before. */
const ANSWERS = { running: 8, waitingPerKey: 1_000, waiting: 10_000, waitMs: 60_000 };

export class SharedTurns {
  readonly #turns: Turns;
  readonly #answers = new Turns(ANSWERS);
  /** The callers of each call that has not begun. */
  readonly #waiting = new Map<string, Caller[]>();

  constructor(limits: TurnLimits) {
    this.#turns = new Turns(limits);
  }

  /**
   * The result of `work` in a turn of the key. `what` names the result: calls of a key with equal
   * names must be interchangeable. Rejects with NoTurn without a turn. A caller gets its result
   * when the key's callers before it have made their answers of theirs, with a pause after each.
   */
  run<Result>(key: string, what: string, work: () => Promise<Result>): Promise<Result> {
    const name = `${key} ${what}`;
    return new Promise<Result>((resolve, reject) => {
      const waiting = this.#waiting.get(name);
      if (waiting) waiting.push({ resolve, reject });
      else {
        const callers: Caller[] = [{ resolve, reject }];
        this.#waiting.set(name, callers);
        void this.#runFor(callers, key, name, work);
      }
    });
  }

  async #runFor<Result>(
    callers: Caller[],
    key: string,
    name: string,
    work: () => Promise<Result>,
  ): Promise<void> {
    try {
      const result = await this.#turns
        .run(key, () => {
          this.#waiting.delete(name);
          return work();
        })
        .catch((error: unknown) => {
          if (this.#waiting.get(name) === callers) this.#waiting.delete(name);
          throw error;
        });
      await this.#answers.run(key, () => answerAll(callers, result));
    } catch (error) {
      for (const { reject } of callers) reject(error);
    }
  }
}

/** Removes the callers that have their result. */
async function answerAll<Result>(callers: Caller[], result: Result): Promise<void> {
  for (let caller = callers.shift(); caller; caller = callers.shift()) {
    const startedAt = performance.now();
    caller.resolve(result as never);
    // The caller makes its answer before the event loop goes on.
    await nextTurn();
    await pauseAfter(startedAt);
  }
}
