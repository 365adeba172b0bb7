// One JSON line an event on stdout (pino). Never a key, password, cookie or body: log what a line names, not objects.
import { pino } from 'pino';

export type Log = ReturnType<typeof createLog>;

/** A process's log; `type` is its Procfile name. */
export function createLog(type: string, level: string) {
  return pino({ level, base: { type, pid: process.pid }, timestamp: pino.stdTimeFunctions.isoTime });
}
