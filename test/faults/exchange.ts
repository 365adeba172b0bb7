// Sends the requests of clients, one connection each, and tells why an answer did not come.
import { request as httpRequest } from 'node:http';
import type { Answer, Entry, Exchange, Failure } from './journal.js';

/** Beyond the limit of an answer. A request that is late shows how late it is. */
const PATIENCE_MS = 10_000;
/** A client that hangs up before this is still sending its body. */
const SENDING_MS = 5;

/** Sends an entry's request. */
export function sendWrite(
  port: number,
  entry: Entry,
  hangUpMs: number | null = null,
): Promise<Answer | Failure> {
  const { path, limitMs } = entry;
  const headers = headersOf(entry, entry.key);
  const body = JSON.stringify(entry.body);
  return sendRequest({ method: 'POST', port, path, headers, limitMs, body }, hangUpMs);
}

/** The key of the n-th write of a batch, from 0. */
export function keyInBatch(key: string, index: number): string {
  return `${key}/${index}`;
}

/** The key of the batch that has the write with this key; null for a write of its own. */
export function batchOf(key: string): string | null {
  return /^(.+)\/\d+$/u.exec(key)?.[1] ?? null;
}

/**
 * Sends invoices with the keys of this batch in one request. Each ends with the answer that it
 * would have had alone.
 */
export async function sendBatch(
  port: number,
  key: string,
  entries: readonly [Entry, ...Entry[]],
  hangUpMs: number | null,
): Promise<(Answer | Failure)[]> {
  const [first] = entries;
  const path = `${first.path}/batch`;
  const body = JSON.stringify({ invoices: entries.map(entry => entry.body) });
  const headers = headersOf(first, key);
  const { limitMs } = first;
  const end = await sendRequest({ method: 'POST', port, path, headers, limitMs, body }, hangUpMs);
  if ('cause' in end || end.status !== 200) return entries.map(() => end);
  const { results } = JSON.parse(end.text) as { results: readonly BatchResult[] };
  return results.map(({ status, invoice, job, problem }) => ({
    status,
    text: JSON.stringify(invoice ?? job ?? problem),
    ms: end.ms,
  }));
}

interface BatchResult {
  readonly status: number;
  readonly invoice?: object;
  readonly job?: object;
  readonly problem?: object;
}

function headersOf({ companyKey, prefer }: Entry, key: string): Record<string, string> {
  return {
    'x-api-key': companyKey,
    'content-type': 'application/json',
    'idempotency-key': key,
    ...(prefer === null ? {} : { prefer }),
  };
}

export function sendRead(
  { port, path, limitMs }: Exchange,
  key: string,
): Promise<Answer | Failure> {
  const headers = { 'x-api-key': key };
  return sendRequest({ method: 'GET', port, path, headers, limitMs, body: null });
}

/** In a body of a hostile request, the attacker puts a number in its place. */
export const REQUEST_NUMBER = '{{n}}';

export interface Outgoing {
  readonly method: string;
  readonly port: number;
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly limitMs: number;
  readonly body: string | null;
  /** Ends the request before its answer. */
  readonly signal?: AbortSignal;
  /** Reads the answer without collecting its text. */
  readonly discards?: boolean;
}

export function sendRequest(
  { method, port, path, headers, limitMs, body, signal, discards }: Outgoing,
  hangUpMs: number | null = null,
): Promise<Answer | Failure> {
  const started = performance.now();
  const elapsed = () => performance.now() - started;
  return new Promise(resolve => {
    let cause: Failure['cause'] = 'lost';
    const fail = () => resolve({ cause, ms: elapsed() });
    const outgoing = httpRequest(
      { host: '127.0.0.1', port, method, path, headers, agent: false, ...(signal && { signal }) },
      incoming => {
        let text = '';
        if (discards) incoming.resume();
        else
          incoming.setEncoding('utf8').on('data', (chunk: string) => {
            text += chunk;
          });
        incoming.on('error', fail);
        incoming.on('end', () => {
          const { statusCode = 0, headers: received } = incoming;
          const isRedirect = statusCode === 303 && received.location !== undefined;
          const location = isRedirect ? { location: String(received.location) } : {};
          const { 'retry-after': retryAfter } = received;
          const again = retryAfter === undefined ? {} : { retryAfter };
          resolve({ status: statusCode, text, ms: elapsed(), ...location, ...again });
        });
      },
    );
    const giveUp = (why: Failure['cause']) => {
      cause = why;
      outgoing.destroy(new Error(why));
    };
    outgoing.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ECONNREFUSED') cause = 'refused';
      fail();
    });
    outgoing.setTimeout(limitMs + PATIENCE_MS, () => giveUp('timed out'));
    if (hangUpMs !== null) setTimeout(() => giveUp('hung up'), hangUpMs);
    // Hang up in the middle of the body if there is no time for all of it.
    if (hangUpMs !== null && hangUpMs < SENDING_MS) {
      outgoing.setHeader('content-length', String(body?.length ?? 0));
      outgoing.write(body?.slice(0, body.length / 2) ?? '');
    } else outgoing.end(body ?? undefined);
  });
}
