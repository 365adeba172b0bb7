// All of a company's stock as CSV, in the form that an import takes: exported, edited and sent back, it says what is on hand.

import { query } from '../platform/db/connection.js';
import { BOM, csvRecord } from './imports/csv.js';

/** Items in memory at once, whatever a company has. */
const PAGE = 2_000;
const HEADER = ['name', 'sku', 'count', 'unit', 'reorderPoint', 'unitCost', 'unitPrice'];

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
 * The file in pieces, items by name. Each page is read when the one before has been taken, and shows stock as of then: an
 * export is no snapshot, and holds nothing open for a slow reader.
 */
export async function* exportItems(companyId: string): AsyncGenerator<string> {
  yield BOM + csvRecord(HEADER);
  for (let last: ExportRow | null = null; ; ) {
    const rows: ExportRow[] = await query<ExportRow>(
      `SELECT id, name, sku, trim_scale(on_hand)::text AS "onHand", unit, trim_scale(reorder_point)::text AS "reorderPoint",
         trim_scale(unit_cost)::text AS "unitCost", trim_scale(unit_price)::text AS "unitPrice"
       FROM items WHERE company_id = $1 ${last ? 'AND (name, id) > ($3, $4::uuid)' : ''} ORDER BY name, id LIMIT $2`,
      [companyId, PAGE, ...(last ? [last.name, last.id] : [])],
    );
    if (rows.length > 0) yield rows.map(toRecord).join('');
    last = rows.at(-1) ?? null;
    if (rows.length < PAGE) return;
  }
}

function toRecord({
  name,
  sku,
  onHand,
  unit,
  reorderPoint,
  unitCost,
  unitPrice,
}: ExportRow): string {
  const numbers = [reorderPoint, unitCost, unitPrice].map(number => ({ number }));
  return csvRecord([name, sku, { number: onHand }, unit, ...numbers]);
}
