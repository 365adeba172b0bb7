// /healthz: the event loop turns. /readyz: the process can do its work, for load balancers and operators.
import Router from '@koa/router';
import { queryOne } from '../db.js';
import type { Queueing } from '../queue.js';

/** A check that takes longer counts as failed. */
const CHECK_TIMEOUT_MS = 2_000;

export interface HealthParts {
  readonly queueing: Queueing;
  readonly oldestQueuedSeconds: () => Promise<number>;
  readonly isStopping: () => boolean;
}

export function healthRoutes({ queueing, oldestQueuedSeconds, isStopping }: HealthParts): Router {
  const router = new Router();
  router.get('/healthz', ctx => {
    ctx.body = { status: 'ok' };
  });
  router.get('/readyz', async ctx => {
    const [postgres, redis, oldest] = await Promise.all([
      answers(async () => (await queryOne('SELECT 1 AS one', [])) !== null),
      queueing.mode === 'redis' ? answers(() => queueing.ping()) : null,
      oldestQueuedSeconds().catch(() => null),
    ]);
    const ready = postgres && !isStopping();
    ctx.status = ready ? 200 : 503;
    ctx.body = {
      status: isStopping() ? 'stopping' : !ready ? 'unavailable' : redis === false ? 'degraded' : 'ready',
      checks: {
        postgres: postgres ? 'ok' : 'away',
        redis: redis === null ? 'off' : redis ? 'ok' : 'away',
        // Checked at start, and a schema only moves forward.
        migrations: 'ok',
        oldestQueuedSeconds: oldest,
      },
    };
  });
  return router;
}

async function answers(check: () => Promise<boolean>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>(resolve => {
    timer = setTimeout(() => resolve(false), CHECK_TIMEOUT_MS);
  });
  try {
    return await Promise.race([check(), late]);
  } catch {
    return false;
  } finally {
    clearTimeout(timer);
  }
}
