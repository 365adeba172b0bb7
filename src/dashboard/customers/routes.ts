// The pages of customers.
import type { Cursors } from '../../platform/http/pagination.js';
import { may, type Permission } from '../../users/roles.js';
import { importPages } from '../imports/routes.js';
import { exportList, showList } from '../kit/lists/list-page.js';
import { get, type PageRoute } from '../kit/page.js';
import { exportOpen, exportStatement } from './account/files.js';
import { showAccount } from './account/page.js';
import { showStatementPrint } from './account/print.js';
import { CUSTOMERS } from './customer-view.js';
import { editCustomerForm, newCustomerForm } from './form.js';
import { showHistory } from './history.js';
import { CUSTOMER_IMPORT_PAGES } from './imports.js';
import { CUSTOMER_LIST } from './list.js';
import { mergeForm } from './merge.js';
import { namesForm } from './names.js';
import { CUSTOMER_NAMES } from './names-list.js';
import { archiveForms, deleteForm } from './state-panels.js';

export function customerPages(pager: Cursors): PageRoute[] {
  const record = `${CUSTOMERS}/:id`;
  return [
    get(
      CUSTOMERS,
      'see-names',
      request =>
        may(request.session.role, 'see-customers')
          ? showList(CUSTOMER_LIST, request, pager)
          : showList(CUSTOMER_NAMES, request, pager),
      { label: 'Customers', icon: 'customer', tab: 'Customers' },
    ),
    get(`${CUSTOMERS}/export.csv`, 'see-customers', request => exportList(CUSTOMER_LIST, request)),
    ...importPages(CUSTOMER_IMPORT_PAGES),
    ...newCustomerForm,
    ...namesForm(pager),
    ...accountPages(`${CUSTOMERS}/name`, 'see-sales', pager),
    ...accountPages(record, 'see-customers', pager),
    ...editCustomerForm,
    get(`${record}/history`, 'see-customers', request => showHistory(request, pager)),
    ...mergeForm,
    ...archiveForms,
    ...deleteForm,
  ];
}

/** The pages of an account, of a plain name or of a record. */
function accountPages(path: string, guard: Permission, pager: Cursors): PageRoute[] {
  return [
    get(path, guard, request => showAccount(request, pager)),
    get(`${path}/statement.csv`, guard, exportStatement),
    get(`${path}/open-items.csv`, guard, exportOpen),
    get(`${path}/print`, guard, showStatementPrint),
  ];
}
