// The inventory pages. Those with prices take another permission than those with stock alone.
import { exportItems } from '../../inventory/export.js';
import type { Submitter } from '../../jobs/submit/submitter.js';
import { exportMovements } from '../../ledger/export-movements.js';
import type { Cursors } from '../../platform/http/pagination.js';
import { may } from '../../users/roles.js';
import { datedCsvFile, fileNamePart } from '../kit/downloads.js';
import { jobPage } from '../kit/forms/job-page.js';
import { showList } from '../kit/lists/list-page.js';
import { type ContentAnswer, get, type PageRequest, type PageRoute } from '../kit/page.js';
import { adjustForm } from './adjust.js';
import { undoForm } from './adjustments/undo.js';
import { startCountForm } from './counts/list.js';
import { bookCountForm } from './counts/review.js';
import { countForm, deleteSheetForm, removeCountButton } from './counts/sheet.js';
import { correctForm } from './deliveries/correct.js';
import { showDelivery } from './deliveries/detail.js';
import { DELIVERY_LIST } from './deliveries/list.js';
import { deliveryForm } from './deliveries/receive.js';
import { stockImportPages } from './imports/pages.js';
import { showItem } from './item.js';
import { archiveForm, detailsForm } from './item-changes.js';
import { getItem } from './item-view.js';
import { ITEM_LIST } from './list.js';
import { newItemForm } from './new-item.js';
import { DELIVERIES_PATH, explainAdjustment } from './stock-jobs.js';
import { suggestLineItems } from './suggestions.js';

export function inventoryPages(submitter: Submitter, pager: Cursors): PageRoute[] {
  const adjust = adjustForm(pager);
  const deliveryForms = [deliveryForm, correctForm] as const;
  const forms = [adjust, newItemForm, ...deliveryForms, undoForm, bookCountForm] as const;
  return [
    get('/inventory', 'see-stock', request => showList(ITEM_LIST, request, pager), {
      label: 'Inventory',
      icon: 'inventory',
      tab: 'Items',
    }),
    get('/inventory/export.csv', 'see-stock', exportAll),
    get('/inventory/movements.csv', 'see-stock', exportAllMovements),
    ...forms.flatMap(form => form.routes(submitter)),
    get(DELIVERIES_PATH, 'see-stock', request => showList(DELIVERY_LIST, request, pager), {
      label: 'Deliveries',
      area: '/inventory',
    }),
    get(`${DELIVERIES_PATH}/:id`, 'see-stock', showDelivery),
    ...startCountForm,
    ...countForm,
    ...deleteSheetForm,
    removeCountButton,
    get('/inventory/suggestions', 'change-stock', suggestLineItems),
    ...stockImportPages(),
    jobPage({
      forms,
      home: { href: '/inventory', text: 'View inventory' },
      explain: explainAdjustment,
    }),
    get('/inventory/:id', 'see-stock', request => showItem(request, pager, adjust)),
    get('/inventory/:id/movements.csv', 'see-stock', exportItemMovements),
    ...detailsForm(pager),
    ...archiveForm(pager, 'archive'),
    ...archiveForm(pager, 'restore'),
  ];
}

function exportAll({ session }: PageRequest): Promise<ContentAnswer> {
  const { companyId, role } = session;
  return datedCsvFile('inventory', session, format =>
    exportItems(companyId, may(role, 'see-prices'), format),
  );
}

function exportAllMovements({ session }: PageRequest): Promise<ContentAnswer> {
  const { companyId } = session;
  return datedCsvFile('movements', session, format => exportMovements(companyId, null, format));
}

async function exportItemMovements({ session, params }: PageRequest): Promise<ContentAnswer> {
  const { id, sku } = await getItem(session.companyId, params.id);
  const name = fileNamePart(sku ?? '');
  return datedCsvFile(name === '' ? 'movements' : `movements-${name}`, session, format =>
    exportMovements(session.companyId, id, format),
  );
}
