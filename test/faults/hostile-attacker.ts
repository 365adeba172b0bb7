// The attacker, on a thread of its own, so that it does not delay the requests that are measured.
// Repeats the requests of an attack until a message arrives, and answers it with how they ended.
import { setMaxListeners } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { type Outgoing, REQUEST_NUMBER, sendRequest } from './exchange.js';
import type { Attack } from './hostile-phases.js';

/** How often each status, or each cause of a failure, ended a request. */
export type Ends = ReadonlyMap<string, number>;

/** After a refusal, which costs the product little. Otherwise nothing else would be measured. */
const PAUSE_AFTER_REFUSAL_MS = 200;

const { requests, atOnce, pauseSeconds } = workerData as Attack;
const ends = new Map<string, number>();
let sent = 0;
const end = new AbortController();
setMaxListeners(0, end.signal);
parentPort?.once('message', () => end.abort());

if (atOnce) while (!end.signal.aborted) await Promise.all(requests.map(send));
else await Promise.all(requests.map(repeat));
parentPort?.postMessage(ends);

async function repeat(request: Outgoing): Promise<void> {
  while (!end.signal.aborted) {
    const what = await send(request);
    const isRefused = what === '429' || what === '503';
    await delay(isRefused ? PAUSE_AFTER_REFUSAL_MS : pauseSeconds * 1_000);
  }
}

async function send(request: Outgoing): Promise<string> {
  const { signal } = end;
  sent += 1;
  const body = request.body?.replaceAll(REQUEST_NUMBER, String(sent)) ?? null;
  const ended = await sendRequest({ ...request, body, signal });
  const what = 'status' in ended ? String(ended.status) : ended.cause;
  if (!signal.aborted) ends.set(what, (ends.get(what) ?? 0) + 1);
  return what;
}
