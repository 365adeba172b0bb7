// One JSON line an event on stdout (pino). Never a key, password, cookie or body: log what a line names, not objects.
import { pino } from 'pino';

export type Log = ReturnType<typeof createLog>;

/** What waits for a reader that has stopped reading; more is dropped. */
const BUFFER_BYTES = 4 * 1024 * 1024;

/**
 * A process's log; `type` is its Procfile name. Written beside the work: a reader that hangs (a paused terminal, a stuck
 * supervisor) holds up no request. What is left is flushed at exit.
 */
export function createLog(type: string, level: string) {
  const stdout = pino.destination({ dest: 1, sync: false, maxLength: BUFFER_BYTES });
  return pino({ level, base: { type, pid: process.pid }, timestamp: pino.stdTimeFunctions.isoTime }, stdout);
}
