// Imports of customers. A row adds or changes a record, and sees the changes of earlier rows.
import type { ImportClaim, ImportKind, RefusedRow } from '../../imports/kind.js';
import type { ImportRecord } from '../../imports/queries.js';
import type { Undoable } from '../../imports/undo.js';
import { failPoint } from '../../platform/process/fail-point.js';
import { CustomerChanges } from '../changes/changes.js';
import { wantedBy } from '../identify.js';
import { applyRow } from './apply-row.js';
import { FORMAT, type RowEntry } from './columns.js';
import { openCustomerTrial, sentencesOf } from './trial.js';
import { type CustomerObstacle, recordVersions, undoCustomerImport } from './undo.js';

export interface CustomerImport
  extends Omit<ImportRecord, keyof Undoable<never>>,
    Undoable<CustomerObstacle> {
  readonly rowsAdded: number;
  readonly rowsChanged: number;
  readonly rowsSame: number;
}

const COUNTERS = { new: 'rows_added', changed: 'rows_changed', same: 'rows_same' } as const;

export const CUSTOMER_IMPORTS: ImportKind<ImportClaim, RowEntry> = {
  table: 'customer_imports',
  rowsTable: 'customer_import_rows',
  noun: 'customers',
  poll: 'customer import poll',
  format: FORMAT,
  formatModule: new URL('./columns.js', import.meta.url),
  maxFileBytes: 10 * 1024 * 1024,
  fileName: 'customers.csv',
  keys: ['external_id', 'number_key', 'name_key'],
  rowsDone: '(rows_added + rows_changed + rows_same)',
  columns: `i.rows_added AS "rowsAdded", i.rows_changed AS "rowsChanged",
      i.rows_same AS "rowsSame"`,
  previewColumns: (_, { judgement }) => ({ rows_new: judgement.rows.new }),
  openTrial: openCustomerTrial,
  async apply(claimed, rows, tx) {
    const wanted = wantedBy(rows.map(({ entry }) => entry));
    const changes = await CustomerChanges.open(claimed.companyId, wanted, claimed.createdBy, tx);
    failPoint('locked');
    const applied: number[] = [];
    const refused: RefusedRow[] = [];
    const positions = new Map<string, number>();
    const counts = { rows_added: 0, rows_changed: 0, rows_same: 0 };
    for (const { position, entry } of rows) {
      try {
        const { outcome, record } = await applyRow(changes, entry);
        counts[COUNTERS[outcome]] += 1;
        positions.set(record.id, position);
        applied.push(position);
      } catch (error) {
        refused.push({ position, errors: sentencesOf(error, entry) });
      }
    }
    await recordVersions(claimed, changes, positions, tx);
    await changes.write();
    return { applied, refused, counts: { ...counts, rows_recorded: applied.length } };
  },
  undo: { changesTable: 'customer_import_changes', apply: undoCustomerImport },
};
