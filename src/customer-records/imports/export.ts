// Records as CSV, in the format that an import accepts: an export that is imported again
// unedited changes nothing.

import { listCustomers } from '../../customers/queries.js';
import type { CustomerRecord } from '../../customers/record.js';
import { LIST_SEPARATOR } from '../../imports/file/cells.js';
import { BOM, type Cell, type CsvFormat, csvLine } from '../../platform/values/csv.js';
import { columnValue } from './columns.js';
import { CUSTOMER_FILE_COLUMNS, type CustomerColumn } from './headings.js';

/** Rows per query. Bounds memory, however many records a company has. */
const PAGE_SIZE = 1_000;

/**
 * The file in chunks, by name. Each page is read after the consumer took the previous one: an
 * export is not a snapshot, so a slow reader holds no transaction open.
 */
export async function* exportCustomers(
  companyId: string,
  filter: { readonly q?: string; readonly hold?: boolean; readonly archived?: boolean },
  format: CsvFormat,
): AsyncGenerator<string> {
  yield BOM + csvLine(CUSTOMER_FILE_COLUMNS.names, format);
  for (let after: string[] | null | undefined; after !== null; ) {
    const page: Awaited<ReturnType<typeof listCustomers>> = await listCustomers(
      companyId,
      { ...filter, limit: PAGE_SIZE },
      after,
    );
    const customers = JSON.parse(String(page.body)) as CustomerRecord[];
    if (customers.length > 0)
      yield customers
        .map(customer =>
          csvLine(
            CUSTOMER_FILE_COLUMNS.names.map(column => cellOf(customer, column)),
            format,
          ),
        )
        .join('');
    after = page.next;
  }
}

function cellOf(customer: CustomerRecord, column: CustomerColumn): Cell {
  const value = columnValue(customer, column);
  if (value === null) return null;
  if (typeof value === 'number') return { number: String(value) };
  return Array.isArray(value) ? value.join(LIST_SEPARATOR) : String(value);
}
