// The rows of an import that were not applied, as a CSV file.
import { BOM, type CsvFormat, csvLine } from '../platform/values/csv.js';
import type { ImportKind } from './kind.js';
import { listRowsLeft } from './queries.js';

const ROWS_PER_QUERY = 1_000;

/**
 * The original cells of the rows after two columns with the line and the problem. Corrected, the
 * file can be imported as it is, since an import ignores those two columns.
 */
export async function* exportRowsLeft(
  kind: ImportKind,
  companyId: string,
  { id, header }: { readonly id: string; readonly header: readonly string[] },
  format: CsvFormat,
): AsyncGenerator<string> {
  const asRead = (cells: readonly string[]) => cells.map(cell => ({ asRead: cell }));
  yield BOM + csvLine(['Line', 'Problem', ...asRead(header)], format);
  for (let after = 0; ; ) {
    const filter = { after, limit: ROWS_PER_QUERY, which: 'all' } as const;
    const rows = await listRowsLeft(kind, companyId, id, filter);
    const records = rows.map(({ line, cells, errors }) => {
      const problem = (errors ?? ['Not imported.']).join(' ');
      return csvLine([{ number: String(line) }, problem, ...asRead(cells)], format);
    });
    if (records.length > 0) yield records.join('');
    after = rows.at(-1)?.position ?? after;
    if (rows.length < ROWS_PER_QUERY) return;
  }
}
