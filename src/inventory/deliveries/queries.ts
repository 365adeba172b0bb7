// Reads deliveries: a page of their list, and one delivery with its corrections.
import { type ShownActor, shownActor } from '../../companies/actor.js';
import { type ListStatement, readCurrentPage } from '../../companies/consistent-reads.js';
import { query, queryOne } from '../../platform/db/connection.js';
import {
  containsPattern,
  jsonObject,
  lookUpOne,
  timeJson,
  type Walk,
  walkEnd,
  walkRows,
} from '../../platform/db/sql.js';
import type { Page } from '../../platform/http/pagination.js';
import { fromUnits, toUnits } from '../../platform/values/money.js';
import { matchKey } from '../../platform/values/text.js';

export interface DeliveryFilter {
  readonly limit: number;
  /** Words that all occur in the reference, supplier or note, or in names and SKUs of the items. */
  readonly search?: string;
  /** True to list only deliveries with corrections. */
  readonly corrected: boolean;
}

/** SQL: the adjustment is a delivery. An index has deliveries in the list's order. */
export const isDelivery = (alias: string) =>
  `${alias}.reason = 'received' AND ${alias}.delivery_key IS DISTINCT FROM ''`;
const IS_DELIVERY = isDelivery('a');
/** SQL: the adjustment a was corrected or undone. */
export const IS_CORRECTED = `EXISTS (
    SELECT
    FROM adjustments c
    WHERE c.company_id = a.company_id AND c.corrects = a.id
  )`;

/** SQL: a column of the delivery as its last correction left it. An empty supplier is none. */
export function correctedColumn(alias: string, column: 'supplier' | 'arrived_on'): string {
  return `COALESCE((
    SELECT c.${column}
    FROM adjustments c
    WHERE c.company_id = ${alias}.company_id AND c.corrects = ${alias}.id
      AND c.${column} IS NOT NULL
    ORDER BY c.stock_version DESC
    LIMIT 1
  ), ${alias}.${column})`;
}

/**
 * A delivery's JSON in the list. Reads the adjustments row as a, and its booked lines as total. The
 * sum of its quantities is null if its items have different units.
 */
const rowJson = jsonObject(`
  a.id, a.reference, a.note,
  NULLIF(${correctedColumn('a', 'supplier')}, '') AS supplier,
  ${correctedColumn('a', 'arrived_on')} AS "arrivedOn",
  ${timeJson('a.created_at')} AS "createdAt",
  ${shownActor('a')} AS "createdBy",
  total.items,
  CASE WHEN total.units = 1 THEN trim_scale(total.quantity) END AS quantity,
  total.unit,
  ${IS_CORRECTED} AS corrected,
  a.created_at::text AS "position"`);

/** Sums the lines of the delivery a and of its corrections. */
const TOTAL = `
  SELECT count(DISTINCT line."itemId")::int AS items, sum(line.delta) AS quantity,
    count(DISTINCT COALESCE(i.unit, '')) AS units, min(i.unit) AS unit
  FROM (
    SELECT a.movements
    UNION ALL
    SELECT c.movements FROM adjustments c WHERE c.company_id = $1 AND c.corrects = a.id
  ) booked,
    json_to_recordset(booked.movements) AS line ("itemId" uuid, delta numeric),
    ${lookUpOne('items', 'i', 'company_id = $1 AND id = line."itemId"')}`;

/** Deliveries after `position`, newest first. */
export function listDeliveries(
  companyId: string,
  filter: DeliveryFilter,
  position: string[] | undefined,
): Promise<Page> {
  return readCurrentPage<{ position: string; id: string }>(
    companyId,
    deliveryListStatement(companyId, filter, position),
    last => [last.position, last.id],
  );
}

/** The statement of a list page. It reads a bounded number of rows for any filters. */
export function deliveryListStatement(
  companyId: string,
  { limit, search, corrected }: DeliveryFilter,
  position: string[] | undefined,
): ListStatement {
  const bind: unknown[] = [companyId, limit];
  const range = ['a.company_id = $1', IS_DELIVERY];
  const filters: string[] = [];
  if (position) {
    const [createdAt, id] = position.map(value => `$${bind.push(value)}`);
    range.push(`(a.created_at, a.id) < (${createdAt}::timestamptz, ${id}::uuid)`);
  }
  if (corrected) filters.push(IS_CORRECTED);
  if (search !== undefined) {
    const words = `$${bind.push(matchKey(search).split(' ').map(containsPattern))}::text[]`;
    filters.push(`COALESCE(a.delivery_key, ${OLD_KEY}) LIKE ALL (${words})`);
  }
  const order = 'a.created_at DESC, a.id DESC';
  const walk: Walk = { from: 'adjustments a', range, order, filters };
  const sql = `SELECT ${rowJson}::text AS body
    FROM (${walkRows(walk, limit + 1)}) a, LATERAL (${TOTAL}) total
    ORDER BY ${order}
    LIMIT $2 + 1`;
  const end = walkEnd(walk, 'json_build_array(a.created_at::text, a.id)');
  return { sql, bind, limit, ...(filters.length > 0 ? { walkEnd: end } : {}) };
}

/** Deliveries of an earlier release have no key. Only ASCII letters lose their case. */
const OLD_KEY = `lower(concat_ws(' ', a.reference, a.note) COLLATE "C")`;

/** An item of a delivery. Quantities and costs are decimal text. */
export interface DeliveredItem {
  readonly itemId: string;
  /** The current name, SKU and unit. */
  readonly name: string;
  readonly sku: string | null;
  readonly unit: string | null;
  readonly archived: boolean;
  /** The quantity that was received, and the one after all corrections. */
  readonly received: string;
  readonly quantity: string;
  readonly unitCost: string | null;
  /** The stock after the delivery was received. */
  readonly onHandAfter: string;
}

export interface DeliveryCorrection {
  readonly id: string;
  readonly note: string | null;
  readonly createdAt: string;
  readonly createdBy: ShownActor | null;
  /** Null: unchanged, like `arrivedOn`. Empty: none. */
  readonly supplier: string | null;
  readonly arrivedOn: string | null;
  readonly changes: readonly { readonly itemId: string; readonly delta: string }[];
}

export interface Delivery {
  readonly id: string;
  readonly reference: string | null;
  /** After all corrections, like `arrivedOn`. */
  readonly supplier: string | null;
  readonly arrivedOn: string | null;
  readonly note: string | null;
  readonly createdAt: string;
  readonly createdBy: ShownActor | null;
  /** In the order of the delivery, each item once. */
  readonly items: readonly DeliveredItem[];
  /** Oldest first. */
  readonly corrections: readonly DeliveryCorrection[];
}

/** A delivery or a correction of it. The figures fit a double. */
interface Posting extends Omit<Delivery, 'items' | 'corrections'> {
  readonly movements: readonly {
    readonly itemId: string;
    readonly name: string;
    readonly delta: number;
    readonly onHandAfter: number;
  }[];
  readonly unitCosts: readonly (number | null)[] | null;
}

/** A delivery with its corrections as of one moment; null if the company has no such delivery. */
export async function findDelivery(companyId: string, id: string): Promise<Delivery | null> {
  const [delivery, ...corrections] = await query<Posting>(
    `SELECT a.id, a.reference, a.supplier, a.arrived_on::text AS "arrivedOn", a.note,
       ${timeJson('a.created_at')} AS "createdAt", ${shownActor('a')} AS "createdBy",
       a.movements, a.unit_costs AS "unitCosts"
     FROM (
       SELECT *
       FROM adjustments a
       WHERE a.company_id = $1 AND a.id = $2 AND ${IS_DELIVERY}
       UNION ALL
       SELECT *
       FROM adjustments
       WHERE company_id = $1 AND corrects = $2
     ) a
     ORDER BY a.corrects IS NOT NULL, a.stock_version`,
    [companyId, id],
  );
  if (!delivery) return null;
  const { movements: _, unitCosts: _costs, ...own } = delivery;
  const last = (field: 'supplier' | 'arrivedOn') =>
    [own, ...corrections].findLast(posting => posting[field] !== null)?.[field] || null;
  return {
    ...own,
    supplier: last('supplier'),
    arrivedOn: last('arrivedOn'),
    items: await itemsOf(companyId, delivery, corrections),
    corrections: corrections.map(({ movements, ...correction }) => ({
      ...correction,
      changes: movements.map(({ itemId, delta }) => ({ itemId, delta: String(delta) })),
    })),
  };
}

type CurrentItem = Pick<DeliveredItem, 'itemId' | 'name' | 'sku' | 'unit' | 'archived'>;

async function itemsOf(
  companyId: string,
  { movements, unitCosts }: Posting,
  corrections: readonly Posting[],
): Promise<DeliveredItem[]> {
  const ids = [...new Set(movements.map(({ itemId }) => itemId))];
  const rows = await query<CurrentItem>(
    `SELECT id AS "itemId", name, sku, unit, archived
     FROM items
     WHERE company_id = $1 AND id = ANY($2::uuid[])`,
    [companyId, ids],
  );
  const current = new Map(rows.map(row => [row.itemId, row]));
  return ids.map(itemId => {
    const lines = movements.flatMap((line, index) =>
      line.itemId === itemId ? [{ ...line, unitCost: unitCosts?.[index] ?? null }] : [],
    );
    const changes = corrections.flatMap(each =>
      each.movements.filter(change => change.itemId === itemId),
    );
    const last = lines.at(-1);
    const unitCost = lines.findLast(line => line.unitCost !== null)?.unitCost ?? null;
    const missing = { itemId, name: last?.name ?? '', sku: null, unit: null, archived: true };
    return {
      ...(current.get(itemId) ?? missing),
      received: sumOf(lines),
      quantity: sumOf([...lines, ...changes]),
      unitCost: unitCost === null ? null : fromUnits(toUnits(unitCost)),
      onHandAfter: fromUnits(toUnits(last?.onHandAfter ?? 0)),
    };
  });
}

function sumOf(lines: readonly { readonly delta: number }[]): string {
  return fromUnits(lines.reduce((sum, { delta }) => sum + toUnits(delta), 0n));
}

/** The id of the delivery that an adjustment corrects; null if it is not a correction. */
export async function findCorrectedDelivery(companyId: string, id: string): Promise<string | null> {
  const row = await queryOne<{ corrects: string | null }>(
    'SELECT corrects FROM adjustments WHERE company_id = $1 AND id = $2',
    [companyId, id],
  );
  return row?.corrects ?? null;
}
