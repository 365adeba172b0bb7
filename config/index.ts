// Validates the environment once into a frozen Config. Only this file reads process.env; all other
// code receives its settings as parameters, so it can run with several configurations side by side.
import Joi from 'joi';
import { FAIL_POINT_PATTERN } from './fail-points.js';
import { MAIL_VARIABLES, type MailConfig, mailConfig } from './mail-variables.js';
import { baseUrlFault, REDIS_SCHEMES, redisFault, url } from './url-rule.js';
import { WEBHOOK_VARIABLES, type WebhookConfig, webhookConfig } from './webhook-variables.js';

export interface Config {
  /** Absent: the rules of production apply, and each process warns. */
  readonly nodeEnv: 'production' | 'development' | 'test' | undefined;
  readonly port: number;
  /** Default: 127.0.0.1 with `npm start`, 0.0.0.0 with the Procfile's web. */
  readonly host: string | undefined;
  /** May name a pooler in transaction mode. */
  readonly databaseUrl: string | undefined;
  /** Postgres itself, for work that needs a session: migrations, LISTEN, snapshots, the queue. */
  readonly databaseDirectUrl: string | undefined;
  /** A streaming replica for reads. */
  readonly databaseReplicaUrl: string | undefined;
  readonly databasePoolMax: number;
  readonly redisUrl: string | undefined;
  /** Number of shards, by company, of each write queue in Redis. */
  readonly queueShards: number;
  readonly dataDir: string;
  readonly publicUrl: string | undefined;
  readonly rateLimitPerHour: number;
  readonly workerConcurrency: number;
  readonly batchMax: number;
  readonly logLevel: string;
  /** Number of reverse proxies whose X-Forwarded-For entries are trusted. */
  readonly trustProxy: number;
  readonly metricsToken: string | undefined;
  readonly sessionSecret: string | undefined;
  readonly mail: MailConfig;
  readonly webhooks: WebhookConfig;
  /** A fault that the process injects into itself; for development only. */
  readonly failPoint: string | undefined;
}

/** A bad environment. The message names each variable and the accepted values. */
export class ConfigError extends Error {}

const number = (min: number, max: number) =>
  Joi.number()
    .integer()
    .min(min)
    .max(max)
    .messages({ '*': `{#label} must be a whole number from ${min} to ${max}` });
const oneOf = (...values: string[]) =>
  Joi.string()
    .valid(...values)
    .messages({ 'any.only': `{#label} must be one of ${values.join(', ')}` });
const secret = (min: number) =>
  Joi.string()
    .min(min)
    .messages({ 'string.min': `{#label} must have at least ${min} characters` });

const DEVELOPMENT = ['development', 'test'];

// docs/operations.md lists these variables and their defaults.
const environment = Joi.object({
  NODE_ENV: oneOf('production', ...DEVELOPMENT),
  PORT: number(0, 65_535).default(3000),
  HOST: Joi.string()
    .hostname()
    .messages({ 'string.hostname': '{#label} must be a host name or an IP address' }),
  DATABASE_URL: url(['postgres', 'postgresql']),
  DATABASE_DIRECT_URL: url(['postgres', 'postgresql']),
  DATABASE_REPLICA_URL: url(['postgres', 'postgresql']),
  DATABASE_POOL_MAX: number(2, 100).default(10),
  REDIS_URL: url(REDIS_SCHEMES, redisFault),
  QUEUE_SHARDS: number(1, 64).default(1),
  DATA_DIR: Joi.string().default('.data'),
  PUBLIC_URL: url(['http', 'https'], baseUrlFault).replace(/\/+$/u, ''),
  RATE_LIMIT_PER_HOUR: number(1, 100_000_000).default(1000),
  WORKER_CONCURRENCY: number(1, 1000).default(50),
  BATCH_MAX: number(1, 1000).default(100),
  LOG_LEVEL: oneOf('trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent').default('info'),
  TRUST_PROXY: number(0, 10)
    .empty('off')
    .default(0)
    .messages({ '*': '{#label} must be off or a whole number from 0 to 10' }),
  METRICS_TOKEN: Joi.string()
    .pattern(/^[\x21-\x7e]+$/u)
    .messages({ 'string.pattern.base': '{#label} must be visible ASCII characters' }),
  SESSION_SECRET: secret(16)
    .when('NODE_ENV', { not: Joi.valid('production').required(), otherwise: Joi.required() })
    .messages({
      'any.required': '{#label} is required in production: set it to 32 or more random characters',
    }),
  ...MAIL_VARIABLES,
  ...WEBHOOK_VARIABLES,
  FAIL_POINT: Joi.string()
    .pattern(FAIL_POINT_PATTERN)
    .when('NODE_ENV', { is: Joi.valid(...DEVELOPMENT).required(), otherwise: Joi.forbidden() })
    .messages({
      'string.pattern.base': '{#label} must be thrice, kill:STEP:COUNT or stop:STEP:COUNT',
      'any.unknown': '{#label} is for tests and requires NODE_ENV=development or NODE_ENV=test',
    }),
})
  // The direct URL would otherwise point at a different database than the embedded one.
  .with('DATABASE_DIRECT_URL', 'DATABASE_URL')
  .messages({ 'object.with': '{#mainWithLabel} requires {#peerWithLabel} to be set as well' });

const VARIABLES = Object.keys(environment.describe().keys as object);

/**
 * Reads and validates the environment. An empty variable counts as absent.
 * Throws ConfigError with one sentence that covers all bad values and repeats no secret.
 */
export function loadConfig(source: NodeJS.ProcessEnv = process.env): Config {
  const variables = Object.fromEntries(
    VARIABLES.map(name => [name, source[name] === '' ? undefined : source[name]]),
  );
  const { error, value } = environment.validate(variables, {
    abortEarly: false,
    errors: { wrap: { label: false } },
  });
  if (error)
    throw new ConfigError(
      `Bad configuration: ${error.details.map(detail => detail.message).join('; ')}.`,
    );
  const isDevelopment = DEVELOPMENT.includes(value.NODE_ENV);
  return Object.freeze({
    nodeEnv: value.NODE_ENV,
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
    mail: Object.freeze(mailConfig(value, isDevelopment)),
    webhooks: Object.freeze(webhookConfig(value, isDevelopment)),
    failPoint: value.FAIL_POINT,
  });
}

/** The configuration. Bad values print one sentence on stderr and exit 1. */
export function configOrExit(): Config {
  try {
    return loadConfig();
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  }
}

/** The environment for a child process: this process's own, plus the overrides. */
export function childEnvironment(overrides: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  return { ...process.env, ...overrides };
}

/** The variables that were given as options (`npm start --port 8080`), which npm keeps. */
export function variablesGivenToNpm(): string[] {
  return VARIABLES.filter(name => process.env[`npm_config_${name.toLowerCase()}`] !== undefined);
}

/** The variables that an external program needs to run, and none of the product's. */
export function systemEnvironment(): NodeJS.ProcessEnv {
  const { PATH = '/usr/bin:/bin', LD_LIBRARY_PATH } = process.env;
  return { PATH, ...(LD_LIBRARY_PATH ? { LD_LIBRARY_PATH } : {}) };
}

/** True if npm started this process, which then stops when npm exits. */
export function startedByNpm(): boolean {
  return process.env.npm_lifecycle_event !== undefined;
}
