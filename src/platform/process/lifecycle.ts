// The life of a process. Code that opens a resource registers how to release it; on SIGTERM,
// SIGINT, SIGHUP or the loss of the `npm start` parent, everything is released in reverse order
// within a deadline. A start that fails halfway is cleaned up the same way, and repeated while
// Postgres is unavailable.
import { type Config, ConfigError } from '../../../config/index.js';
import { backOffMs } from '../async/back-off.js';
import { withTimeout } from '../async/timeout.js';
import {
  connectionFailure,
  describeError,
  isRefusedByPooler,
  isTransient,
  NEEDS_DIRECT_URL,
} from '../postgres-errors.js';
import { redirectConsole } from './console.js';
import { createLog, exitWith, type Log } from './log.js';
import { OutageLog } from './outage-log.js';

/** Time from the signal to exit 1: longer than a usual request, shorter than a supervisor waits. */
const STOP_DEADLINE_MS = 15_000;
/** A start waits this long for Postgres. */
const START_WAIT_MS = 60_000;
const START_RETRY_MIN_MS = 200;
const START_RETRY_MAX_MS = 3_000;
const NODE_ENV_MISSING =
  'NODE_ENV is not set. In a deployment, set NODE_ENV=production, which requires a ' +
  'SESSION_SECRET that all web processes share; on your own machine, set NODE_ENV=development';

interface Release {
  readonly name: string;
  readonly release: () => Promise<unknown> | unknown;
}

export type OnStop = (name: string, release: Release['release']) => void;

/** A failed start. The message is one sentence for the operator, logged without a stack. */
export class StartError extends Error {}

/**
 * Runs one process: `start` opens resources and registers their release. Exits 0 after a clean
 * stop, and 1 after a failed start, an unexpected error or a missed deadline.
 */
export async function runProcess(
  type: string,
  { logLevel, nodeEnv }: Pick<Config, 'logLevel' | 'nodeEnv'>,
  start: (log: Log, onStop: OnStop) => Promise<void>,
): Promise<void> {
  const log = createLog(type, logLevel);
  if (nodeEnv === undefined) log.warn(NODE_ENV_MISSING);
  redirectConsole((severity, text) => log[severity]({ source: 'console' }, text));
  const releases: Release[] = [];
  let stopping = false;

  const stop = async (code: number, reason: string): Promise<void> => {
    if (stopping) return;
    stopping = true;
    log.info({ reason }, 'stopping');
    setTimeout(() => {
      log.error(
        { deadlineMs: STOP_DEADLINE_MS },
        'stop deadline exceeded; other processes recover the unfinished work',
      );
      void exitWith(1);
    }, STOP_DEADLINE_MS).unref();
    await releaseAll(releases, log);
    log.info({ code }, 'stopped');
    await exitWith(code);
  };

  for (const event of ['uncaughtException', 'unhandledRejection'] as const)
    process.on(event, (error: unknown) => crash(error, log));
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const)
    process.on(signal, () => void stop(0, signal));
  process.on('disconnect', () => void stop(0, 'parent exited'));

  const onStop: OnStop = (name, release) => releases.push({ name, release });
  const outage = new OutageLog(log, {
    failing: 'waiting for Postgres',
    working: 'Postgres answers',
  });
  try {
    await retryStart(
      async () => {
        if (!stopping) await start(log, onStop);
      },
      async reason => {
        if (stopping) return;
        outage.failed({ reason });
        await withTimeout(STOP_DEADLINE_MS, releaseAll(releases, log));
      },
    );
    outage.succeeded();
  } catch (error) {
    if (stopping) return;
    log.fatal(...startFailure(error));
    await stop(1, 'start failed');
  }
}

/** Releases everything, the last opened first. */
async function releaseAll(releases: Release[], log: Log): Promise<void> {
  for (const { name, release } of releases.splice(0).reverse()) {
    try {
      await release();
    } catch (error) {
      log.warn({ resource: name, err: describeError(error) }, 'release failed');
    }
  }
}

function crash(error: unknown, log: Log): void {
  log.fatal(
    { err: describeError(error) },
    'unexpected error; exiting for the supervisor to restart',
  );
  void exitWith(1);
}

/**
 * Runs `start` again while a connection to Postgres is refused, lost or too slow, for up to a
 * minute. `cleanUp` runs before each retry and gets the reason. Throws StartError after that, and
 * any other error at once.
 */
export async function retryStart<Result>(
  start: () => Promise<Result>,
  cleanUp: (reason: string) => Promise<void> | void,
): Promise<Result> {
  const deadline = Date.now() + START_WAIT_MS;
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await start();
    } catch (error) {
      if (isRefusedByPooler(error)) throw new StartError(NEEDS_DIRECT_URL);
      const failure = connectionFailure(error);
      if (failure === null && !isTransient(error)) throw error;
      const reason = failure ?? (error as Error).message;
      if (Date.now() > deadline)
        throw new StartError(
          `Postgres did not answer within ${START_WAIT_MS / 1000} s: ${reason}. ` +
            'Check that it runs and that DATABASE_URL is right.',
        );
      await cleanUp(reason);
      const pauseMs = backOffMs(attempt, START_RETRY_MIN_MS, START_RETRY_MAX_MS);
      await new Promise(resolve => setTimeout(resolve, pauseMs));
    }
  }
}

function startFailure(error: unknown): [object, string] {
  if (error instanceof StartError || error instanceof ConfigError) return [{}, error.message];
  return [{ err: describeError(error) }, 'start failed'];
}
