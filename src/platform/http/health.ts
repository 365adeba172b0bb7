// /healthz: the event loop runs. /readyz, for load balancers: the process can do its work.
import type Router from '@koa/router';
import { orNullAfter } from '../async/timeout.js';
import { queryOne } from '../db/connection.js';
import { RETRY_AFTER_SECONDS } from '../errors.js';
import type { Queues } from '../queue/open.js';
import { noParameters } from './input/query.js';
import { createRouter } from './router.js';

/** A check that takes longer has failed. */
const CHECK_TIMEOUT_MS = 2_000;

export interface HealthParts {
  readonly queues: Queues;
  readonly oldestQueuedSeconds: () => Promise<number>;
  /** True if the audit found a write that breaks an invariant. */
  readonly hasViolations: () => Promise<boolean>;
  readonly isStopping: () => boolean;
}

export function healthRoutes({
  queues,
  oldestQueuedSeconds,
  hasViolations,
  isStopping,
}: HealthParts): Router {
  const router = createRouter();
  router.get('/healthz', noParameters, ctx => {
    ctx.body = { status: 'ok' };
  });
  router.get('/readyz', noParameters, async ctx => {
    const [postgres, redis, oldest, violated] = await Promise.all([
      orNullAfter(CHECK_TIMEOUT_MS, async () => (await queryOne('SELECT 1 AS one', [])) !== null),
      queues.mode === 'redis' ? orNullAfter(CHECK_TIMEOUT_MS, () => queues.ping()) : 'off',
      orNullAfter(CHECK_TIMEOUT_MS, oldestQueuedSeconds),
      orNullAfter(CHECK_TIMEOUT_MS, hasViolations),
    ]);
    const ready = postgres === true && !isStopping();
    ctx.status = ready ? 200 : 503;
    if (!ready) ctx.set('Retry-After', RETRY_AFTER_SECONDS);
    ctx.body = {
      status: isStopping() ? 'stopping' : !ready ? 'unavailable' : redis ? 'ready' : 'degraded',
      checks: {
        postgres: postgres ? 'ok' : 'away',
        redis: redis === 'off' ? 'off' : redis ? 'ok' : 'away',
        // Checked at start, and a schema only moves forward.
        migrations: 'ok',
        oldestQueuedSeconds: oldest,
        audit: violated === null ? null : violated ? 'violations' : 'ok',
      },
    };
  });
  return router;
}
