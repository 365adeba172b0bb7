// Operators → Queues: Bull Board, a page of its own beside the dashboard's. Who changed what there is in the log.
import type { Context } from 'koa';
import type { Session } from '../../users/sessions.js';
import type { MountedApp } from '../kit/page.js';
import { type QueueBoardParts, queueBoard } from './queue-board.js';

const QUEUES = '/admin/queues';

export function queueArea(parts: Omit<QueueBoardParts, 'base'>): MountedApp {
  const board = queueBoard({ ...parts, base: QUEUES });
  return {
    path: QUEUES,
    guard: 'operator',
    nav: { label: 'Queues', group: 'Operators' },
    run: async (ctx: Context, next) => {
      await board(ctx, next);
      if (ctx.method === 'GET' || ctx.method === 'HEAD') return;
      const { companyId, userId } = ctx.state.session as Session;
      const { requestId } = ctx.state;
      parts.log.info(
        { requestId, companyId, userId, method: ctx.method, path: ctx.path, status: ctx.status },
        'queue board',
      );
    },
  };
}
