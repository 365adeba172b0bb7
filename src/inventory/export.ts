// A company's stock as CSV, in the format that an import accepts, so an export can be edited and
// imported again as a stock count. The column "Expected on hand" tells the import which counts were
// edited, and whose stock changed since the export.
import type { CsvFormat } from '../companies/csv-format.js';
import { readRows } from '../platform/db/list-reads.js';
import { BOM, type Cell, csvRecord } from './imports/csv.js';

/** Rows per query. Bounds memory, however many items a company has. */
const PAGE_SIZE = 2_000;
const HEADER = [
  ...['Name', 'SKU', 'Count', 'Unit', 'Reorder point', 'Unit cost', 'Unit price'],
  'Expected on hand',
];

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
 * open.
 */
export async function* exportItems(companyId: string, format: CsvFormat): AsyncGenerator<string> {
  yield BOM + csvRecord(HEADER, format);
  for (let last: ExportRow | null = null; ; ) {
    const rows: ExportRow[] = await readRows<ExportRow>(
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
    if (rows.length > 0) yield rows.map(row => csvRecord(toCells(row), format)).join('');
    last = rows.at(-1) ?? null;
    if (rows.length < PAGE_SIZE) return;
  }
}

function toCells(item: ExportRow): Cell[] {
  const numbers = [item.reorderPoint, item.unitCost, item.unitPrice, item.onHand].map(number => ({
    number,
  }));
  return [item.name, item.sku, { number: item.onHand }, item.unit, ...numbers];
}
