// Tries rows of a file on the records as they are, for a preview.
import type { Actor } from '../../companies/actor.js';
import type { ImportedFile } from '../../imports/file/read-file.js';
import type { ImportTrial } from '../../imports/judgement.js';
import { Problem } from '../../platform/errors.js';
import { CustomerChanges } from '../changes/changes.js';
import { textOf, wantedBy } from '../identify.js';
import { applyRow, type FoundRecord, recordOfRow } from './apply-row.js';
import { columnValue, customerErrorText, type RowEntry } from './columns.js';
import type { CustomerColumn } from './headings.js';

const NAMING = ['name', 'number', 'externalId'] as const;

export async function openCustomerTrial(
  companyId: string,
  _file: ImportedFile,
  user: Actor,
): Promise<ImportTrial<RowEntry>> {
  const changes = await CustomerChanges.openUnlocked(companyId, user);
  return {
    load: rows => changes.load(wantedBy(rows.map(({ entry }) => entry))),
    find: async entry => {
      const found = await recordOfRow(changes, entry);
      if (!found) return null;
      const { record, by, without } = found;
      return { id: record.id, by, without: by === 'name' ? [] : without };
    },
    names: entry =>
      Object.fromEntries(
        NAMING.flatMap(column => textOf(entry[column]).map(text => [column, text] as const)),
      ),
    apply: async ({ entry }) => {
      const found = await recordOfRow(changes, entry);
      try {
        const { outcome, record } = await applyRow(changes, entry);
        const before = found ? valuesBefore(found, entry) : null;
        return { id: record.id, outcome, label: record.name, before };
      } catch (error) {
        return { errors: sentencesOf(error, entry) };
      }
    },
  };
}

/**
 * The record's values of the columns that a row has. A column that does not change the record has
 * the row's own value, so that no change is shown.
 */
function valuesBefore({ record, without }: FoundRecord, entry: RowEntry): Record<string, unknown> {
  const columns = Object.keys(entry) as CustomerColumn[];
  return Object.fromEntries(
    columns.map(column => [
      column,
      without.includes(column) ? entry[column] : columnValue(record, column),
    ]),
  );
}

/** The sentences about a refused row. Throws an error that is no Problem. */
export function sentencesOf(error: unknown, entry: RowEntry): string[] {
  if (!(error instanceof Problem)) throw error;
  const { errors = [] } = error.details;
  return errors.length === 0 ? [error.message] : errors.map(each => customerErrorText(each, entry));
}
