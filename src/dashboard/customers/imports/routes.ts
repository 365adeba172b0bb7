// The pages of imports of customers, and the export that an import accepts.
import { MAX_FILE_BYTES } from '../../../customers/imports/service.js';
import { exportList } from '../../kit/lists/list-page.js';
import { get, type PageRoute, post, postFile } from '../../kit/page.js';
import { CUSTOMERS } from '../customer-view.js';
import { CUSTOMER_LIST } from '../list.js';
import { confirmImport, exportLeft, showImport, showProgress } from './import.js';
import { IMPORT_PATH, IMPORTS_PATH } from './paths.js';
import { showImports, uploadCustomers } from './upload.js';

export function customerImportPages(): PageRoute[] {
  return [
    get(`${CUSTOMERS}/export.csv`, 'see-customers', request => exportList(CUSTOMER_LIST, request)),
    get(IMPORT_PATH, 'change-customers', showImports),
    postFile(IMPORT_PATH, 'change-customers', MAX_FILE_BYTES, uploadCustomers),
    get(`${IMPORTS_PATH}/:id`, 'change-customers', showImport),
    post(`${IMPORTS_PATH}/:id/start`, 'change-customers', confirmImport),
    get(`${IMPORTS_PATH}/:id/progress`, 'change-customers', showProgress),
    get(`${IMPORTS_PATH}/:id/left.csv`, 'change-customers', exportLeft),
  ];
}
