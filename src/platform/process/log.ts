// One JSON line an event on stdout (pino). Never a key, password, cookie or body: log what a line names, not objects.
import { pino } from 'pino';

export type Log = ReturnType<typeof createLog>;

/** What waits for a reader that has stopped reading; more is dropped. */
const BUFFER_BYTES = 4 * 1024 * 1024;
/** For the last lines before an exit. */
const LAST_LINES_MS = 500;

let stdout: ReturnType<typeof pino.destination> | undefined;

/**
 * A process's log; `type` is its Procfile name. Written beside the work: a reader that hangs (a paused terminal, a stuck
 * supervisor) holds up no request. `exitWith` writes what is left.
 */
export function createLog(type: string, level: string) {
  stdout ??= pino.destination({ dest: 1, sync: false, maxLength: BUFFER_BYTES });
  return pino(
    { level, base: { type, pid: process.pid }, timestamp: pino.stdTimeFunctions.isoTime },
    stdout,
  );
}

/** Ends the process when its last lines are written, or after a moment where nobody reads them. */
export async function exitWith(code: number): Promise<never> {
  const written = new Promise<void>(resolve =>
    stdout ? stdout.flush(() => resolve()) : resolve(),
  );
  await Promise.race([written, new Promise(resolve => setTimeout(resolve, LAST_LINES_MS))]);
  // The library's own last try, at exit, would go on for ever without a reader.
  if (stdout) stdout.flushSync = () => undefined;
  process.exit(code);
}
