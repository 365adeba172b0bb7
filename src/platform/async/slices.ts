// Long work in slices, so that it does not hold the event loop.
import { setImmediate as nextTurn } from 'node:timers/promises';

/** How long a request may hold the event loop. */
const SLICE_MS = 5;

export class Slices {
  #startedAt = performance.now();

  /** Called between two steps of the work: lets the event loop have a turn if a slice is over. */
  async pause(): Promise<void> {
    if (performance.now() - this.#startedAt <= SLICE_MS) return;
    await nextTurn();
    this.#startedAt = performance.now();
  }
}
