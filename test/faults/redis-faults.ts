// Faults of Redis.
import { Redis } from 'ioredis';
import { startRedis } from '../support/redis-server.js';
import { type Fault, PROCESSES, pause, REDIS } from './fault.js';
import type { System } from './system.js';

async function withRedis(system: System, work: (redis: Redis) => Promise<unknown>): Promise<void> {
  const redis = new Redis(system.redis?.url ?? '', { lazyConnect: true, maxRetriesPerRequest: 1 });
  redis.on('error', () => undefined);
  await redis.connect();
  await work(redis);
  redis.disconnect();
}

export async function flushRedis(system: System): Promise<void> {
  await withRedis(system, redis => redis.flushall());
}

async function restartRedis(system: System): Promise<void> {
  system.redis = await startRedis(system.redis?.port);
}

export const REDIS_FAULTS: readonly Fault[] = [
  {
    name: 'redis-kill',
    modes: REDIS,
    parts: ['redis'],
    seconds: 4,
    async run(system, _random, seconds) {
      await system.redis?.stop('SIGKILL');
      await pause(seconds / 4);
      await restartRedis(system);
    },
  },
  {
    name: 'redis-stop',
    modes: REDIS,
    parts: ['redis'],
    seconds: 8,
    async run(system, _random, seconds) {
      await system.redis?.stop('SIGTERM');
      await pause(seconds);
      await restartRedis(system);
    },
  },
  {
    name: 'redis-down-at-boot',
    modes: REDIS,
    parts: ['redis', ...PROCESSES],
    seconds: 8,
    async run(system, _random, seconds) {
      await system.redis?.stop('SIGKILL');
      for (const type of PROCESSES)
        await Promise.all(
          system.processes.names(type).map(name => system.processes.restart(name, 'SIGKILL')),
        );
      await system.processes.allReady();
      await pause(seconds / 2);
      await restartRedis(system);
    },
  },
  {
    name: 'redis-flush',
    modes: REDIS,
    parts: ['redis'],
    seconds: 8,
    async run(system, _random, seconds) {
      for (let round = 0; round * 2 < seconds; round += 1) {
        await flushRedis(system);
        await pause(2);
      }
    },
  },
  {
    name: 'redis-full',
    modes: REDIS,
    parts: ['redis'],
    seconds: 8,
    async run(system, _random, seconds) {
      await withRedis(system, redis => redis.config('SET', 'maxmemory-policy', 'noeviction'));
      await withRedis(system, redis => redis.config('SET', 'maxmemory', '1500kb'));
      await pause(seconds);
      await withRedis(system, redis => redis.config('SET', 'maxmemory', '0'));
    },
  },
  {
    name: 'redis-evict',
    modes: REDIS,
    parts: ['redis'],
    seconds: 8,
    async run(system, _random, seconds) {
      await withRedis(system, redis => redis.config('SET', 'maxmemory-policy', 'allkeys-random'));
      await withRedis(system, redis => redis.config('SET', 'maxmemory', '1200kb'));
      await pause(seconds);
      await withRedis(system, redis => redis.config('SET', 'maxmemory', '0'));
      await withRedis(system, redis => redis.config('SET', 'maxmemory-policy', 'noeviction'));
    },
  },
  {
    // Accepts connections and commands, but answers none.
    name: 'redis-hang',
    modes: REDIS,
    parts: ['redis'],
    seconds: 15,
    async run(system, _random, seconds) {
      system.redis?.signal('SIGSTOP');
      await pause(seconds);
      system.redis?.signal('SIGCONT');
    },
  },
];
