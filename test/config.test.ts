// The environment: what is accepted, what a bad value is told, and that secrets are never repeated.
import { expect } from 'chai';
import { ConfigError, loadConfig } from '../config/index.js';
import { parseRedisUrl } from '../src/platform/queue/redis.js';
import { runScript } from './support/processes.js';

const refusal = (environment: Record<string, string>): string => {
  try {
    loadConfig(environment);
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  return 'accepted';
};

describe('the environment', () => {
  it('has defaults for everything, and an empty variable counts as absent', () => {
    const defaults = {
      production: false,
      port: 3000,
      host: undefined,
      databaseUrl: undefined,
      databaseDirectUrl: undefined,
      databaseReplicaUrl: undefined,
      databasePoolMax: 10,
      redisUrl: undefined,
      queueShards: 1,
      dataDir: '.data',
      publicUrl: undefined,
      rateLimitPerHour: 1000,
      workerConcurrency: 50,
      batchMax: 100,
      logLevel: 'info',
      trustProxy: 0,
      metricsToken: undefined,
      sessionSecret: undefined,
      failPoint: undefined,
    };
    expect(loadConfig({})).to.deep.equal(defaults);
    expect(loadConfig({ PORT: '', REDIS_URL: '', SESSION_SECRET: '' })).to.deep.equal(defaults);
    expect(loadConfig({})).to.be.frozen;
  });

  it('accepts every form that the contract names', () => {
    const accepted: Record<string, string[]> = {
      PORT: ['0', '65535'],
      HOST: ['127.0.0.1', '0.0.0.0', '::1', 'web-1.internal'],
      DATABASE_URL: [
        'postgres://user:p%40ss@db:5432/name?sslmode=require',
        'postgresql:///name?host=/var/run',
      ],
      DATABASE_REPLICA_URL: ['postgres://replica/name'],
      REDIS_URL: [
        'redis://localhost',
        'rediss://user:secret@cache:6380/2',
        'redis+sentinel://:secret@a:26379,b,c/main',
        'redis+cluster://a,b:7001,c',
      ],
      PUBLIC_URL: ['https://api.example.com'],
      QUEUE_SHARDS: ['1', '64'],
      TRUST_PROXY: ['off', '2'],
      LOG_LEVEL: ['warn'],
      NODE_ENV: ['development', 'test'],
    };
    for (const [name, values] of Object.entries(accepted)) {
      for (const value of values)
        expect(refusal({ [name]: value }), `${name}=${value}`).to.equal('accepted');
    }
  });

  it('refuses a bad value in one sentence that names the variable and what is accepted', () => {
    const refused: [name: string, values: string[], accepted: string][] = [
      ['PORT', ['web', '-1', '65536', '80.5'], 'must be a whole number from 0 to 65535'],
      ['HOST', ['not a host'], 'must be a host name or an IP address'],
      [
        'DATABASE_URL',
        ['mysql://db', 'db:5432', 'postgres://'],
        'starts with postgres:// or postgresql://',
      ],
      ['DATABASE_REPLICA_URL', ['replica'], 'starts with postgres:// or postgresql://'],
      [
        'REDIS_URL',
        ['http://cache', 'redis://a,b', 'redis+sentinel://a,b'],
        'starts with redis:// or redis+sentinel://',
      ],
      ['PUBLIC_URL', ['api.example.com'], 'starts with http:// or https://'],
      ['RATE_LIMIT_PER_HOUR', ['0', 'many'], 'must be a whole number from 1 to 100000000'],
      ['DATABASE_POOL_MAX', ['1'], 'must be a whole number from 2 to 100'],
      ['WORKER_CONCURRENCY', ['0'], 'must be a whole number from 1 to 1000'],
      ['BATCH_MAX', ['1e9'], 'must be a whole number from 1 to 1000'],
      ['TRUST_PROXY', ['on', '-1'], 'must be a whole number from 0 to 10'],
      ['LOG_LEVEL', ['loud'], 'must be one of trace, debug, info'],
      ['NODE_ENV', ['staging'], 'must be one of production, development, test'],
      ['METRICS_TOKEN', ['two words'], 'must be visible ASCII characters'],
      ['SESSION_SECRET', ['short'], 'must have at least 16 characters'],
    ];
    for (const [name, values, accepted] of refused) {
      for (const value of values) {
        const message = refusal({ [name]: value });
        expect(message, `${name}=${value}`).to.match(
          new RegExp(`^Bad configuration: ${name} [^.]*\\.$`, 'u'),
        );
        expect(message, `${name}=${value}`).to.include(accepted);
      }
    }
  });

  it('demands a session secret in production', () => {
    expect(refusal({ NODE_ENV: 'production' })).to.match(
      /^Bad configuration: SESSION_SECRET is required in production/u,
    );
    expect(refusal({ NODE_ENV: 'production', SESSION_SECRET: 'x'.repeat(32) })).to.equal(
      'accepted',
    );
  });

  it('ends every process with exit 1 and that sentence, and repeats no secret', () => {
    const environment = {
      DATABASE_URL: 'mysql://root:hunter2@db',
      REDIS_URL: 'memcached://:hunter2@cache',
      SESSION_SECRET: 'hunter2',
      METRICS_TOKEN: 'hunter2 again',
      PORT: 'web',
    };
    for (const script of ['src/server.js', 'src/start.js', 'src/commands/migrate.js']) {
      const { code, stdout, stderr } = runScript(script, [], environment);
      expect(code, script).to.equal(1);
      expect(stdout, script).to.equal('');
      expect(stderr, script).to.match(/^Bad configuration: [^\n]*\.\n$/u);
      for (const name of Object.keys(environment)) expect(stderr).to.include(`${name} must`);
      expect(stderr).not.to.include('hunter2');
    }
  });
});

describe('a REDIS_URL', () => {
  it('names one server', () => {
    expect(parseRedisUrl('rediss://me:p%40%3Ass@cache:6380/2')).to.deep.equal({
      kind: 'single',
      nodes: [{ host: 'cache', port: 6380 }],
      options: { username: 'me', password: 'p@:ss', db: 2, tls: {} },
    });
    expect(parseRedisUrl('redis://[::1]')).to.deep.equal({
      kind: 'single',
      nodes: [{ host: '::1', port: 6379 }],
      options: {},
    });
  });

  it('or the Sentinels that know the master', () => {
    expect(parseRedisUrl('redis+sentinel://:secret@a:26380,b/main/1')).to.deep.equal({
      kind: 'sentinel',
      name: 'main',
      nodes: [
        { host: 'a', port: 26_380 },
        { host: 'b', port: 26_379 },
      ],
      options: { password: 'secret', db: 1 },
    });
  });

  it('or nodes of a Cluster', () => {
    expect(parseRedisUrl('redis+cluster://a,b:7001,c')).to.deep.equal({
      kind: 'cluster',
      nodes: [
        { host: 'a', port: 6379 },
        { host: 'b', port: 7001 },
        { host: 'c', port: 6379 },
      ],
      options: {},
    });
  });
});
