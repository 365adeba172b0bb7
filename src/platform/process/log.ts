// The log: one JSON line per event on stdout (pino). Lines name the fields they log and never
// contain a key, password, cookie or body.
import { pino } from 'pino';

export type Log = ReturnType<typeof createLog>;

/** Lines buffered for a reader that has stopped reading. Further lines are dropped. */
const BUFFER_BYTES = 4 * 1024 * 1024;
/** An exit waits this long for the last lines to be written. */
const FLUSH_TIMEOUT_MS = 500;

let stdout: ReturnType<typeof pino.destination> | undefined;
/** Lines are written together after this time: each write wakes another thread. */
const WRITE_AFTER_MS = 20;
const lines: string[] = [];

/**
 * A process's log; `type` is its Procfile name. Writes are asynchronous, so a reader that hangs
 * (a paused terminal, a stuck supervisor) delays no request. `exitWith` writes the last lines.
 */
export function createLog(type: string, level: string) {
  stdout ??= pino.destination({ dest: 1, sync: false, maxLength: BUFFER_BYTES });
  const destination = {
    write(line: string) {
      if (lines.push(line) === 1) setTimeout(writeLines, WRITE_AFTER_MS);
    },
  };
  return pino(
    { level, base: { type, pid: process.pid }, timestamp: () => `,"time":"${isoNow()}"` },
    destination,
  );
}

/** Exits once the last lines are written, or after FLUSH_TIMEOUT_MS if they are not read. */
export async function exitWith(code: number): Promise<never> {
  const written = new Promise<void>(resolve => {
    stdout ? stdout.once('drain', () => resolve()) : resolve();
  });
  writeLines();
  await Promise.race([written, new Promise(resolve => setTimeout(resolve, FLUSH_TIMEOUT_MS))]);
  // pino's own flush at exit would never return without a reader.
  if (stdout) stdout.flushSync = () => undefined;
  process.exit(code);
}

/** Writes even if there are no lines, so that `drain` is emitted. */
function writeLines(): void {
  stdout?.write(lines.splice(0).join(''));
}

let second = { startMs: 0, text: '' };

/** The time as toISOString writes it, which is called only once per second: it is slow. */
function isoNow(): string {
  const now = Date.now();
  const ms = now % 1000;
  if (second.startMs !== now - ms)
    second = { startMs: now - ms, text: new Date(now).toISOString().slice(0, -'000Z'.length) };
  return `${second.text}${String(ms).padStart(3, '0')}Z`;
}
