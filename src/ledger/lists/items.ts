// GET /inventory. This file is in the ledger because invoices and credit notes move stock.
import { listEndpoint } from '../../api/endpoint.js';
import { listItems } from '../../inventory/queries.js';
import { inventoryQuery } from '../../inventory/schema.js';
import { NO_PAGE } from '../../platform/http/pagination.js';
import { changedItems } from './changes.js';
import { LIST_ADVICE, selectionOf } from './selection.js';

export const itemListEndpoint = listEndpoint({
  path: '/inventory',
  id: 'listInventory',
  tag: 'Inventory',
  summary: 'List stock items',
  description:
    'By name; `low=1` returns the items to reorder, `archived=1` the archived ones. ' +
    `${LIST_ADVICE}`,
  scope: 'inventory:read',
  query: inventoryQuery,
  answer: 'A page of stock items.',
  schema: 'Item',
  cursors: 'inventory',
  async page({ companyId }, { updatedSince, ...filter }, position) {
    const changed = updatedSince === undefined ? null : changedItems(companyId, updatedSince);
    const { only, condition } = await selectionOf(changed, null);
    if (only?.length === 0) return NO_PAGE;
    const selected = { ...(only ? { ids: only } : {}), ...(condition ? { condition } : {}) };
    return listItems(companyId, { ...filter, ...selected }, position);
  },
});
