// The inventory pages, open to every signed-in user.
import { exportItems } from '../../inventory/export.js';
import { CSV_TYPE } from '../../inventory/imports/csv.js';
import { MAX_FILE_BYTES } from '../../inventory/imports/service.js';
import type { Submitter } from '../../jobs/submit/submitter.js';
import { exportMovements } from '../../ledger/export-movements.js';
import { BODY_LIMIT_BYTES } from '../../platform/http/input/body.js';
import type { Pager } from '../../platform/http/pagination.js';
import {
  type ContentAnswer,
  get,
  type PageRequest,
  type PageRoute,
  post,
  postFile,
} from '../kit/page.js';
import { dayIn } from '../kit/ui/format.js';
import { adjustItem } from './adjust.js';
import { receiveDelivery, showReceive, suggestDeliveryItems } from './deliveries/receive.js';
import { changeDecimals, confirmImport } from './imports/forms.js';
import { exportLeft, showImport, showProgress } from './imports/progress.js';
import { importFile, showImports } from './imports/upload.js';
import { showItem } from './item.js';
import { archiveItem, changeItem } from './item-changes.js';
import { getItem } from './item-view.js';
import { showStockJob } from './job.js';
import { showInventory } from './list.js';
import { createItem, showNewItem } from './new-item.js';

export function inventoryPages(submitter: Submitter, pager: Pager): PageRoute[] {
  return [
    get('/inventory', 'signed-in', request => showInventory(request, pager), {
      label: 'Inventory',
      icon: 'inventory',
    }),
    get('/inventory/export.csv', 'signed-in', exportAll),
    get('/inventory/movements.csv', 'signed-in', exportAllMovements),
    get('/inventory/new', 'signed-in', showNewItem),
    post('/inventory/new', 'signed-in', request => createItem(request, submitter)),
    get('/inventory/receive', 'signed-in', showReceive),
    // 250 lines with names in any script exceed the limit of other forms.
    post(
      '/inventory/receive',
      'signed-in',
      request => receiveDelivery(request, submitter),
      BODY_LIMIT_BYTES,
    ),
    get('/inventory/suggestions', 'signed-in', suggestDeliveryItems),
    get('/inventory/import', 'signed-in', showImports),
    postFile('/inventory/import', 'signed-in', MAX_FILE_BYTES, importFile),
    get('/inventory/imports/:id', 'signed-in', showImport),
    post('/inventory/imports/:id/start', 'signed-in', confirmImport),
    post('/inventory/imports/:id/decimals', 'signed-in', changeDecimals),
    get('/inventory/imports/:id/progress', 'signed-in', showProgress),
    get('/inventory/imports/:id/left.csv', 'signed-in', exportLeft),
    get('/inventory/jobs/:id', 'signed-in', showStockJob),
    get('/inventory/:id', 'signed-in', request => showItem(request, pager)),
    get('/inventory/:id/movements.csv', 'signed-in', exportItemMovements),
    post('/inventory/:id/adjust', 'signed-in', request => adjustItem(request, submitter, pager)),
    post('/inventory/:id/details', 'signed-in', request => changeItem(request, pager)),
    post('/inventory/:id/archive', 'signed-in', request => archiveItem(request, pager, true)),
    post('/inventory/:id/restore', 'signed-in', request => archiveItem(request, pager, false)),
  ];
}

function exportAll({ session: { companyId, timeZone } }: PageRequest): ContentAnswer {
  const fileName = `inventory-${dayIn(timeZone, new Date())}.csv`;
  return { type: CSV_TYPE, content: exportItems(companyId), fileName };
}

function exportAllMovements({ session: { companyId, timeZone } }: PageRequest): ContentAnswer {
  const fileName = `movements-${dayIn(timeZone, new Date())}.csv`;
  return { type: CSV_TYPE, content: exportMovements(companyId, null), fileName };
}

async function exportItemMovements({ session, params }: PageRequest): Promise<ContentAnswer> {
  const { companyId, timeZone } = session;
  const { id, sku } = await getItem(companyId, params.id);
  // The characters that are safe in a file name everywhere.
  const name = (sku ?? '').replaceAll(/[^\w.-]+/gu, '-');
  const fileName = `movements-${name === '' ? '' : `${name}-`}${dayIn(timeZone, new Date())}.csv`;
  return { type: CSV_TYPE, content: exportMovements(companyId, id), fileName };
}
