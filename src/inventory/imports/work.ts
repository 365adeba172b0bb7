// The worker's side of imports of stock: applies queued rows in chunks, and undoes imports.
import { applyImportsForever, type ImportKind } from '../../jobs/import-work.js';
import type { OnStop } from '../../platform/process/lifecycle.js';
import type { Log } from '../../platform/process/log.js';
import { applyChunk } from './apply.js';
import { type Claim, claimImport, recordFailedAttempt } from './progress.js';
import { undoImport } from './undo/undo.js';

const STOCK_IMPORTS: ImportKind<Claim> = {
  table: 'imports',
  poll: 'import poll',
  claim: claimImport,
  /** All rows if the import is all or nothing. */
  applyChunk: (claimed, tx) => (claimed.isUndo ? undoImport : applyChunk)(claimed, tx),
  recordFailedAttempt,
};

/** Applies and undoes imports until stopped. Safe in every worker. */
export function runImportsForever(log: Log, onStop: OnStop): void {
  applyImportsForever(STOCK_IMPORTS, log, onStop);
}
