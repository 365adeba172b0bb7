// Operators → Queues: Bull Board as an app beside the dashboard's pages, with every action logged.
import type { Session } from '../../users/sessions.js';
import type { MountedApp } from '../kit/page.js';
import { type QueueBoardParts, queueBoard } from './queue-board.js';

const QUEUES = '/admin/queues';

export function queueApp(parts: Omit<QueueBoardParts, 'base'>): MountedApp {
  const board = queueBoard({ ...parts, base: QUEUES });
  return {
    path: QUEUES,
    guard: 'operator',
    nav: { label: 'Queues', group: 'Operators' },
    run: async (ctx, next) => {
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
