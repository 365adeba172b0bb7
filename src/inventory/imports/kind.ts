// Imports of stock: counts, deliveries and price lists.
import type { ImportKind } from '../../imports/kind.js';
import type { ImportRecord } from '../../imports/queries.js';
import type { Undoable } from '../../imports/undo.js';
import type { AdjustmentEntry } from '../schema.js';
import { applyStockRows } from './apply.js';
import type { StockClaim } from './claim.js';
import { FORMAT, type StockReadOptions } from './columns.js';
import { importReason, openStockTrial } from './trial.js';
import type { Obstacle } from './undo/changes.js';
import { undoImport } from './undo/undo.js';

export interface StockImport extends Omit<ImportRecord, keyof Undoable<never>>, Undoable<Obstacle> {
  readonly allOrNothing: boolean;
}

export const STOCK_IMPORTS: ImportKind<StockClaim, AdjustmentEntry, StockReadOptions> = {
  table: 'imports',
  rowsTable: 'import_rows',
  noun: 'stock',
  poll: 'import poll',
  format: FORMAT,
  formatModule: new URL('./columns.js', import.meta.url),
  maxFileBytes: 5 * 1024 * 1024,
  fileName: 'import.csv',
  keys: ['name_key', 'sku_key'],
  rowsDone: 'rows_done',
  columns: 'i.all_or_nothing AS "allOrNothing"',
  claimColumns: `reference, reason,
       all_or_nothing AS "allOrNothing",
       ignores_expected AS "ignoresExpected"`,
  previewColumns: (file, { fileName }) => ({ reference: fileName, reason: importReason(file) }),
  openTrial: openStockTrial,
  apply: applyStockRows,
  undo: { changesTable: 'import_changes', apply: undoImport },
};
