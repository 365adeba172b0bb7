// A real redis-server for tests, without persistence.
import { spawn, spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { collectOutput, freePort, until } from './processes.js';

export const REDIS_MISSING =
  'redis-server is not installed: apt-get install redis-server, or brew install redis';

export interface RedisServer {
  readonly url: string;
  readonly pid: number;
  readonly port: number;
  signal(signal: NodeJS.Signals): void;
  stop(signal?: NodeJS.Signals): Promise<void>;
}

export function hasRedisServer(): boolean {
  return spawnSync('redis-server', ['--version']).status === 0;
}

const STARTS = 3;

/**
 * Starts redis-server and waits until it is ready. `settings` are further command-line options.
 * Another process may take a free port first, so it is tried again with other ports.
 */
export async function startRedis(
  port?: number,
  settings: readonly string[] | (() => Promise<readonly string[]>) = [],
): Promise<RedisServer> {
  for (let start = 1; ; start += 1) {
    try {
      const further = typeof settings === 'function' ? await settings() : settings;
      return await launchRedis(port ?? (await freePort()), further);
    } catch (error) {
      if (port !== undefined || start === STARTS) throw error;
    }
  }
}

async function launchRedis(chosenPort: number, settings: readonly string[]): Promise<RedisServer> {
  const options = { port: String(chosenPort), bind: '127.0.0.1', save: '', dir: tmpdir() };
  const args = Object.entries(options).flatMap(([name, value]) => [`--${name}`, value]);
  const child = spawn('redis-server', [...args, '--appendonly', 'no', ...settings], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = collectOutput('redis-server', child);
  const ended = new Promise<void>(resolve => child.once('exit', () => resolve()));
  await until(
    () => `redis-server is ready:\n${output()}`,
    async () => {
      if (child.exitCode !== null) throw new Error(`redis-server ended:\n${output()}`);
      return output().includes('Ready to accept connections');
    },
  );
  return {
    url: `redis://127.0.0.1:${chosenPort}`,
    pid: child.pid ?? 0,
    port: chosenPort,
    signal: signal => child.kill(signal),
    stop: async (signal = 'SIGTERM') => {
      child.kill(signal);
      await ended;
    },
  };
}
