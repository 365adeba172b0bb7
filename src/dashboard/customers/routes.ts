// The pages of customers.
import type { Pager } from '../../platform/http/pagination.js';
import { may, type Permission } from '../../users/roles.js';
import { importPages } from '../imports/routes.js';
import { exportList, showList } from '../kit/lists/list-page.js';
import { get, type PageRoute, post } from '../kit/page.js';
import { exportOpen, exportStatement } from './account/files.js';
import { showAccount } from './account/page.js';
import { showStatementPrint } from './account/print.js';
import { CUSTOMERS } from './customer-view.js';
import {
  addCustomer,
  editCustomer,
  NEW_CUSTOMER,
  showEditCustomer,
  showNewCustomer,
} from './form.js';
import { showHistory } from './history.js';
import { CUSTOMER_IMPORT_PAGES } from './imports.js';
import { CUSTOMER_LIST } from './list.js';
import { mergeRecord, showMerge } from './merge.js';
import { NAMES_PATH, recordNames, showNames } from './names.js';
import { CUSTOMER_NAMES } from './names-list.js';
import { archiveCustomer, removeCustomer, restoreCustomer, showDelete } from './state-panels.js';

export function customerPages(pager: Pager): PageRoute[] {
  const record = `${CUSTOMERS}/:id`;
  return [
    get(
      CUSTOMERS,
      'see-names',
      request =>
        may(request.session.role, 'see-customers')
          ? showList(CUSTOMER_LIST, request, pager)
          : showList(CUSTOMER_NAMES, request, pager),
      { label: 'Customers', icon: 'customer', inMenu: true, tab: 'Customers' },
    ),
    get(`${CUSTOMERS}/export.csv`, 'see-customers', request => exportList(CUSTOMER_LIST, request)),
    ...importPages(CUSTOMER_IMPORT_PAGES),
    get(NEW_CUSTOMER, 'change-customers', showNewCustomer),
    post(NEW_CUSTOMER, 'change-customers', addCustomer),
    get(NAMES_PATH, 'change-customers', request => showNames(request, pager)),
    post(NAMES_PATH, 'change-customers', request => recordNames(request, pager)),
    ...accountPages(`${CUSTOMERS}/name`, 'see-sales', pager),
    ...accountPages(record, 'see-customers', pager),
    get(`${record}/edit`, 'change-customers', showEditCustomer),
    post(`${record}/edit`, 'change-customers', editCustomer),
    get(`${record}/history`, 'see-customers', request => showHistory(request, pager)),
    get(`${record}/merge`, 'change-customers', showMerge),
    post(`${record}/merge`, 'change-customers', mergeRecord),
    post(`${record}/archive`, 'change-customers', archiveCustomer),
    post(`${record}/restore`, 'change-customers', restoreCustomer),
    get(`${record}/delete`, 'change-customers', showDelete),
    post(`${record}/delete`, 'change-customers', removeCustomer),
  ];
}

/** The pages of an account, of a plain name or of a record. */
function accountPages(path: string, guard: Permission, pager: Pager): PageRoute[] {
  return [
    get(path, guard, request => showAccount(request, pager)),
    get(`${path}/statement.csv`, guard, exportStatement),
    get(`${path}/open-items.csv`, guard, exportOpen),
    get(`${path}/print`, guard, showStatementPrint),
  ];
}
