// What befalls Redis.
import { Redis } from 'ioredis';
import { startRedis } from '../support/processes.js';
import { type Fault, PROCESSES, pause, REDIS } from './fault.js';
import type { Stage } from './stage.js';

async function withRedis(stage: Stage, work: (redis: Redis) => Promise<unknown>): Promise<void> {
  const redis = new Redis(stage.redis?.url ?? '', { lazyConnect: true, maxRetriesPerRequest: 1 });
  redis.on('error', () => undefined);
  await redis.connect();
  await work(redis);
  redis.disconnect();
}

async function bringRedisBack(stage: Stage): Promise<void> {
  stage.redis = await startRedis(stage.redis?.port);
}

export const REDIS_FAULTS: readonly Fault[] = [
  {
    name: 'redis-kill',
    modes: REDIS,
    parts: ['redis'],
    seconds: 4,
    async run(stage, _random, seconds) {
      await stage.redis?.stop('SIGKILL');
      await pause(seconds / 4);
      await bringRedisBack(stage);
    },
  },
  {
    name: 'redis-stop',
    modes: REDIS,
    parts: ['redis'],
    seconds: 8,
    async run(stage, _random, seconds) {
      await stage.redis?.stop('SIGTERM');
      await pause(seconds);
      await bringRedisBack(stage);
    },
  },
  {
    name: 'redis-down-at-boot',
    modes: REDIS,
    parts: ['redis', ...PROCESSES],
    seconds: 8,
    async run(stage, _random, seconds) {
      await stage.redis?.stop('SIGKILL');
      for (const type of PROCESSES)
        await Promise.all(stage.names(type).map(name => stage.restart(name, 'SIGKILL')));
      await stage.allReady();
      await pause(seconds / 2);
      await bringRedisBack(stage);
    },
  },
  {
    name: 'redis-flush',
    modes: REDIS,
    parts: ['redis'],
    seconds: 8,
    async run(stage, _random, seconds) {
      for (let round = 0; round * 2 < seconds; round += 1) {
        await withRedis(stage, redis => redis.flushall());
        await pause(2);
      }
    },
  },
  {
    name: 'redis-full',
    modes: REDIS,
    parts: ['redis'],
    seconds: 8,
    async run(stage, _random, seconds) {
      await withRedis(stage, redis => redis.config('SET', 'maxmemory-policy', 'noeviction'));
      await withRedis(stage, redis => redis.config('SET', 'maxmemory', '1500kb'));
      await pause(seconds);
      await withRedis(stage, redis => redis.config('SET', 'maxmemory', '0'));
    },
  },
  {
    name: 'redis-evict',
    modes: REDIS,
    parts: ['redis'],
    seconds: 8,
    async run(stage, _random, seconds) {
      await withRedis(stage, redis => redis.config('SET', 'maxmemory-policy', 'allkeys-random'));
      await withRedis(stage, redis => redis.config('SET', 'maxmemory', '1200kb'));
      await pause(seconds);
      await withRedis(stage, redis => redis.config('SET', 'maxmemory', '0'));
      await withRedis(stage, redis => redis.config('SET', 'maxmemory-policy', 'noeviction'));
    },
  },
  {
    // It takes connections and commands, and answers nothing.
    name: 'redis-hang',
    modes: REDIS,
    parts: ['redis'],
    seconds: 15,
    async run(stage, _random, seconds) {
      stage.redis?.signal('SIGSTOP');
      await pause(seconds);
      stage.redis?.signal('SIGCONT');
    },
  },
];
