// The endpoints of stock items and of POST /inventory/adjustments. Their list is in the ledger.
import { senderOf } from '../api/answer-write.js';
import { type Endpoint, patchEndpoint, readEndpoint, writeEndpoint } from '../api/endpoint.js';
import { stockWrites } from './adjust.js';
import { checkAdjustment } from './check-adjustment.js';
import { checkItemPatch } from './names/check-patch.js';
import { findItem } from './queries.js';
import { adjustmentRequest, BY_SKU, itemPatch } from './schema.js';
import { updateItem } from './service.js';

export const inventoryEndpoints: readonly Endpoint[] = [
  writeEndpoint({
    path: '/inventory/adjustments',
    id: 'adjustInventory',
    tag: 'Inventory',
    summary: 'Receive, count or correct stock',
    description:
      'Applies the entries in order, all or none. With the reason `received` or `count`, an ' +
      'unknown name creates an item; with other reasons it is refused as `unknown_item`.',
    scope: 'inventory:write',
    body: { name: 'AdjustmentRequest', schema: adjustmentRequest },
    answer: 'The adjustment with its movements.',
    schema: 'Adjustment',
    conflicts: { StockRefused: ['insufficient_stock', 'stock_conflict'] },
    kind: stockWrites,
    check: async (body, auth) => ({ payload: await checkAdjustment(body, auth) }),
  }),
  readEndpoint({
    path: '/inventory/{id}',
    id: 'getItem',
    tag: 'Inventory',
    summary: 'Get a stock item',
    description: 'The same object that the list returns. Finds archived items too.',
    scope: 'inventory:read',
    noun: 'item',
    search: BY_SKU,
    answer: 'The item.',
    schema: 'Item',
    find: ({ companyId }, id) => findItem(companyId, id),
  }),
  patchEndpoint({
    path: '/inventory/{id}',
    id: 'updateItem',
    tag: 'Inventory',
    summary: 'Change a stock item',
    description:
      'A JSON Merge Patch (RFC 7396): only the given fields change, and null removes a value. ' +
      'Only adjustments change stock. A renamed item still matches its former names until ' +
      'another item takes them. An archived item appears only in the list of archived items ' +
      '(`archived=1`). Invoice lines and stock entries no longer match it; it keeps its history.',
    scope: 'inventory:write',
    noun: 'item',
    search: BY_SKU,
    body: { name: 'ItemPatch', schema: itemPatch },
    answer: 'The changed item.',
    schema: 'Item',
    conflicts: { ItemConflict: ['already_exists', 'invalid_state'] },
    patch: async (ctx, id, checkCurrent) => {
      const { companyId, createdBy } = senderOf(ctx);
      const patch = await checkItemPatch(companyId, id, ctx.request.body);
      return updateItem(companyId, id, patch, createdBy, checkCurrent);
    },
  }),
];
