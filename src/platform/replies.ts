// How a worker tells the waiting process that its submissions are settled. Redis: one publish a batch, contents
// included. Postgres: one NOTIFY a batch (8,000 bytes at most, so only ids; the asker looks the contents up). A reply may
// be lost, never wrong: whoever waits also looks at the jobs table from time to time.
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { describeError, query } from './db.js';
import type { OnStop } from './lifecycle.js';
import type { Log } from './log.js';
import type { Queueing } from './queue.js';
import { openRedis } from './redis.js';

export interface Reply {
  readonly jobId: string;
  /** Absent where the channel carries ids only. */
  readonly content?: unknown;
}

const RECONNECT_MS = 500;
/** Ids in one NOTIFY: 36 characters and a comma each, under 8,000 bytes. */
const IDS_PER_NOTIFY = 200;

/** Sends replies to the address that a submission carries. Rejects where the channel is away; nothing depends on it. */
export function openReplySender(queueing: Queueing): (address: string, replies: Reply[]) => Promise<void> {
  const { redis } = queueing;
  if (redis) {
    return async (address, replies) => {
      await redis.publish(address, JSON.stringify(replies));
    };
  }
  return async (address, replies) => {
    for (let start = 0; start < replies.length; start += IDS_PER_NOTIFY) {
      const ids = replies.slice(start, start + IDS_PER_NOTIFY).map(reply => reply.jobId);
      // Nothing durable is written: its COMMIT need not wait for the disk.
      await query("SELECT set_config('synchronous_commit', 'off', true), pg_notify($1, $2)", [address, ids.join(',')]);
    }
  };
}

export interface ReplyListenerOptions {
  readonly databaseUrl: string;
  readonly redisUrl: string | undefined;
}

/** Listens at a fresh address, reconnecting for ever; returns the address. */
export function openReplyListener(
  options: ReplyListenerOptions,
  onReplies: (replies: Reply[]) => void,
  log: Log,
  onStop: OnStop,
): string {
  const address = `tradepost_replies_${randomBytes(12).toString('hex')}`;
  if (options.redisUrl === undefined) listenInPostgres(options.databaseUrl, address, onReplies, log, onStop);
  else {
    const subscriber = openRedis(options.redisUrl, 'endless', log, onStop);
    subscriber.on('message', (_channel, text) => onReplies(JSON.parse(text) as Reply[]));
    subscriber.subscribe(address).catch(error => log.warn({ err: describeError(error) }, 'replies: subscribe failed'));
  }
  return address;
}

function listenInPostgres(
  databaseUrl: string,
  address: string,
  onReplies: (replies: Reply[]) => void,
  log: Log,
  onStop: OnStop,
): void {
  let client: pg.Client | undefined;
  let stopped = false;
  const connect = async (): Promise<void> => {
    const next = new pg.Client({
      connectionString: databaseUrl,
      application_name: 'tradepost-replies',
      keepAlive: true,
    });
    let ended = false;
    const retry = (error?: Error): void => {
      if (ended || stopped) return;
      ended = true;
      if (error) log.warn({ err: describeError(error) }, 'replies: connection lost, reconnecting');
      setTimeout(() => void connect(), RECONNECT_MS).unref();
    };
    next.on('error', retry);
    next.on('end', () => retry());
    next.on('notification', ({ payload }) => onReplies((payload ?? '').split(',').map(jobId => ({ jobId }))));
    try {
      await next.connect();
      await next.query(`LISTEN "${address}"`);
      client = next;
    } catch (error) {
      retry(error as Error);
    }
  };
  void connect();
  onStop('replies', async () => {
    stopped = true;
    await client?.end();
  });
}
