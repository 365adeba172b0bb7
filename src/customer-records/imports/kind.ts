// Imports of customers. A row adds or changes a record, and sees the changes of earlier rows.
import type { ImportClaim, ImportKind, RefusedRow } from '../../imports/kind.js';
import type { ImportRecord } from '../../imports/queries.js';
import { Problem } from '../../platform/errors.js';
import { failPoint } from '../../platform/process/fail-point.js';
import { CustomerChanges } from '../changes/changes.js';
import { wantedBy } from '../identify.js';
import { applyRow } from './apply-row.js';
import { customerErrorText, type RowEntry } from './columns.js';

export interface CustomerImport extends ImportRecord {
  /** Valid rows whose record did not exist when the file was read. */
  readonly rowsNew: number;
  readonly rowsAdded: number;
  readonly rowsChanged: number;
  readonly rowsSame: number;
}

/** Rows whose record does not exist. Two rows of one new customer both count. */
const NEW_ROWS = `
  SELECT count(*)
  FROM customer_import_rows r
  WHERE r.company_id = $1 AND r.import_id = $2 AND r.errors IS NULL
    AND NOT EXISTS (
      SELECT FROM customers c WHERE c.company_id = $1 AND c.external_id = r.external_id
    )
    AND NOT EXISTS (
      SELECT FROM customers c WHERE c.company_id = $1 AND c.number_key = r.number_key
    )
    AND NOT EXISTS (
      SELECT FROM customer_names n WHERE n.company_id = $1 AND n.name_key = r.name_key
    )`;

export const CUSTOMER_IMPORTS: ImportKind<ImportClaim, RowEntry> = {
  table: 'customer_imports',
  rowsTable: 'customer_import_rows',
  poll: 'customer import poll',
  format: new URL('./columns.js', import.meta.url),
  maxFileBytes: 10 * 1024 * 1024,
  fileName: 'customers.csv',
  keys: ['external_id', 'number_key', 'name_key'],
  rowsDone: 'rows_added + rows_changed + rows_same',
  columns: `i.rows_new AS "rowsNew", i.rows_added AS "rowsAdded",
      i.rows_changed AS "rowsChanged", i.rows_same AS "rowsSame"`,
  previewColumns: () => ({ rows_new: 0 }),
  previewFigures: { rows_new: NEW_ROWS },
  async apply({ companyId, createdBy }, rows, tx) {
    const changes = await CustomerChanges.open(
      companyId,
      wantedBy(rows.map(({ entry }) => entry)),
      createdBy,
      tx,
    );
    failPoint('locked');
    const applied: number[] = [];
    const refused: RefusedRow[] = [];
    const counts = { rows_added: 0, rows_changed: 0, rows_same: 0 };
    for (const { position, entry } of rows) {
      try {
        counts[`rows_${await applyRow(changes, entry)}`] += 1;
        applied.push(position);
      } catch (error) {
        if (!(error instanceof Problem)) throw error;
        refused.push({ position, errors: sentencesOf(error, entry) });
      }
    }
    await changes.write();
    return { applied, refused, counts };
  },
};

function sentencesOf({ message, details }: Problem, entry: RowEntry): string[] {
  const { errors = [] } = details;
  return errors.length === 0 ? [message] : errors.map(error => customerErrorText(error, entry));
}
