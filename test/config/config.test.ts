// The environment: what is taken, and the sentence that ends a process over what is not.
import { expect } from 'chai';
import { ConfigError, loadConfig } from '../../config/index.js';
import { runScript } from '../support/processes.js';

describe('the environment', () => {
  it('has the documented defaults, and an empty variable counts as absent', () => {
    const config = loadConfig({ PORT: '', TRUST_PROXY: '', REDIS_URL: '' });
    expect(config).to.include({
      port: 3000,
      rateLimitPerHour: 1000,
      dataDir: '.data',
      logLevel: 'info',
      trustProxy: 0,
    });
    expect([config.redisUrl, config.databaseUrl, config.metricsToken, config.host]).to.deep.equal(
      Array.from({ length: 4 }),
    );
    expect(Object.isFrozen(config)).to.equal(true);
  });

  it('takes what it documents', () => {
    const config = loadConfig({
      PORT: '0',
      HOST: '::1',
      DATABASE_URL: 'postgres://u:p@h:5432/d?sslmode=require',
      REDIS_URL: 'rediss://:p@h:6379/1',
      PUBLIC_URL: 'https://api.example.com/',
      TRUST_PROXY: '2',
      METRICS_TOKEN: 't',
      NODE_ENV: 'production',
      SESSION_SECRET: 's'.repeat(32),
    });
    expect(config).to.include({
      port: 0,
      host: '::1',
      trustProxy: 2,
      production: true,
      publicUrl: 'https://api.example.com',
    });
    expect(loadConfig({ TRUST_PROXY: 'off' }).trustProxy).to.equal(0);
  });

  const bad: [name: string, ...values: string[]][] = [
    ['PORT', '-1', '65536', '3.5', 'http', '0x50'],
    ['HOST', 'not a host'],
    ['DATABASE_URL', 'mysql://h/d', 'h:5432', 'postgres://'],
    ['DATABASE_REPLICA_URL', 'h'],
    ['DATABASE_DIRECT_URL', 'h', 'postgres://only/this'],
    ['QUEUE_SHARDS', '0', '65'],
    ['REDIS_URL', 'http://h', 'h:6379'],
    ['PUBLIC_URL', 'example.com', 'ftp://example.com'],
    ['RATE_LIMIT_PER_HOUR', '0', '-5', '1.5', 'many'],
    ['WORKER_CONCURRENCY', '0', 'x'],
    ['BATCH_MAX', '0', '1e9'],
    ['DATABASE_POOL_MAX', '1', '1000'],
    ['LOG_LEVEL', 'loud'],
    ['TRUST_PROXY', '-1', 'yes', '1.5'],
    ['METRICS_TOKEN', 'a b', 'ü'],
    ['SESSION_SECRET', 'short'],
    ['NODE_ENV', 'staging'],
    ['FAIL_POINT', 'kill', 'kill:nowhere:1', 'stop:committed:0'],
  ];
  for (const [name, ...values] of bad) {
    it(`refuses ${name} where it is not as documented, in one sentence that names it and keeps its value to itself`, () => {
      for (const value of values) {
        expect(() => loadConfig({ [name]: value }), value)
          .to.throw(ConfigError)
          .with.property('message')
          .that.matches(new RegExp(`^Bad configuration: ${name} [^\\n]+\\.$`, 'u'));
      }
    });
  }

  it('may tell a process to fail at a step, but never in production', () => {
    expect(loadConfig({ FAIL_POINT: 'kill:committed:3' }).failPoint).to.equal('kill:committed:3');
    expect(() =>
      loadConfig({
        NODE_ENV: 'production',
        SESSION_SECRET: 's'.repeat(32),
        FAIL_POINT: 'kill:committed:3',
      }),
    ).to.throw(ConfigError, /FAIL_POINT is for tests and must not be set in production/u);
  });

  it('must have a SESSION_SECRET in production', () => {
    expect(() => loadConfig({ NODE_ENV: 'production' })).to.throw(
      ConfigError,
      /SESSION_SECRET is required in production/u,
    );
  });

  it('ends a process with that sentence and exit 1', () => {
    for (const script of ['src/start.js', 'workers/main.js']) {
      const { code, stdout, stderr } = runScript(script, [], {
        PORT: 'http',
        DATABASE_URL: 'h:1:secret',
      });
      expect([code, stdout], script).to.deep.equal([1, '']);
      expect(stderr)
        .to.match(/^Bad configuration: PORT [^\n]+; DATABASE_URL [^\n]+\.\n$/u)
        .and.not.to.contain('secret');
    }
  });
});
