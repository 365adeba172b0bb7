// The environment, validated once into one frozen Config. The only reader of process.env: every other file gets what it
// needs handed to it, so a test can start two differently configured processes side by side.
import Joi from 'joi';
import { FAIL_POINT_FORM } from './fail-points.js';

export interface Config {
  readonly production: boolean;
  readonly port: number;
  /** Undefined where not given: `npm start` then listens on 127.0.0.1, the Procfile's web on 0.0.0.0. */
  readonly host: string | undefined;
  /** May be a pooler's, in transaction mode. */
  readonly databaseUrl: string | undefined;
  /** Postgres itself, for what needs a session of its own: migrations, LISTEN, snapshots, the queue's backend. */
  readonly databaseDirectUrl: string | undefined;
  /** A streaming replica for reads. */
  readonly databaseReplicaUrl: string | undefined;
  readonly databasePoolMax: number;
  readonly redisUrl: string | undefined;
  /** Into how many the queues of writes are split in Redis, by company. */
  readonly queueShards: number;
  readonly dataDir: string;
  readonly publicUrl: string | undefined;
  readonly rateLimitPerHour: number;
  readonly workerConcurrency: number;
  readonly batchMax: number;
  readonly logLevel: string;
  /** Number of reverse proxies in front whose X-Forwarded-For entries are believed; 0 believes none. */
  readonly trustProxy: number;
  readonly metricsToken: string | undefined;
  readonly sessionSecret: string | undefined;
  /** What the fault harness tells a process to do to itself; never in production. */
  readonly failPoint: string | undefined;
}

/** A value that the environment may not have. The message names the variable, what is wrong and what is accepted. */
export class ConfigError extends Error {}

/** A URL of one of the schemes. Its value is never repeated: it may carry a password. */
const url = (schemes: readonly string[], form = /^[^:]+:\/\/\S+$/u) => {
  const forms = schemes.map(scheme => `${scheme}://`);
  const accepted = `must be a URL that starts with ${forms.join(' or ')}`;
  return Joi.string()
    .custom((value: string, helpers) => {
      const known = forms.some(start => value.startsWith(start)) && form.test(value);
      return known && (value.includes(',') || URL.canParse(value))
        ? value
        : helpers.error('any.invalid');
    })
    .messages({ 'any.invalid': `{#label} ${accepted}` });
};
// redis[s]://[user:password@]host[:port][/db], redis[s]+sentinel://[…]host[:port],…/master[/db], redis[s]+cluster://[…]host[:port],…
const REDIS_SCHEMES = ['redis', 'rediss'].flatMap(scheme => [
  scheme,
  `${scheme}+sentinel`,
  `${scheme}+cluster`,
]);
const REDIS_FORM =
  /^rediss?(:\/\/[^\s,]+|\+sentinel:\/\/[^\s/]+\/[^\s/]+(\/\d+)?|\+cluster:\/\/[^\s/]+)$/u;

const number = (min: number, max: number) => {
  const accepted = `must be a whole number from ${min} to ${max}`;
  return Joi.number()
    .integer()
    .min(min)
    .max(max)
    .messages(
      Object.fromEntries(
        ['base', 'integer', 'min', 'max', 'unsafe', 'infinity'].map(key => [
          `number.${key}`,
          `{#label} ${accepted}`,
        ]),
      ),
    );
};
const oneOf = (...values: string[]) =>
  Joi.string()
    .valid(...values)
    .messages({ 'any.only': `{#label} must be one of ${values.join(', ')}` });
const secret = (min: number) =>
  Joi.string()
    .min(min)
    .messages({ 'string.min': `{#label} must have at least ${min} characters` });

// Every default is also the README's configuration table.
const environment = Joi.object({
  NODE_ENV: oneOf('production', 'development', 'test').default('development'),
  PORT: number(0, 65_535).default(3000),
  HOST: Joi.string()
    .hostname()
    .messages({ 'string.hostname': '{#label} must be a host name or an IP address' }),
  DATABASE_URL: url(['postgres', 'postgresql']),
  DATABASE_DIRECT_URL: url(['postgres', 'postgresql']),
  DATABASE_REPLICA_URL: url(['postgres', 'postgresql']),
  DATABASE_POOL_MAX: number(2, 100).default(10),
  REDIS_URL: url(REDIS_SCHEMES, REDIS_FORM),
  QUEUE_SHARDS: number(1, 64).default(1),
  DATA_DIR: Joi.string().default('.data'),
  PUBLIC_URL: url(['http', 'https']).replace(/\/+$/u, ''),
  RATE_LIMIT_PER_HOUR: number(1, 100_000_000).default(1000),
  WORKER_CONCURRENCY: number(1, 1000).default(50),
  BATCH_MAX: number(1, 1000).default(100),
  LOG_LEVEL: oneOf('trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent').default('info'),
  TRUST_PROXY: number(0, 10).empty('off').default(0),
  METRICS_TOKEN: Joi.string()
    .pattern(/^[\x21-\x7e]+$/u)
    .messages({ 'string.pattern.base': '{#label} must be visible ASCII characters' }),
  SESSION_SECRET: secret(16)
    .when('NODE_ENV', { not: 'production', otherwise: Joi.required() })
    .messages({
      'any.required': '{#label} is required in production: set it to 32 or more random characters',
    }),
  FAIL_POINT: Joi.string()
    .pattern(FAIL_POINT_FORM)
    .when('NODE_ENV', { not: 'production', otherwise: Joi.forbidden() })
    .messages({
      'string.pattern.base': '{#label} must be thrice, kill:STEP:COUNT or stop:STEP:COUNT',
      'any.unknown': '{#label} is for tests and must not be set in production',
    }),
})
  // Beside the embedded database they would be another one.
  .with('DATABASE_DIRECT_URL', 'DATABASE_URL')
  .messages({ 'object.with': '{#mainWithLabel} needs {#peerWithLabel} to be set too' });

/**
 * Reads and checks the environment. An empty variable counts as absent.
 * Throws ConfigError with one sentence for every bad value, values that may be secret left out.
 */
export function loadConfig(source: NodeJS.ProcessEnv = process.env): Config {
  const known = Object.keys(environment.describe().keys as object);
  const given = Object.fromEntries(
    known.map(name => [name, source[name] === '' ? undefined : source[name]]),
  );
  const { error, value } = environment.validate(given, {
    abortEarly: false,
    errors: { wrap: { label: false } },
  });
  if (error)
    throw new ConfigError(
      `Bad configuration: ${error.details.map(detail => detail.message).join('; ')}.`,
    );
  return Object.freeze({
    production: value.NODE_ENV === 'production',
    port: value.PORT,
    host: value.HOST,
    databaseUrl: value.DATABASE_URL,
    databaseDirectUrl: value.DATABASE_DIRECT_URL ?? value.DATABASE_URL,
    databaseReplicaUrl: value.DATABASE_REPLICA_URL,
    databasePoolMax: value.DATABASE_POOL_MAX,
    redisUrl: value.REDIS_URL,
    queueShards: value.QUEUE_SHARDS,
    dataDir: value.DATA_DIR,
    publicUrl: value.PUBLIC_URL,
    rateLimitPerHour: value.RATE_LIMIT_PER_HOUR,
    workerConcurrency: value.WORKER_CONCURRENCY,
    batchMax: value.BATCH_MAX,
    logLevel: value.LOG_LEVEL,
    trustProxy: value.TRUST_PROXY,
    metricsToken: value.METRICS_TOKEN,
    sessionSecret: value.SESSION_SECRET,
    failPoint: value.FAIL_POINT,
  });
}

/** The configuration; bad values become one sentence on stderr and exit 1. */
export function configOrExit(): Config {
  try {
    return loadConfig();
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  }
}

/** The environment for a child process: this one's, with the given variables set over it. */
export function childEnvironment(overrides: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  return { ...process.env, ...overrides };
}

/** What a program needs to be found and loaded, and nothing that is ours. */
export function systemEnvironment(): NodeJS.ProcessEnv {
  const { PATH = '/usr/bin:/bin', LD_LIBRARY_PATH } = process.env;
  return { PATH, ...(LD_LIBRARY_PATH ? { LD_LIBRARY_PATH } : {}) };
}

/** True where npm started this process, which then ends when npm does. */
export function startedByNpm(): boolean {
  return process.env.npm_lifecycle_event !== undefined;
}
