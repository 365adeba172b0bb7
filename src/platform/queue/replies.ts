// How a worker tells the waiting process that its submissions are settled. Redis: one publish a batch, contents
// included. Postgres: one NOTIFY a batch (8,000 bytes at most, so only ids; the asker looks the contents up). A reply may
// be lost, never wrong: whoever waits also looks at the jobs table from time to time.
import { randomBytes } from 'node:crypto';
import { jittered } from '../async/back-off.js';
import { connectClient, query } from '../db/connection.js';
import { describeError } from '../postgres-errors.js';
import type { OnStop } from '../process/lifecycle.js';
import type { Log } from '../process/log.js';
import type { Queueing } from './open.js';
import { openRedis } from './redis.js';

export interface Reply<Content = unknown> {
  readonly jobId: string;
  /** Absent where the channel carries ids only. */
  readonly content?: Content;
}

const RECONNECT_MS = 500;
const HEARTBEAT_MS = 10_000;
/** Nobody waits for it; whoever misses a reply looks for itself. */
const PUBLISH_TIMEOUT_MS = 1_000;
/** Ids in one NOTIFY: 36 characters and a comma each, under 8,000 bytes. */
const IDS_PER_NOTIFY = 200;

/** Sends replies to the address that a submission carries. Rejects where the channel is away; nothing depends on it. */
export function openReplySender(
  queueing: Queueing,
): (address: string, replies: Reply[]) => Promise<void> {
  const { redis } = queueing;
  if (redis) {
    return async (address, replies) => {
      await queueing.breaker.call(PUBLISH_TIMEOUT_MS, () =>
        redis.publish(address, JSON.stringify(replies)),
      );
    };
  }
  return async (address, replies) => {
    for (let start = 0; start < replies.length; start += IDS_PER_NOTIFY) {
      const ids = replies.slice(start, start + IDS_PER_NOTIFY).map(reply => reply.jobId);
      // Nothing durable is written: its COMMIT need not wait for the disk.
      await query("SELECT set_config('synchronous_commit', 'off', true), pg_notify($1, $2)", [
        address,
        ids.join(','),
      ]);
    }
  };
}

export interface ReplyListenerOptions {
  readonly databaseUrl: string;
  readonly redisUrl: string | undefined;
  /** How often a connection that only listens is asked for a sign of life, and how long it has to give one. */
  readonly heartbeatMs?: number;
}

/** Listens at a fresh address, reconnecting for ever; returns the address. */
export function openReplyListener<Content>(
  options: ReplyListenerOptions,
  onReplies: (replies: Reply<Content>[]) => void,
  log: Log,
  onStop: OnStop,
): string {
  const address = `tradepost_replies_${randomBytes(12).toString('hex')}`;
  if (options.redisUrl === undefined) listenInPostgres(options, address, onReplies, log, onStop);
  else {
    const subscriber = openRedis(options.redisUrl, 'endless', log, onStop);
    subscriber.on('message', (_channel, text) => onReplies(JSON.parse(text) as Reply<Content>[]));
    subscriber
      .subscribe(address)
      .catch(error => log.warn({ err: describeError(error) }, 'replies: subscribe failed'));
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
  let lose: (() => void) | undefined;
  let stopped = false;
  const listen = async (): Promise<void> => {
    const client = await connectClient(databaseUrl, 'tradepost-replies', { answerMs: heartbeatMs });
    const lost = new Promise<void>(resolve => {
      lose = resolve;
      client.once('error', () => resolve()).once('end', () => resolve());
    });
    client.on('notification', ({ payload }) =>
      onReplies((payload ?? '').split(',').map(jobId => ({ jobId }))),
    );
    // Nothing else is ever sent on it: without a question now and then a server that hangs would go unnoticed.
    const timer = setInterval(() => client.query('SELECT 1').catch(() => lose?.()), heartbeatMs);
    try {
      await client.query(`LISTEN "${address}"`);
      await lost;
    } finally {
      clearInterval(timer);
      client.end().catch(() => undefined);
    }
  };
  const loop = async (): Promise<void> => {
    while (!stopped) {
      const reason = await listen().then(
        () => 'connection lost',
        error => describeError(error).message,
      );
      if (stopped) return;
      log.warn({ reason }, 'replies: not listening, connecting again');
      await new Promise(resolve => setTimeout(resolve, jittered(RECONNECT_MS)).unref());
    }
  };
  void loop();
  onStop('replies', () => {
    stopped = true;
    lose?.();
  });
}
