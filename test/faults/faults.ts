// The faults by name. Each is done for about so many seconds and undone before it returns: healing is part of it.
import { spawnSync } from 'node:child_process';
import { Redis } from 'ioredis';
import pg from 'pg';
import { startRedis, until } from '../support/processes.js';
import type { Mode } from '../support/suite.js';
import type { Random } from './random.js';
import type { Stage, Type } from './stage.js';

export interface Fault {
  readonly name: string;
  readonly modes: readonly Mode[];
  run(stage: Stage, random: Random, seconds: number): Promise<void>;
}

const BOTH: readonly Mode[] = ['postgres', 'redis'];
const REDIS: readonly Mode[] = ['redis'];

const pause = (seconds: number) => new Promise<void>(resolve => setTimeout(resolve, seconds * 1000));

function kill(type: Type): Fault {
  return {
    name: `kill-${type}`,
    modes: BOTH,
    async run(stage, random, seconds) {
      const end = Date.now() + seconds * 1000;
      while (Date.now() < end) {
        await stage.restart(random.pick(stage.names(type)), 'SIGKILL');
        await pause(0.5 + random.next() * 2);
      }
      await stage.allReady();
    },
  };
}

/** A process that hangs and comes back: what it had in hand was done by others, and its own late commit must lose. */
function freeze(type: Type): Fault {
  return {
    name: `stop-${type}`,
    modes: BOTH,
    async run(stage, random, seconds) {
      await stage.freeze(random.pick(stage.names(type)), seconds);
      await stage.allReady();
    },
  };
}

const rollingRestart: Fault = {
  name: 'rolling-restart',
  modes: BOTH,
  async run(stage) {
    for (const name of (['web', 'worker', 'scheduler'] as const).flatMap(type => stage.names(type))) {
      await stage.restart(name, 'SIGTERM');
      await stage.allReady();
    }
  },
};

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

const redisFaults: readonly Fault[] = [
  {
    name: 'redis-kill',
    modes: REDIS,
    async run(stage, _random, seconds) {
      await stage.redis?.stop('SIGKILL');
      await pause(seconds / 4);
      await bringRedisBack(stage);
    },
  },
  {
    name: 'redis-stop',
    modes: REDIS,
    async run(stage, _random, seconds) {
      await stage.redis?.stop('SIGTERM');
      await pause(seconds);
      await bringRedisBack(stage);
    },
  },
  {
    name: 'redis-down-at-boot',
    modes: REDIS,
    async run(stage, _random, seconds) {
      await stage.redis?.stop('SIGKILL');
      for (const type of ['web', 'worker', 'scheduler'] as const)
        await Promise.all(stage.names(type).map(name => stage.restart(name, 'SIGKILL')));
      await stage.allReady();
      await pause(seconds / 2);
      await bringRedisBack(stage);
    },
  },
  {
    name: 'redis-flush',
    modes: REDIS,
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
    async run(stage, _random, seconds) {
      await withRedis(stage, redis => redis.config('SET', 'maxmemory-policy', 'allkeys-random'));
      await withRedis(stage, redis => redis.config('SET', 'maxmemory', '1200kb'));
      await pause(seconds);
      await withRedis(stage, redis => redis.config('SET', 'maxmemory', '0'));
      await withRedis(stage, redis => redis.config('SET', 'maxmemory-policy', 'noeviction'));
    },
  },
];

const postgresFaults: readonly Fault[] = [
  {
    name: 'postgres-restart',
    modes: BOTH,
    async run(stage) {
      await stage.stopPostgres('SIGQUIT');
      await stage.startPostgres();
    },
  },
  {
    name: 'postgres-kill',
    modes: BOTH,
    async run(stage) {
      await stage.stopPostgres('SIGKILL');
      await stage.startPostgres();
    },
  },
  {
    name: 'postgres-stop',
    modes: BOTH,
    async run(stage, _random, seconds) {
      await stage.stopPostgres('SIGINT');
      await pause(seconds);
      await stage.startPostgres();
    },
  },
  {
    name: 'postgres-down-at-boot',
    modes: BOTH,
    async run(stage, _random, seconds) {
      await stage.stopPostgres('SIGINT');
      for (const type of ['web', 'worker', 'scheduler'] as const)
        await Promise.all(stage.names(type).map(name => stage.restart(name, 'SIGKILL')));
      await pause(seconds);
      await stage.startPostgres();
      await stage.allReady();
    },
  },
  {
    name: 'postgres-terminate',
    modes: BOTH,
    async run(stage, _random, seconds) {
      for (let round = 0; round < seconds; round += 1) {
        await stage.query(
          `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
           WHERE pid <> pg_backend_pid() AND datname = current_database() AND backend_type = 'client backend' AND random() < 0.4`,
        );
        await pause(1);
      }
    },
  },
  {
    name: 'postgres-exhausted',
    modes: BOTH,
    async run(stage, _random, seconds) {
      const hogs: pg.Client[] = [];
      for (let count = 0; count < 120; count += 1) {
        const hog = new pg.Client({ connectionString: stage.databaseUrl });
        hog.on('error', () => undefined);
        const connected = await hog.connect().then(
          () => true,
          () => false,
        );
        if (!connected) break;
        hogs.push(hog);
      }
      await pause(seconds);
      await Promise.all(hogs.map(hog => hog.end()));
    },
  },
];

/** A process whose clock is ten minutes off. */
const clock: Fault = {
  name: 'clock',
  modes: BOTH,
  async run(stage, random, seconds) {
    const name = random.pick([...stage.names('web'), ...stage.names('worker')]);
    const shift = random.pick(['-600000', '600000']);
    await stage.restart(name, 'SIGTERM', {
      NODE_OPTIONS: `--import ${new URL('./clock.js', import.meta.url).href}`,
      TRADEPOST_CLOCK_SHIFT_MS: shift,
    });
    await stage.allReady();
    await pause(seconds);
    await stage.restart(name, 'SIGTERM');
    await stage.allReady();
  },
};

/** A submission that no handler can post: it must end as failed, alone. */
const poison: Fault = {
  name: 'poison',
  modes: BOTH,
  async run(stage, _random, seconds) {
    await stage.query(
      `INSERT INTO jobs (company_id, id, type, status, fingerprint, submission_id, request_id, payload, run_at)
       SELECT id, gen_random_uuid(), 'invoice.create', 'queued', sha256(id::text::bytea), gen_random_uuid(), 'poison', '{"items": null}', now()
       FROM companies`,
    );
    await pause(seconds);
    await until(
      'the poison jobs have failed',
      async () => {
        await stage.query(`UPDATE jobs SET run_at = now() WHERE request_id = 'poison' AND status = 'queued'`);
        return (
          (await stage.query(`SELECT 1 FROM jobs WHERE request_id = 'poison' AND status <> 'failed'`)).length === 0
        );
      },
      20_000,
    );
  },
};

export const FAULTS: readonly Fault[] = [
  kill('web'),
  kill('worker'),
  kill('scheduler'),
  freeze('web'),
  freeze('worker'),
  freeze('scheduler'),
  rollingRestart,
  ...redisFaults,
  ...postgresFaults,
  clock,
  poison,
];

/** True where redis-server is there to be faulted. */
export function canRun(mode: Mode): boolean {
  return mode === 'postgres' || spawnSync('redis-server', ['--version']).status === 0;
}
