// /healthz: the event loop runs. /readyz, for load balancers: the process can do its work. Anyone
// may call /readyz as often as they like, so one look at the stores serves all callers for 1 s.
import type Router from '@koa/router';
import { shared } from '../async/shared.js';
import { orNullAfter } from '../async/timeout.js';
import type { Transaction } from '../db/connection.js';
import { openProbe, type Probe } from '../db/probe.js';
import { RETRY_AFTER_SECONDS } from '../errors.js';
import type { OnStop } from '../process/lifecycle.js';
import type { Queues } from '../queue/open.js';
import { noParameters } from './input/query.js';
import { createRouter } from './router.js';

/** A check that takes longer has failed. */
const CHECK_TIMEOUT_MS = 2_000;
const LOOK_EVERY_MS = 1_000;

export interface HealthParts {
  readonly queues: Queues;
  readonly databaseUrl: string;
  readonly oldestQueuedSeconds: (tx: Transaction) => Promise<number>;
  /** Counts jobs that failed because of an internal error and need an operator. */
  readonly countFailedJobs: (tx: Transaction) => Promise<number>;
  /** True if the audit found a write that breaks an invariant. */
  readonly hasViolations: (tx: Transaction) => Promise<boolean>;
  readonly isStopping: () => boolean;
}

interface Checks {
  readonly postgres: 'ok' | 'unavailable';
  readonly redis: 'ok' | 'unavailable' | 'off';
  readonly migrations: 'ok';
  readonly oldestQueuedSeconds: number | null;
  readonly failedJobs: number | null;
  readonly audit: 'ok' | 'violations' | null;
}

export function healthRoutes(parts: HealthParts, onStop: OnStop): Router {
  const { isStopping } = parts;
  const probe = openProbe(parts.databaseUrl, CHECK_TIMEOUT_MS, onStop);
  const look = shared(LOOK_EVERY_MS, () => lookAt(parts, probe));
  const router = createRouter();
  router.get('/healthz', noParameters, ctx => {
    ctx.body = { status: 'ok' };
  });
  router.get('/readyz', noParameters, async ctx => {
    const checks = await look();
    const ready = checks.postgres === 'ok' && !isStopping();
    const state = checks.redis === 'unavailable' ? 'degraded' : 'ready';
    ctx.status = ready ? 200 : 503;
    if (!ready) ctx.set('Retry-After', RETRY_AFTER_SECONDS);
    ctx.body = { status: isStopping() ? 'stopping' : ready ? state : 'unavailable', checks };
  });
  return router;
}

/** Never rejects. A figure is null if it could not be read in time. */
async function lookAt(parts: HealthParts, probe: Probe): Promise<Checks> {
  const { queues } = parts;
  let isUp = false;
  const [figures, redis] = await Promise.all([
    orNullAfter(CHECK_TIMEOUT_MS, () =>
      probe(async tx => {
        isUp = true;
        return {
          oldestQueuedSeconds: await parts.oldestQueuedSeconds(tx),
          failedJobs: await parts.countFailedJobs(tx),
          audit: (await parts.hasViolations(tx)) ? ('violations' as const) : ('ok' as const),
        };
      }),
    ),
    queues.mode === 'redis' ? orNullAfter(CHECK_TIMEOUT_MS, () => queues.checkStore()) : null,
  ]);
  return {
    postgres: isUp ? 'ok' : 'unavailable',
    redis: queues.mode === 'redis' ? (redis ? 'ok' : 'unavailable') : 'off',
    // Checked at start, and a schema only moves forward.
    migrations: 'ok',
    ...(figures ?? { oldestQueuedSeconds: null, failedJobs: null, audit: null }),
  };
}
