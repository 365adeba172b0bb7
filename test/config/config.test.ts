// The environment: accepted values, the sentence for bad ones, and that secrets are never repeated.
import { expect } from 'chai';
import { ConfigError, loadConfig } from '../../config/index.js';
import { runScript } from '../support/processes.js';

const SECRET = 's'.repeat(32);
const KEY = Buffer.alloc(32, 7).toString('base64');

/** The sentence that refuses the environment, or 'accepted'. */
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
      nodeEnv: undefined,
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
      mail: {
        url: undefined,
        from: 'tradepost@localhost',
        retrySeconds: [60, 300, 1_800, 7_200, 21_600, 43_200, 86_400],
      },
      webhooks: {
        encryptionKeys: undefined,
        generatesKey: false,
        allow: [],
        nameServers: undefined,
        concurrency: 64,
      },
      failPoint: undefined,
    };
    const empty = { PORT: '', REDIS_URL: '', SESSION_SECRET: '', TRUST_PROXY: '' };
    expect(loadConfig({})).to.deep.equal(defaults);
    expect(loadConfig(empty)).to.deep.equal(defaults);
    expect(loadConfig({})).to.be.frozen;
  });

  it('accepts every documented form', () => {
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
        'redis+sentinel://a,b/main/1?sentinelPassword=p%40ss',
        'redis+cluster://a,b:7001,c',
      ],
      PUBLIC_URL: ['https://api.example.com', 'https://example.com/books/'],
      QUEUE_SHARDS: ['1', '64'],
      TRUST_PROXY: ['off', '2'],
      METRICS_TOKEN: ['t'],
      LOG_LEVEL: ['warn'],
      MAIL_URL: ['log:'],
      MAIL_FROM: ['invoices@example.com', 'a.b+c@mail'],
      MAIL_RETRY_SECONDS: ['1', '60, 300'],
      ENCRYPTION_KEY: [KEY, `${KEY},${KEY}`],
      WEBHOOK_ALLOW: ['127.0.0.0/8', '10.0.0.0/8, fd00::/8'],
      WEBHOOK_DNS: ['10.0.0.2:53', '10.0.0.2:53,[fd00::2]:5353'],
      WEBHOOK_CONCURRENCY: ['0', '64'],
      NODE_ENV: ['development', 'test'],
      FAIL_POINT: ['thrice', 'kill:committed:3', 'stop:persisted:1'],
    };
    for (const [name, values] of Object.entries(accepted)) {
      for (const value of values)
        expect(refusal({ NODE_ENV: 'test', [name]: value }), `${name}=${value}`).to.equal(
          'accepted',
        );
    }
  });

  it('becomes the configuration', () => {
    const config = loadConfig({
      PORT: '0',
      HOST: '::1',
      PUBLIC_URL: 'https://api.example.com/',
      TRUST_PROXY: '2',
      NODE_ENV: 'production',
      SESSION_SECRET: SECRET,
    });
    expect(config).to.include({
      port: 0,
      host: '::1',
      trustProxy: 2,
      nodeEnv: 'production',
      publicUrl: 'https://api.example.com',
    });
    expect(loadConfig({ TRUST_PROXY: 'off' }).trustProxy).to.equal(0);
    for (const nodeEnv of ['development', 'test'])
      expect(loadConfig({ NODE_ENV: nodeEnv, FAIL_POINT: 'thrice' })).to.include({
        nodeEnv,
        failPoint: 'thrice',
      });
  });

  const refused: [name: string, values: string[], rule: string][] = [
    ['PORT', ['web', '-1', '65536', '80.5', '0x50'], 'must be a whole number from 0 to 65535'],
    ['HOST', ['not a host'], 'must be a host name or an IP address'],
    ['DATABASE_URL', ['mysql://db', 'db:5432'], 'starts with postgres:// or postgresql://'],
    ['DATABASE_REPLICA_URL', ['replica'], 'starts with postgres:// or postgresql://'],
    ['DATABASE_DIRECT_URL', ['db'], 'starts with postgres:// or postgresql://'],
    ['DATABASE_DIRECT_URL', ['postgres://only/this'], 'requires DATABASE_URL'],
    [
      'REDIS_URL',
      ['http://cache', 'cache:6379', 'redis:/cache'],
      'starts with redis:// or redis+sentinel://',
    ],
    ['REDIS_URL', ['redis://', 'redis+cluster://'], 'must have a host after redis'],
    ['REDIS_URL', ['redis+cluster://:secret@'], 'must have a host after redis+cluster://'],
    ['REDIS_URL', ['redis://a,b'], 'must have one host, or start with redis+sentinel://'],
    [
      'REDIS_URL',
      ['redis+sentinel://a,b', 'redis+sentinel://a/', 'redis+sentinel://a/main/x'],
      'must end with the name of the master, as in redis+sentinel://host,host/master',
    ],
    [
      'REDIS_URL',
      ['redis+sentinel://a/main?db=1', 'redis+sentinel://a/main?sentinelPassword=p&db=1'],
      'may have only the parameter sentinelPassword',
    ],
    ['REDIS_URL', ['redis+cluster://a,b/0'], 'must have nothing after the hosts'],
    ['REDIS_URL', ['redis://a b', 'redis://:secret@a:x'], 'must be a valid URL without spaces'],
    ['DATABASE_URL', ['postgres://'], 'must have a host after postgres://'],
    ['QUEUE_SHARDS', ['0', '65'], 'must be a whole number from 1 to 64'],
    ['PUBLIC_URL', ['example.com', 'ftp://example.com'], 'starts with http:// or https://'],
    ['PUBLIC_URL', ['https://a.example/?b', 'https://a.example/#b'], 'must have no query'],
    [
      'RATE_LIMIT_PER_HOUR',
      ['0', '-5', '1.5', 'many'],
      'must be a whole number from 1 to 100000000',
    ],
    ['DATABASE_POOL_MAX', ['1', '1000'], 'must be a whole number from 2 to 100'],
    ['WORKER_CONCURRENCY', ['0', 'x'], 'must be a whole number from 1 to 1000'],
    ['BATCH_MAX', ['0', '1e9'], 'must be a whole number from 1 to 1000'],
    ['TRUST_PROXY', ['on', '-1', '1.5'], 'must be off or a whole number from 0 to 10'],
    ['LOG_LEVEL', ['loud'], 'must be one of trace, debug, info'],
    ['NODE_ENV', ['staging'], 'must be one of production, development, test'],
    ['METRICS_TOKEN', ['two words', 'ü'], 'must be visible ASCII characters'],
    ['SESSION_SECRET', ['short'], 'must have at least 16 characters'],
    [
      'MAIL_URL',
      ['http://mail', 'smtp://', 'mail:25', 'smtp://user@mail', 'smtp://mail/path', 'log'],
      'must be smtp://[user:password@]host[:port], smtps://… or log:',
    ],
    ['MAIL_URL', ['smtp://a:%zz@mail'], 'must be smtp://'],
    ['MAIL_FROM', ['Shop <a@b>', 'a@b, c@d', 'a'], 'must be one e-mail address without a name'],
    [
      'MAIL_RETRY_SECONDS',
      ['0', 'x', '60,', '1.5', '604801', Array(21).fill('1').join()],
      'must be 1 to 20 whole numbers from 1 to 604800, separated by commas',
    ],
    [
      'ENCRYPTION_KEY',
      ['secret', KEY.slice(1), `${KEY},`, Array(5).fill(KEY).join()],
      'must be 1 to 4 keys of 32 bytes in base64, separated by commas',
    ],
    [
      'WEBHOOK_ALLOW',
      ['10.0.0.0', 'localhost', '10.0.0.0/33', '10.0.0.0/8,'],
      'must be 1 to 64 ranges in CIDR notation, such as fd00::/8, separated by commas',
    ],
    [
      'WEBHOOK_DNS',
      ['dns:53', '10.0.0.2', 'fd00::2:53', '10.0.0.2:0', '10.2:53'],
      'must be 1 to 64 name servers in the form address:port, separated by commas',
    ],
    ['WEBHOOK_CONCURRENCY', ['-1', '1001', 'x'], 'must be a whole number from 0 to 1000'],
    [
      'FAIL_POINT',
      ['kill', 'kill:nowhere:1', 'stop:committed:0'],
      'must be thrice, kill:STEP:COUNT or stop:STEP:COUNT',
    ],
  ];
  for (const [name, values, rule] of refused) {
    it(`refuses a bad ${name} (${values[0]}) in one sentence that names it and its rule`, () => {
      for (const value of values) {
        const message = refusal({ NODE_ENV: 'test', [name]: value });
        const sentence = new RegExp(`^Bad configuration: ${name} [^.\\n]*\\.$`, 'u');
        expect(message, `${name}=${value}`).to.match(sentence);
        expect(message, `${name}=${value}`).to.include(rule);
      }
    });
  }

  it('must have a MAIL_FROM with a mail server, and has none by default in production', () => {
    const production = { NODE_ENV: 'production', SESSION_SECRET: SECRET };
    const server = { MAIL_URL: 'smtps://shop:s%40cret@mail.example.com:465' };
    expect(refusal({ ...production, ...server })).to.equal(
      'Bad configuration: MAIL_FROM is required with a mail server in MAIL_URL.',
    );
    const MAIL_FROM = 'invoices@example.com';
    const { mail } = loadConfig({ ...production, ...server, MAIL_FROM });
    expect(mail).to.include({ url: server.MAIL_URL, from: MAIL_FROM });
    expect(loadConfig(production).mail.url).to.equal(undefined);
    expect(loadConfig({}).mail.url).to.equal(undefined);
    expect(loadConfig({ NODE_ENV: 'development' }).mail.url).to.equal('log:');
  });

  it('must have a SESSION_SECRET in production, and FAIL_POINT only in development by name', () => {
    expect(refusal({ NODE_ENV: 'production' })).to.match(
      /^Bad configuration: SESSION_SECRET is required in production/u,
    );
    const production = { NODE_ENV: 'production', SESSION_SECRET: SECRET };
    expect(refusal(production)).to.equal('accepted');
    for (const environment of [production, {}])
      expect(refusal({ ...environment, FAIL_POINT: 'kill:committed:3' })).to.match(
        /FAIL_POINT is for tests and requires NODE_ENV=development or NODE_ENV=test/u,
      );
  });

  it('ends every process with one sentence and exit 1, and repeats no secret', () => {
    const environment = {
      DATABASE_URL: 'mysql://root:hunter2@db',
      REDIS_URL: 'memcached://:hunter2@cache',
      SESSION_SECRET: 'hunter2',
      METRICS_TOKEN: 'hunter2 again',
      PORT: 'web',
    };
    for (const script of [
      'src/server.js',
      'src/start/main.js',
      'src/commands/migrate.js',
      'workers/main.js',
    ]) {
      const { code, stdout, stderr } = runScript(script, [], environment);
      expect([code, stdout], script).to.deep.equal([1, '']);
      expect(stderr, script).to.match(/^Bad configuration: [^\n]*\.\n$/u);
      for (const name of Object.keys(environment)) expect(stderr).to.include(`${name} must`);
      expect(stderr, script).not.to.include('hunter2');
    }
  });
});
