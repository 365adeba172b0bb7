// The inventory pages, open to every signed-in user.
import { exportItems } from '../../inventory/export.js';
import { MAX_FILE_BYTES } from '../../inventory/imports/service.js';
import type { Submitter } from '../../jobs/submit/submitter.js';
import { exportMovements } from '../../ledger/export-movements.js';
import type { Pager } from '../../platform/http/pagination.js';
import { datedCsvFile } from '../kit/downloads.js';
import { jobPage } from '../kit/forms/job-page.js';
import { showList } from '../kit/lists/list-page.js';
import {
  type ContentAnswer,
  get,
  type PageRequest,
  type PageRoute,
  post,
  postFile,
} from '../kit/page.js';
import { adjustForm } from './adjust.js';
import { deliveryForm } from './deliveries/receive.js';
import { changeDecimals, confirmImport } from './imports/forms.js';
import { exportLeft, showImport, showProgress } from './imports/progress.js';
import { importFile, showImports } from './imports/upload.js';
import { showItem } from './item.js';
import { archiveItem, detailsForm } from './item-changes.js';
import { getItem } from './item-view.js';
import { ITEM_LIST } from './list.js';
import { newItemForm } from './new-item.js';
import { explainAdjustment } from './stock-jobs.js';
import { suggestLineItems } from './suggestions.js';

export function inventoryPages(submitter: Submitter, pager: Pager): PageRoute[] {
  const adjust = adjustForm(pager);
  const forms = [adjust, newItemForm, deliveryForm] as const;
  return [
    get('/inventory', 'signed-in', request => showList(ITEM_LIST, request, pager), {
      label: 'Inventory',
      icon: 'inventory',
    }),
    get('/inventory/export.csv', 'signed-in', exportAll),
    get('/inventory/movements.csv', 'signed-in', exportAllMovements),
    ...forms.flatMap(form => form.routes(submitter)),
    get('/inventory/suggestions', 'signed-in', suggestLineItems),
    get('/inventory/import', 'signed-in', showImports),
    postFile('/inventory/import', 'signed-in', MAX_FILE_BYTES, importFile),
    get('/inventory/imports/:id', 'signed-in', showImport),
    post('/inventory/imports/:id/start', 'signed-in', confirmImport),
    post('/inventory/imports/:id/decimals', 'signed-in', changeDecimals),
    get('/inventory/imports/:id/progress', 'signed-in', showProgress),
    get('/inventory/imports/:id/left.csv', 'signed-in', exportLeft),
    jobPage({
      forms,
      home: { href: '/inventory', text: 'View inventory' },
      explain: explainAdjustment,
    }),
    get('/inventory/:id', 'signed-in', request => showItem(request, pager, adjust)),
    get('/inventory/:id/movements.csv', 'signed-in', exportItemMovements),
    ...detailsForm(pager),
    post('/inventory/:id/archive', 'signed-in', request => archiveItem(request, pager, true)),
    post('/inventory/:id/restore', 'signed-in', request => archiveItem(request, pager, false)),
  ];
}

function exportAll({ session }: PageRequest): Promise<ContentAnswer> {
  return datedCsvFile('inventory', session, format => exportItems(session.companyId, format));
}

function exportAllMovements({ session }: PageRequest): Promise<ContentAnswer> {
  const { companyId } = session;
  return datedCsvFile('movements', session, format => exportMovements(companyId, null, format));
}

async function exportItemMovements({ session, params }: PageRequest): Promise<ContentAnswer> {
  const { id, sku } = await getItem(session.companyId, params.id);
  // The characters that are safe in a file name everywhere.
  const name = (sku ?? '').replaceAll(/[^\w.-]+/gu, '-');
  return datedCsvFile(name === '' ? 'movements' : `movements-${name}`, session, format =>
    exportMovements(session.companyId, id, format),
  );
}
