// Stock movements of one item, or of all items of a company, as CSV. This file is in the ledger
// because a movement's source may be an invoice or a credit note, whose number it shows.

import type { Actor } from '../companies/actor.js';
import { localTime } from '../companies/local-time.js';
import { correctedColumn } from '../inventory/deliveries/queries.js';
import { numberText } from '../invoices/queries.js';
import { readFileRows } from '../platform/db/lists/file-reads.js';
import { BOM, type Cell, type CsvFormat, csvLine } from '../platform/values/csv.js';
import { creditNoteNumberText } from './queries.js';

/** Rows per query, each with four index look-ups. Bounds memory for any number of movements. */
const PAGE_SIZE = 2_000;
const HEADER = [
  ...['Item', 'SKU', 'Created', 'Kind', 'Change', 'On hand after', 'Unit', 'Invoice'],
  ...['Credit note', 'Reference', 'Note', 'Created by', 'Supplier', 'Arrived'],
];

interface ExportRow {
  readonly itemId: string;
  readonly id: string;
  readonly name: string;
  readonly sku: string | null;
  readonly unit: string | null;
  readonly createdAt: string;
  readonly kind: string;
  readonly delta: string;
  readonly onHandAfter: string;
  readonly invoice: string | null;
  readonly creditNote: string | null;
  readonly reference: string | null;
  readonly note: string | null;
  readonly createdBy: Actor | null;
  readonly supplier: string | null;
  readonly arrivedOn: string | null;
}

/**
 * The file in chunks: item by item, each with its movements in order. That is the order of the only
 * index. Each page is read after the consumer took the previous one.
 */
export async function* exportMovements(
  companyId: string,
  itemId: string | null,
  format: CsvFormat,
): AsyncGenerator<string> {
  yield BOM + csvLine(HEADER, format);
  for (let last: ExportRow | undefined; ; ) {
    const rows: ExportRow[] = await readPage(companyId, itemId, last);
    if (rows.length > 0) yield rows.map(row => csvLine(toCells(row), format)).join('');
    last = rows.at(-1);
    if (rows.length < PAGE_SIZE) return;
  }
}

function readPage(
  companyId: string,
  itemId: string | null,
  last: ExportRow | undefined,
): Promise<ExportRow[]> {
  const bind: unknown[] = [companyId];
  const value = (bound: unknown) => `$${bind.push(bound)}`;
  const range = ['company_id = $1'];
  if (itemId !== null) range.push(`item_id = ${value(itemId)}::uuid`);
  if (last) range.push(`(item_id, id) > (${value(last.itemId)}::uuid, ${value(last.id)}::bigint)`);
  return readFileRows<ExportRow>(
    companyId,
    `SELECT w.item_id AS "itemId", w.id, item.name, item.sku, item.unit,
       ${localTime('w.created_at')} AS "createdAt",
       w.kind,
       trim_scale(w.delta)::text AS delta,
       trim_scale(w.on_hand_after)::text AS "onHandAfter",
       sale.number AS invoice,
       note.number AS "creditNote",
       adjustment.reference, adjustment.note,
       NULLIF(${correctedColumn('adjustment', 'supplier')}, '') AS supplier,
       ${correctedColumn('adjustment', 'arrived_on')}::text AS "arrivedOn",
       COALESCE(sale.created_by, note.created_by, adjustment.created_by) AS "createdBy"
     FROM (
       SELECT *
       FROM movements
       WHERE ${range.join(' AND ')}
       ORDER BY item_id, id
       LIMIT ${PAGE_SIZE}
     ) w
     CROSS JOIN LATERAL (
       SELECT *
       FROM items
       WHERE company_id = w.company_id AND id = w.item_id
       LIMIT 1
     ) item
     LEFT JOIN LATERAL (
       SELECT ${numberText} AS number, created_by
       FROM invoices i
       WHERE i.company_id = w.company_id AND i.id = w.invoice_id
       LIMIT 1
     ) sale ON true
     LEFT JOIN LATERAL (
       SELECT ${creditNoteNumberText} AS number, created_by
       FROM entries e
       WHERE e.company_id = w.company_id AND e.id = w.credit_note_id
       LIMIT 1
     ) note ON true
     LEFT JOIN LATERAL (
       SELECT *
       FROM adjustments
       WHERE company_id = w.company_id AND id = w.adjustment_id
       LIMIT 1
     ) adjustment ON true
     ORDER BY w.item_id, w.id`,
    bind,
  );
}

function toCells(row: ExportRow): Cell[] {
  const { name, sku, createdAt, kind, delta, onHandAfter, unit } = row;
  return [
    ...[name, sku, createdAt, kind],
    ...[{ number: delta }, { number: onHandAfter }],
    ...[unit, row.invoice, row.creditNote, row.reference, row.note],
    ...[row.createdBy?.name ?? null, row.supplier, row.arrivedOn],
  ];
}
