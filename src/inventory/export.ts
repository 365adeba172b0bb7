// A company's stock as CSV, in the format that an import accepts, so an export can be edited and
// imported again as a stock count. The column "Expected on hand" tells the import which counts were
// edited, and whose stock changed since the export.

import { readFileRows } from '../platform/db/lists/file-reads.js';
import { BOM, type Cell, type CsvFormat, csvLine } from '../platform/values/csv.js';

/** Rows per query. Bounds memory, however many items a company has. */
const PAGE_SIZE = 2_000;
/** The columns with the field of each. */
const COLUMNS = [
  ['Name', 'name'],
  ['SKU', 'sku'],
  ['Count', 'onHand'],
  ['Unit', 'unit'],
  ['Reorder point', 'reorderPoint'],
  ['Unit cost', 'unitCost'],
  ['Unit price', 'unitPrice'],
  ['Expected on hand', 'onHand'],
] as const;
const PRICES: ReadonlySet<string> = new Set(['unitCost', 'unitPrice']);
const TEXTS: ReadonlySet<string> = new Set(['name', 'sku', 'unit']);

interface ExportRow {
  readonly id: string;
  readonly name: string;
  readonly sku: string | null;
  readonly onHand: string;
  readonly unit: string | null;
  readonly reorderPoint: string;
  readonly unitCost: string | null;
  readonly unitPrice: string | null;
}

/**
 * The file in chunks, items by name. Each page is read after the consumer took the previous one and
 * shows stock at that time: an export is not a snapshot, so a slow reader holds no transaction
 * open. Without prices, the file leaves out their columns.
 */
export async function* exportItems(
  companyId: string,
  hasPrices: boolean,
  format: CsvFormat,
): AsyncGenerator<string> {
  const columns = COLUMNS.filter(([, field]) => hasPrices || !PRICES.has(field));
  const heads = columns.map(([head]) => head);
  yield BOM + csvLine(heads, format);
  for (let last: ExportRow | null = null; ; ) {
    const rows: ExportRow[] = await readFileRows<ExportRow>(
      companyId,
      `SELECT id, name, sku,
         trim_scale(on_hand)::text AS "onHand",
         unit,
         trim_scale(reorder_point)::text AS "reorderPoint",
         trim_scale(unit_cost)::text AS "unitCost",
         trim_scale(unit_price)::text AS "unitPrice"
       FROM items
       WHERE company_id = $1 AND NOT archived ${last ? 'AND (name, id) > ($3, $4::uuid)' : ''}
       ORDER BY name, id
       LIMIT $2`,
      [companyId, PAGE_SIZE, ...(last ? [last.name, last.id] : [])],
    );
    if (rows.length > 0) yield rows.map(row => csvLine(toCells(row, columns), format)).join('');
    last = rows.at(-1) ?? null;
    if (rows.length < PAGE_SIZE) return;
  }
}

function toCells(item: ExportRow, columns: readonly (typeof COLUMNS)[number][]): Cell[] {
  return columns.map(([, field]) => (TEXTS.has(field) ? item[field] : { number: item[field] }));
}
