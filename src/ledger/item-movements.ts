// GET /inventory/{id}/movements. This file is in the ledger because a movement's source may be an
// invoice or a credit note, whose number it shows.

import { listEndpoint } from '../api/endpoint.js';
import { type ListStatement, readCurrentPage } from '../companies/consistent-reads.js';
import { findItem } from '../inventory/queries.js';
import { BY_SKU, REASONS } from '../inventory/schema.js';
import { numberText } from '../invoices/queries.js';
import {
  hashedUuid,
  jsonObject,
  timeJson,
  type Walk,
  walkEnd,
  walkRows,
} from '../platform/db/sql.js';
import { object, oneOf, type ValueOf } from '../platform/http/input/typed-schema.js';
import { calendarDate, cursor, MAX_ITEMS, pageSize } from '../platform/http/input/validate.js';
import type { Page } from '../platform/http/pagination.js';
import { creditNoteNumberText } from './queries.js';

/** Invoices make sales and credit notes make returns; an adjustment's movements have its reason. */
export const MOVEMENT_KINDS = ['sale', 'return', ...REASONS] as const;

/** The largest page. */
const MAX_MOVEMENTS = 200;

/** The most movements of one item by one source: all entries of an adjustment may concern it. */
const SOURCE_MAX = MAX_ITEMS;

export const movementQuery = object({
  limit: pageSize(50, MAX_MOVEMENTS).description('Movements per page.'),
  cursor: cursor(),
  from: calendarDate().description("First day, inclusive, in the company's time zone."),
  to: calendarDate().description("Last day, inclusive, in the company's time zone."),
  kind: oneOf(...MOVEMENT_KINDS).description(
    '`sale` for invoices, `return` for credit notes, or the reason of an adjustment.',
  ),
});
type MovementQuery = ValueOf<typeof movementQuery>;

export const itemMovementsEndpoint = listEndpoint({
  path: '/inventory/{id}/movements',
  id: 'listItemMovements',
  tag: 'Inventory',
  summary: "List an item's movements",
  description:
    'Newest first. A plain array; the `Link` header leads to the next page. Each movement ' +
    'comes from an invoice, an adjustment or a credit note. With filters, a page may have ' +
    'fewer movements than the limit, or none, and still have a next page.',
  scope: 'inventory:read',
  noun: 'item',
  search: BY_SKU,
  query: movementQuery,
  answer: 'A page of movements.',
  schema: 'ItemMovement',
  cursors: 'movements',
  page: async ({ companyId, timeZone }, filter, position, id) =>
    (await findItem(companyId, id)) === null
      ? null
      : listItemMovements(companyId, id, timeZone, filter, position),
});

/** SQL for the id of what moved stock. Reads the movement as m. */
const SOURCE_ID = 'COALESCE(m.invoice_id, m.adjustment_id, m.credit_note_id)';

/**
 * A movement's JSON. Reads the movement as m, with its place among the movements of this item by
 * its source, and its invoice or credit note, if any, as i or e. The table's own id counts the
 * movements of all companies, so it is in no answer.
 */
const movementJson = jsonObject(`
  ${hashedUuid(`${SOURCE_ID} || ' ' || m.item_id || ' ' || m.place`)} AS id, m.kind,
  trim_scale(m.delta) AS delta,
  trim_scale(m.on_hand_after) AS "onHandAfter",
  json_build_object(
    'type', CASE
      WHEN m.invoice_id IS NOT NULL THEN 'invoice'
      WHEN m.credit_note_id IS NOT NULL THEN 'creditNote'
      ELSE 'adjustment'
    END,
    'id', ${SOURCE_ID},
    'number', COALESCE(${numberText}, ${creditNoteNumberText})
  ) AS source,
  ${timeJson('m.created_at')} AS "createdAt"`);

/** Movements after `position`, the last page's last id, newest first. */
export function listItemMovements(
  companyId: string,
  itemId: string,
  timeZone: string,
  filter: MovementQuery,
  position: string[] | undefined,
): Promise<Page> {
  const statement = movementListStatement(companyId, itemId, timeZone, filter, position);
  return readCurrentPage(companyId, statement, () => []);
}

/** The statement of a list page. It reads a bounded number of rows for any filters. */
export function movementListStatement(
  companyId: string,
  itemId: string,
  timeZone: string,
  { limit, from, to, kind }: MovementQuery,
  position: string[] | undefined,
): ListStatement {
  const bind: unknown[] = [companyId, limit, itemId];
  const value = (bound: unknown) => `$${bind.push(bound)}`;
  const startOf = (day: string) => `(${day})::timestamp AT TIME ZONE ${value(timeZone)}`;
  const ofItem = ['m.company_id = $1', 'm.item_id = $3'];
  const filters: string[] = [];
  if (from !== undefined) filters.push(`m.created_at >= ${startOf(`${value(from)}::date`)}`);
  if (to !== undefined) filters.push(`m.created_at < ${startOf(`${value(to)}::date + 1`)}`);
  if (kind !== undefined) filters.push(`m.kind = ${value(kind)}`);
  const range = position ? [...ofItem, `m.id < ${value(position[0])}::bigint`] : ofItem;
  const walk: Walk = { from: 'movements m', range, order: 'm.id DESC', filters };
  // A source's movements of an item follow each other, so rows before a page decide the places of
  // its last rows. They have one kind and time, so a filter leaves out all of them or none.
  const sql = `
    WITH page AS MATERIALIZED (
      SELECT * FROM (${walkRows(walk, MAX_MOVEMENTS + 1)}) m ORDER BY m.id DESC LIMIT $2 + 1
    ), earlier AS MATERIALIZED (
      SELECT *
      FROM movements m
      WHERE ${ofItem.join(' AND ')} AND m.id < (SELECT min(id) FROM page)
      ORDER BY m.id DESC
      LIMIT ${SOURCE_MAX}
    )
    SELECT ${movementJson}::text AS body, json_build_array(m.id::text) AS position
    FROM (
      SELECT m.*, row_number() OVER (PARTITION BY ${SOURCE_ID} ORDER BY m.id) AS place
      FROM (SELECT * FROM page UNION ALL SELECT * FROM earlier) m
    ) m
    LEFT JOIN invoices i ON i.company_id = $1 AND i.id = m.invoice_id
    LEFT JOIN entries e ON e.company_id = $1 AND e.id = m.credit_note_id
    WHERE m.id >= (SELECT min(id) FROM page)
    ORDER BY m.id DESC`;
  const end = walkEnd(walk, 'json_build_array(m.id::text)');
  const hasEnd = filters.length > 0;
  return { sql, bind, limit, hasPositions: true, ...(hasEnd ? { walkEnd: end } : {}) };
}
