// The log: one JSON line per event on stdout (pino). Lines name the fields they log and never
// contain a key, password, cookie or body.
import { pino } from 'pino';

export type Log = ReturnType<typeof createLog>;

/** Lines buffered for a reader that has stopped reading. Further lines are dropped. */
const BUFFER_BYTES = 4 * 1024 * 1024;
/** How long an exit waits for the last lines to be written. */
const FLUSH_TIMEOUT_MS = 500;

let stdout: ReturnType<typeof pino.destination> | undefined;

/**
 * A process's log; `type` is its Procfile name. Writes are asynchronous, so a reader that hangs
 * (a paused terminal, a stuck supervisor) delays no request. `exitWith` flushes the rest.
 */
export function createLog(type: string, level: string) {
  stdout ??= pino.destination({ dest: 1, sync: false, maxLength: BUFFER_BYTES });
  return pino(
    { level, base: { type, pid: process.pid }, timestamp: pino.stdTimeFunctions.isoTime },
    stdout,
  );
}

/** Exits once the last lines are written, or after FLUSH_TIMEOUT_MS if they are not read. */
export async function exitWith(code: number): Promise<never> {
  const flushed = new Promise<void>(resolve =>
    stdout ? stdout.flush(() => resolve()) : resolve(),
  );
  await Promise.race([flushed, new Promise(resolve => setTimeout(resolve, FLUSH_TIMEOUT_MS))]);
  // pino's own flush at exit would never return without a reader.
  if (stdout) stdout.flushSync = () => undefined;
  process.exit(code);
}
