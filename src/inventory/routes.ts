// GET /inventory and POST /inventory/adjustments.
import type Router from '@koa/router';
import { type Auth, requireScope } from '../api-keys/authenticate.js';
import { answerWrite, writeRequest } from '../jobs/routes.js';
import type { Submitter } from '../jobs/submit/submitter.js';
import type { FieldError } from '../platform/errors.js';
import { fieldError } from '../platform/field-errors.js';
import { validateQuery } from '../platform/http/input/query.js';
import { validateBody } from '../platform/http/input/validate.js';
import type { Pager } from '../platform/http/pagination.js';
import { createRouter } from '../platform/http/router.js';
import { stockWrites } from './adjust.js';
import { listItems } from './queries.js';
import {
  type AdjustmentRequest,
  adjustmentRequest,
  type InventoryQuery,
  inventoryQuery,
  MAX_QUANTITY,
} from './schema.js';

export function inventoryRoutes(submitter: Submitter, pager: Pager): Router {
  const router = createRouter();

  router.get('/inventory', requireScope('inventory:read'), async ctx => {
    const filter = validateQuery<InventoryQuery>(inventoryQuery, ctx);
    const { companyId } = ctx.state.auth as Auth;
    const page = await listItems(
      companyId,
      filter,
      pager.position(companyId, 'inventory', filter.cursor),
    );
    if (page.next) pager.linkNext(companyId, ctx, 'inventory', page.next);
    ctx.type = 'json';
    ctx.body = page.body;
  });

  router.post(
    '/inventory/adjustments',
    requireScope('inventory:write'),
    ...writeRequest,
    async ctx => {
      const { allowNegativeStock } = ctx.state.auth as Auth;
      const request = validateBody<AdjustmentRequest>(adjustmentRequest, ctx.request.body, body =>
        allowNegativeStock ? [] : negativeCounts(body),
      );
      await answerWrite(ctx, submitter, stockWrites, request, () => null);
    },
  );

  return router;
}

/**
 * Finds counts below zero. The body may be otherwise invalid; counts below the schema's own minimum
 * are skipped, because the schema reports them.
 */
function negativeCounts(body: unknown): FieldError[] {
  const { items } = (body ?? {}) as { items?: unknown };
  if (!Array.isArray(items)) return [];
  return items.flatMap((entry: { count?: unknown } | null, index) =>
    typeof entry?.count === 'number' && entry.count < 0 && entry.count >= -MAX_QUANTITY
      ? [fieldError(['items', index, 'count'], 'too_small', { limit: 0 })]
      : [],
  );
}
