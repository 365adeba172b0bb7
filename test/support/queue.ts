// The product's BullMQ queues, as a test looks into them.
import { createPostgresBackend, Queue } from 'bullmq';
import { Redis } from 'ioredis';
import pg from 'pg';
import type { Stores } from './suite.js';

export function openQueue(
  { redis, databaseUrl }: Pick<Stores, 'redis' | 'databaseUrl'>,
  name: string,
): { queue: Queue; close: () => Promise<unknown> } {
  const connection = redis
    ? new Redis(redis.url, { maxRetriesPerRequest: null })
    : new pg.Pool({ connectionString: databaseUrl, options: '-c search_path=bullmq', max: 2 });
  const options = { connection, prefix: '{tradepost}' } as never;
  const queue = redis
    ? new Queue(name, options)
    : new Queue(name, options, createPostgresBackend as never);
  const close = async () => {
    await queue.close();
    await (connection instanceof Redis ? connection.quit() : connection.end());
  };
  return { queue, close };
}
