// The one list of kinds of imports. To add a kind, define it in its own slice and name it here.
import { CUSTOMER_IMPORTS } from './customer-records/imports/kind.js';
import type { ImportKind } from './imports/kind.js';
import { STOCK_IMPORTS } from './inventory/imports/kind.js';

export const IMPORT_KINDS: readonly ImportKind[] = [STOCK_IMPORTS, CUSTOMER_IMPORTS];
