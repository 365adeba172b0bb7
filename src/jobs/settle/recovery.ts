// The recovery poll: every worker looks for queued rows that are due, so nothing that was promised waits for a queue.

import { pollForever } from '../../platform/async/poll.js';
import type { OnStop } from '../../platform/process/lifecycle.js';
import type { Log } from '../../platform/process/log.js';
import type { Settlement } from './settlement.js';

const POLL_MS = 250;

/** Polls until stopped, at once again while there is more; stopping waits for the batch in hand. */
export function recoverForever(settlement: Settlement, log: Log, onStop: OnStop): void {
  pollForever('recovery poll', POLL_MS, async () => (await settlement.recover()) > 0, log, onStop);
}
