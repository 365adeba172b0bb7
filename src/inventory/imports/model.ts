// The record of an imported file. Its rows are many, so they are read and written in SQL.
import { defineModel } from '../../platform/db/models.js';
import type { ImportStatus } from './queries.js';

interface ImportRecordRow {
  companyId: string;
  id: string;
  userId: string;
  fileName: string;
  reference: string;
  reason: 'count' | 'received';
  allOrNothing: boolean;
  /** The cells of the file's header. */
  header: readonly string[];
  status: ImportStatus;
  rowsTotal: number;
  rowsFailed: number;
  /** When a worker may apply the next chunk. */
  runAt: Date | null;
  finishedAt: Date | null;
}

export const importModel = defineModel<ImportRecordRow>('imports', types => ({
  companyId: { type: types.UUID, primaryKey: true },
  id: { type: types.UUID, primaryKey: true },
  userId: types.UUID,
  fileName: types.TEXT,
  reference: types.TEXT,
  reason: types.TEXT,
  allOrNothing: types.BOOLEAN,
  header: types.JSON,
  status: types.TEXT,
  rowsTotal: types.INTEGER,
  rowsFailed: types.INTEGER,
  runAt: types.DATE,
  finishedAt: types.DATE,
}));
