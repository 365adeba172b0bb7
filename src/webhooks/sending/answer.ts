// Reads the beginning of a receiver's answer. A receiver may send anything, and never end.
import type { IncomingMessage } from 'node:http';
import type { HeaderMap } from './outcome.js';

const MAX_READ_BYTES = 4_096;
const MAX_STORED_BYTES = 1_024;
const MAX_HEADER_BYTES = 2_048;
const MAX_RETRY_AFTER_MS = 86_400_000;
/** Statuses whose Retry-After counts. */
const ASK_TO_WAIT = [429, 503];

/**
 * The beginning of the body as text. Reads to its end, so that the connection can be used again, or
 * breaks the connection after MAX_READ_BYTES. A body that is cut off ends there.
 */
export async function readBody(answer: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let read = 0;
  try {
    for await (const chunk of answer) {
      chunks.push(chunk as Buffer);
      read += (chunk as Buffer).length;
      // Leaving the loop destroys the answer and its socket.
      if (read > MAX_READ_BYTES) break;
    }
  } catch {
    // The status line decides, so a broken body is no failure.
  }
  const stored = Buffer.concat(chunks).subarray(0, MAX_STORED_BYTES);
  // A character that is cut in two is left out. Postgres stores no NUL.
  return new TextDecoder().decode(stored, { stream: true }).replaceAll('\0', '\ufffd');
}

/** The first headers that fit, with lower-case names. */
export function headersOf({ headers }: IncomingMessage): HeaderMap {
  const kept: Record<string, string> = {};
  let left = MAX_HEADER_BYTES;
  for (const [name, value] of Object.entries(headers)) {
    const text = Array.isArray(value) ? value.join(', ') : (value ?? '');
    const length = name.length + text.length;
    if (length > left) continue;
    left -= length;
    kept[name] = text;
  }
  return kept;
}

/** Retry-After as seconds or as a date (RFC 9110, 10.2.3); null if it does not count. */
export function retryAfterOf({ statusCode = 0, headers }: IncomingMessage): number | null {
  const text = headers['retry-after'];
  if (!ASK_TO_WAIT.includes(statusCode) || text === undefined) return null;
  const ms = /^\d+$/u.test(text) ? Number(text) * 1_000 : Date.parse(text) - Date.now();
  return ms > 0 ? Math.min(ms, MAX_RETRY_AFTER_MS) : null;
}
