// One id, one log line and one metric per request. The line has route, status and time, and never a
// header, a query value or a body.
import { randomUUID } from 'node:crypto';
import type { Middleware } from 'koa';
import type { Log } from '../process/log.js';
import { httpRequests, refusals } from '../process/metrics.js';

const CALLERS_ID = /^[A-Za-z0-9._:-]{1,128}$/u;

/** Gives each request its id (the caller's own if well-formed) and logs it after its response. */
export function requestLog(log: Log): Middleware {
  return (ctx, next) => {
    const startedAt = performance.now();
    const callersId = ctx.get('X-Request-Id');
    ctx.state.requestId = CALLERS_ID.test(callersId) ? callersId : randomUUID();
    ctx.res.setHeader('X-Request-Id', ctx.state.requestId);
    ctx.res.setHeader('API-Version', '1');
    ctx.res.once('close', () => {
      const line = {
        requestId: ctx.state.requestId,
        companyId: (ctx.state.auth ?? ctx.state.session)?.companyId,
        jobId: ctx.state.jobId,
        method: ctx.method,
        route: ctx.routerPath ?? ctx._matchedRoute ?? 'none',
        status: ctx.status,
        code: ctx.state.problemCode,
        ms: Math.round((performance.now() - startedAt) * 10) / 10,
        ...(ctx.res.writableFinished ? {} : { aborted: true }),
      };
      const { method, route, status, code } = line;
      httpRequests.observe({ method, route, status }, line.ms / 1000);
      if (code !== undefined) refusals.inc({ code });
      log[levelOf(status, ctx.state.isAsset)](line, 'request');
    });
    return next();
  };
}

/** A page loads several assets. A missing one is worth a line. */
function levelOf(status: number, isAsset = false): 'debug' | 'info' | 'warn' {
  if (status >= 500) return 'warn';
  return isAsset && status < 400 ? 'debug' : 'info';
}
