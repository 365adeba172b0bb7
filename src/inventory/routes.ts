// GET /inventory and POST /inventory/adjustments.
import type Router from '@koa/router';
import { type Auth, requireScope } from '../api-keys/authenticate.js';
import { answerWrite } from '../jobs/routes.js';
import type { Submitter } from '../jobs/service.js';
import type { WriteKind } from '../jobs/submission.js';
import { jsonBody } from '../platform/http/body.js';
import type { Pager } from '../platform/http/pagination.js';
import { noParameters, validateQuery } from '../platform/http/query.js';
import { createRouter } from '../platform/http/router.js';
import { fieldError, validateBody, validationFailed } from '../platform/http/validate.js';
import { stockWrites } from './jobs.js';
import { listItems } from './queries.js';
import { type AdjustmentRequest, adjustmentRequest, type InventoryQuery, inventoryQuery } from './schema.js';

export function inventoryRoutes(submitter: Submitter, pager: Pager): Router {
  const router = createRouter();

  router.get('/inventory', requireScope('inventory:read'), async ctx => {
    const filter = validateQuery<InventoryQuery>(inventoryQuery, ctx);
    const page = await listItems(
      (ctx.state.auth as Auth).companyId,
      filter,
      pager.position('inventory', filter.cursor),
    );
    if (page.next) pager.linkNext(ctx, 'inventory', page.next);
    ctx.type = 'json';
    ctx.body = page.body;
  });

  router.post('/inventory/adjustments', requireScope('inventory:write'), noParameters, ...jsonBody, async ctx => {
    const request = validateBody<AdjustmentRequest>(adjustmentRequest, ctx.request.body);
    if (!(ctx.state.auth as Auth).allowNegativeStock) refuseNegativeCounts(request);
    await answerWrite(ctx, submitter, stockWrites as WriteKind, request, () => null);
  });

  return router;
}

function refuseNegativeCounts(request: AdjustmentRequest): void {
  const errors = request.items.flatMap(({ count = 0 }, index) =>
    count < 0 ? [fieldError(['items', index, 'count'], 'too_small')] : [],
  );
  if (errors.length > 0) throw validationFailed(errors);
}
