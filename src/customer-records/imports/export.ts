// Customers as CSV, in the format that an import accepts: an export that is imported again
// unedited changes nothing.

import { customerBodies } from '../../customers/queries.js';
import type { CustomerRecord } from '../../customers/record.js';
import { LIST_SEPARATOR } from '../../imports/file/cells.js';
import { BOM, type Cell, type CsvFormat, csvLine } from '../../platform/values/csv.js';
import {
  listOwingCustomers,
  type OwingCustomers,
  type OwingFilter,
} from '../../receivables/customer-list.js';
import { columnValue } from './columns.js';
import { CUSTOMER_FILE_COLUMNS, type CustomerColumn } from './headings.js';

/** Rows per query. Bounds memory, however many records a company has. */
const PAGE_SIZE = 1_000;

/**
 * The file in chunks, in the list's order. Each page is read after the consumer took the one
 * before: an export is not a snapshot, so a slow reader holds no transaction open.
 */
export async function* exportCustomers(
  companyId: string,
  filter: OwingFilter,
  format: CsvFormat,
): AsyncGenerator<string> {
  const heads = CUSTOMER_FILE_COLUMNS.names.map(name => CUSTOMER_FILE_COLUMNS.spec(name).label);
  yield BOM + csvLine(heads, format);
  for (let after: string[] | undefined | null; after !== null; ) {
    const page: OwingCustomers = await listOwingCustomers(
      companyId,
      filter,
      PAGE_SIZE,
      after ?? undefined,
    );
    const ids = page.rows.map(({ id }) => id);
    const bodies = await customerBodies(companyId, ids);
    const records = ids.flatMap(id => {
      const body = bodies.get(id);
      if (body === undefined) return [];
      const customer = JSON.parse(body) as CustomerRecord;
      const cells = CUSTOMER_FILE_COLUMNS.names.map(column => cellOf(customer, column));
      return [csvLine(cells, format)];
    });
    if (records.length > 0) yield records.join('');
    after = page.next;
  }
}

function cellOf(customer: CustomerRecord, column: CustomerColumn): Cell {
  const value = columnValue(customer, column);
  if (value === null) return null;
  if (typeof value === 'number') return { number: String(value) };
  return Array.isArray(value) ? value.join(LIST_SEPARATOR) : String(value);
}
