// The stock items, and POST /inventory/adjustments.
import type Router from '@koa/router';
import type { Context, Middleware, Next } from 'koa';
import { type Auth, requireScope } from '../api-keys/authenticate.js';
import { answerWrite, writeRequest } from '../jobs/routes.js';
import type { Submitter } from '../jobs/submit/submitter.js';
import { type FieldError, Problem } from '../platform/errors.js';
import { fieldError } from '../platform/field-errors.js';
import { mergePatchBody } from '../platform/http/input/body.js';
import { noParameters, validateQuery } from '../platform/http/input/query.js';
import { validateBody } from '../platform/http/input/validate.js';
import type { Pager } from '../platform/http/pagination.js';
import { etagOfBody, isMatchAllowed } from '../platform/http/representation.js';
import { createRouter } from '../platform/http/router.js';
import { isUuid } from '../platform/values/ids.js';
import { stockWrites } from './adjust.js';
import { findItem, listItems } from './queries.js';
import {
  type AdjustmentRequest,
  adjustmentRequest,
  type InventoryQuery,
  type ItemPatch,
  inventoryQuery,
  itemPatch,
  MAX_QUANTITY,
} from './schema.js';
import { updateItem } from './service.js';

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
      await answerWrite(ctx, submitter, stockWrites, { payload: request }, () => null);
    },
  );

  const readItem = [notAdjustments, requireScope('inventory:read'), noParameters] as const;
  router.get('/inventory/:id', ...readItem, async ctx => {
    const id = itemId(ctx);
    const body = await findItem((ctx.state.auth as Auth).companyId, id);
    if (body === null) throw noSuchItem();
    ctx.type = 'json';
    ctx.body = body;
  });

  const changeItem = [notAdjustments, requireScope('inventory:write'), noParameters] as const;
  router.patch('/inventory/:id', ...changeItem, ...mergePatchBody, async ctx => {
    const patch = validateBody<ItemPatch>(itemPatch, ctx.request.body);
    const { companyId } = ctx.state.auth as Auth;
    const body = await updateItem(companyId, itemId(ctx), patch, current => {
      if (!isMatchAllowed(ctx.get('If-Match'), current))
        throw new Problem('precondition_failed', 'The item has changed since you read it.');
    });
    ctx.type = 'json';
    ctx.set('ETag', etagOfBody(body));
    ctx.body = body;
  });

  return router;
}

/** /inventory/adjustments takes other methods than an item. */
const notAdjustments: Middleware = async (ctx: Context, next: Next) => {
  if (ctx.params.id !== 'adjustments') await next();
};

function itemId(ctx: Context): string {
  const id = ctx.params.id ?? '';
  if (!isUuid(id)) throw noSuchItem();
  return id;
}

function noSuchItem(): Problem {
  return new Problem('not_found', 'There is no such item.');
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
