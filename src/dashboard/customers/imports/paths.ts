// The addresses of imports of customers.
import { CUSTOMERS } from '../customer-view.js';

/** The upload form. */
export const IMPORT_PATH = `${CUSTOMERS}/import`;
/** The pages of imports, without the id. */
export const IMPORTS_PATH = `${CUSTOMERS}/imports`;
