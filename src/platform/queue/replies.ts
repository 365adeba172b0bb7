// How a worker tells the waiting web process that its submissions are settled: by PUBLISH in Redis,
// by NOTIFY in Postgres. A reply may be lost, so waiters also poll `jobs`.
import { randomBytes } from 'node:crypto';
import { jittered } from '../async/back-off.js';
import { textArray } from '../db/arrays.js';
import { connectClient, query } from '../db/connection.js';
import { describeError } from '../postgres-errors.js';
import type { OnStop } from '../process/lifecycle.js';
import type { Log } from '../process/log.js';
import { OutageLog } from '../process/outage-log.js';
import type { Queues } from './open.js';
import { openRedis } from './redis.js';

export interface Reply<Content = unknown> {
  readonly jobId: string;
  /** Absent if it is too long for the channel: the web process then reads it. */
  readonly content?: Content;
}

const RECONNECT_MS = 500;
const HEARTBEAT_MS = 10_000;
/** No request waits for it: a web process that misses a reply polls. */
const PUBLISH_TIMEOUT_MS = 1_000;
/** Postgres refuses a payload of 8,000 bytes. */
const NOTIFY_BYTES = 7_900;

/** Sends replies to a submission's address. A failure rejects, but no write depends on it. */
export function openReplySender(
  queues: Queues,
): (address: string, replies: Reply[]) => Promise<void> {
  const { redis } = queues;
  if (redis) {
    return async (address, replies) => {
      await queues.breaker.call(PUBLISH_TIMEOUT_MS, () =>
        redis.publish(address, JSON.stringify(replies)),
      );
    };
  }
  return async (address, replies) => {
    // This transaction writes no rows, so its COMMIT need not wait for the disk.
    await query(
      `SELECT set_config('synchronous_commit', 'off', true), pg_notify($1, payload)
       FROM unnest($2::text[]) AS payload`,
      [address, textArray(notifyPayloads(replies))],
    );
  };
}

/** JSON arrays of replies, each short enough for one NOTIFY. */
function notifyPayloads(replies: readonly Reply[]): string[] {
  const payloads: string[] = [];
  let joined = '';
  for (const reply of replies) {
    const whole = JSON.stringify(reply);
    const isShort = Buffer.byteLength(whole) <= NOTIFY_BYTES;
    const text = isShort ? whole : JSON.stringify({ jobId: reply.jobId });
    if (joined !== '' && Buffer.byteLength(joined) + Buffer.byteLength(text) >= NOTIFY_BYTES) {
      payloads.push(`[${joined}]`);
      joined = '';
    }
    joined += joined === '' ? text : `,${text}`;
  }
  return [...payloads, `[${joined}]`];
}

export interface ReplyListenerOptions {
  readonly databaseUrl: string;
  readonly redisUrl: string | undefined;
  /** The period of the listening connection's heartbeat, and its timeout. */
  readonly heartbeatMs?: number;
}

/** Listens at a new address, which it returns, and reconnects forever. */
export function openReplyListener<Content>(
  options: ReplyListenerOptions,
  onReplies: (replies: Reply<Content>[]) => void,
  log: Log,
  onStop: OnStop,
): string {
  const address = `tradepost_replies_${randomBytes(12).toString('hex')}`;
  if (options.redisUrl === undefined) listenInPostgres(options, address, onReplies, log, onStop);
  else {
    const subscriber = openRedis(options.redisUrl, 'wait', log, onStop);
    subscriber.on('message', (_channel, text) => onReplies(JSON.parse(text) as Reply<Content>[]));
    subscriber
      .subscribe(address)
      .catch(error => log.warn({ err: describeError(error) }, 'subscribing to replies failed'));
  }
  return address;
}

function listenInPostgres<Content>(
  { databaseUrl, heartbeatMs = HEARTBEAT_MS }: ReplyListenerOptions,
  address: string,
  onReplies: (replies: Reply<Content>[]) => void,
  log: Log,
  onStop: OnStop,
): void {
  const outage = new OutageLog(log, {
    failing: 'the connection for replies is lost; reconnecting',
    working: 'the connection for replies is open again',
  });
  let lose: (() => void) | undefined;
  let stopped = false;
  const listen = async (): Promise<void> => {
    const client = await connectClient(databaseUrl, 'tradepost-replies', { answerMs: heartbeatMs });
    const lost = new Promise<void>(resolve => {
      lose = resolve;
      if (stopped) resolve();
      client.once('error', () => resolve()).once('end', () => resolve());
    });
    client.on('notification', ({ payload }) =>
      onReplies(JSON.parse(payload ?? '[]') as Reply<Content>[]),
    );
    // The connection sends nothing else: without a heartbeat a hanging server would go unnoticed.
    const timer = setInterval(() => client.query('SELECT 1').catch(() => lose?.()), heartbeatMs);
    try {
      await client.query(`LISTEN "${address}"`);
      outage.succeeded();
      await lost;
    } finally {
      clearInterval(timer);
      client.end().catch(() => undefined);
    }
  };
  const loop = async (): Promise<void> => {
    while (!stopped) {
      const reason = await listen().then(
        () => 'connection closed',
        error => describeError(error).message,
      );
      if (stopped) return;
      outage.failed({ reason });
      await new Promise(resolve => setTimeout(resolve, jittered(RECONNECT_MS)).unref());
    }
  };
  void loop();
  onStop('replies', () => {
    stopped = true;
    lose?.();
  });
}
