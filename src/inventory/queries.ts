// Stock queries. Each one's JSON text is the response body.
import { type ListStatement, readCurrentPage } from '../companies/consistent-reads.js';
import { plainArray } from '../platform/db/arrays.js';
import { query, queryOne } from '../platform/db/connection.js';
import { COUNT_LIMIT, readRows } from '../platform/db/list-reads.js';
import {
  readSorted,
  type SortedPage,
  type SortedRows,
  type SortedSource,
} from '../platform/db/lists/sorted-reads.js';
import {
  isExactly,
  jsonObject,
  keyContains,
  lookUpOne,
  timeJson,
  type Walk,
  walkEnd,
  walkRows,
} from '../platform/db/sql.js';
import type { Page } from '../platform/http/pagination.js';
import { foldText } from '../platform/values/folded-text.js';
import { matchKey } from '../platform/values/text.js';
import { type InventoryQuery, MAX_ITEM_PAGE } from './schema.js';

/** The one definition of an item's JSON. Reads the items row as i. */
export const itemJson = jsonObject(`
  i.id, i.sku, i.name, i.unit,
  trim_scale(i.on_hand) AS "onHand",
  trim_scale(i.reorder_point) AS "reorderPoint",
  i.low,
  trim_scale(i.unit_cost) AS "unitCost",
  trim_scale(i.unit_price) AS "unitPrice",
  ${timeJson('i.updated_at')} AS "updatedAt",
  i.archived`);

/** The JSON text of one movement in an adjustment's response. Reads its values as m. */
export const movementJson = `${jsonObject(`
  m."itemId", m.name,
  trim_scale(m.delta) AS delta,
  trim_scale(m.before) AS "onHandBefore",
  trim_scale(m.after) AS "onHandAfter"`)}::text`;

const ADJUSTMENT = `
  a.id, a.reason, a.reference, a.note,
  ${timeJson('a.created_at')} AS "createdAt"`;

/** The one definition of an adjustment's JSON text. Reads the adjustments row as a. */
export const adjustmentJson = `${jsonObject(`${ADJUSTMENT}, a.movements`)}::text`;

/** An adjustment's JSON text without its movements. Reads the adjustments row as a. */
export const adjustmentDetailsJson = `${jsonObject(ADJUSTMENT)}::text`;

/** Filters of an item list: the API's and the dashboard's. */
export interface ItemFilter extends Omit<InventoryQuery, 'updatedSince'> {
  /** Like `q`, but read to the end: 100,000 names take some 30 ms. */
  readonly search?: string;
  /** True to list only items out of stock. They are also low: reorder points are not negative. */
  readonly out?: boolean;
  /** The opposite order. */
  readonly lastFirst?: boolean;
  /** The ids of the items that may be listed, a few thousand at most. */
  readonly ids?: readonly string[];
  /** SQL that reads the item as i. */
  readonly condition?: (value: Bind) => string;
}

type Bind = (bound: unknown) => string;

/** Items after `position`, by name and id in code point order. */
export function listItems(
  companyId: string,
  filter: ItemFilter,
  position: string[] | undefined,
): Promise<Page> {
  const statement = itemListStatement(companyId, filter, position);
  return readCurrentPage<{ name: string; id: string }>(companyId, statement, ({ name, id }) => [
    name,
    id,
  ]);
}

/**
 * The statement of a list page. It reads a bounded number of rows for any filters, except for a
 * search, which reads the names of all items if few match.
 */
export function itemListStatement(
  companyId: string,
  filter: ItemFilter,
  position: string[] | undefined,
): ListStatement {
  const bind: unknown[] = [companyId, filter.limit];
  const { range, filters } = itemConditions(filter, bound => `$${bind.push(bound)}`);
  if (position) {
    const [name, id] = position.map(value => `$${bind.push(value)}`);
    range.push(`(i.name, i.id) ${filter.lastFirst ? '<' : '>'} (${name}, ${id}::uuid)`);
  }
  const order = filter.lastFirst ? 'i.name DESC, i.id DESC' : 'i.name, i.id';
  const walk = walkOf(filter, { range, order, filters }, bind);
  const sql = `SELECT ${itemJson}::text AS body
    FROM (${walkRows(walk, MAX_ITEM_PAGE + 1)}) i
    ORDER BY ${order}
    LIMIT $2 + 1`;
  const end = walkEnd(walk, 'json_build_array(i.name, i.id)');
  return {
    sql,
    bind,
    limit: filter.limit,
    ...(walk.filters.length > 0 ? { walkEnd: end } : {}),
  };
}

function walkOf({ ids }: ItemFilter, rest: Omit<Walk, 'from'>, bind: unknown[]): Walk {
  if (ids === undefined) return { from: 'items i', ...rest };
  const from = `(
    SELECT found.*
    FROM unnest($${bind.push(plainArray(ids))}::uuid[]) AS wanted (id),
      ${lookUpOne('items', 'found', 'company_id = $1 AND id = wanted.id')}
  ) i`;
  // All of them are read before they are sorted.
  return { from, ...rest, range: [...rest.range, ...rest.filters], filters: [] };
}

/** How many items match, and how many of them come before an item; null: more than COUNT_LIMIT. */
export async function countItems(
  companyId: string,
  filter: ItemFilter,
  { name, id }: { readonly name: string; readonly id: string },
): Promise<{ total: number; before: number } | null> {
  const bind: unknown[] = [companyId, name, id];
  const { range, filters } = itemConditions(filter, bound => `$${bind.push(bound)}`);
  const [row] = await readRows<{ total: number; before: number }>(
    companyId,
    `SELECT count(*)::int AS total,
       count(*) FILTER (
         WHERE (name, id) ${filter.lastFirst ? '>' : '<'} ($2, $3::uuid)
       )::int AS before
     FROM (
       SELECT i.name, i.id
       FROM items i
       WHERE ${[...range, ...filters].join(' AND ')}
       LIMIT ${COUNT_LIMIT + 1}
     ) counted`,
    bind,
  );
  return row && row.total <= COUNT_LIMIT ? row : null;
}

const FIGURES = { onHand: 'i.on_hand', unitPrice: 'i.unit_price' };

/** Items by a figure; equal ones by name. Null if there are too many items to sort. */
export function sortedItems(
  companyId: string,
  filter: ItemFilter,
  page: SortedPage,
): Promise<SortedRows<{ readonly body: string }, unknown> | null> {
  return readSorted(companyId, itemSource(filter), page);
}

/** The items that the filter selects. */
export function itemSource(filter: ItemFilter) {
  return (value: Bind): SortedSource => {
    const { range, filters } = itemConditions(filter, value);
    return {
      from: `items i WHERE ${range.join(' AND ')} ORDER BY i.name, i.id`,
      matches: filters.join(' AND ') || 'true',
      table: ['items', 'i'],
      columns: `${itemJson}::text AS body`,
      figures: FIGURES,
      ties: { 'i.name': 'text', 'i.id': 'uuid' },
    };
  };
}

/**
 * The conditions of a filter and of the company, $1: those that an index serves, in the list's
 * order or with a unique key, and the others. They read the item as i.
 */
function itemConditions(filter: ItemFilter, value: Bind): { range: string[]; filters: string[] } {
  const range = ['i.company_id = $1', filter.archived ? 'i.archived' : 'NOT i.archived'];
  const filters: string[] = [];
  // The list of archived items has the only index on archived items.
  const indexed = filter.archived ? filters : range;
  if (filter.low || filter.out) indexed.push('i.low');
  if (filter.out) filters.push('i.on_hand <= 0');
  if (filter.search !== undefined) {
    range.push(itemContains(filter.search, value));
  }
  if (filter.q !== undefined) filters.push(itemContains(filter.q, value));
  if (filter.condition) filters.push(filter.condition(value));
  if (filter.sku !== undefined) indexed.push(isExactly('i.sku_key', value(matchKey(filter.sku))));
  if (filter.name !== undefined)
    indexed.push(isNamed(value(matchKey(filter.name)), filter.archived));
  return { range, filters };
}

/** SQL: the item i has each word of a text in its name or SKU, or all of it in the SKU. */
export function itemContains(text: string, value: Bind): string {
  const folded = foldText(text);
  const inSku = (part: string) => keyContains('i.sku_key', part, value);
  const words = folded
    .split(' ')
    .map(word => `(${keyContains('i.name_key', word, value)} OR ${inSku(word)})`);
  return words.length === 1 ? String(words) : `(${words.join(' AND ')} OR ${inSku(folded)})`;
}

/**
 * SQL: the item i has this key as its name or a former name. Among items in use that is one item at
 * most, which the index of names finds; an archived item's keys are looked up by its id.
 */
function isNamed(key: string, archived = false): string {
  return archived
    ? `EXISTS (
        SELECT
        FROM item_keys k
        WHERE k.company_id = $1 AND k.item_id = i.id AND k.name_key = ${key} AND k.archived
      )`
    : `i.id = (
        SELECT k.item_id
        FROM item_keys k
        WHERE k.company_id = $1 AND k.name_key = ${key} AND NOT k.archived
      )`;
}

/** An item's JSON text, or null if the company has no such item. */
export async function findItem(companyId: string, id: string): Promise<string | null> {
  const row = await queryOne<{ body: string }>(
    `SELECT ${itemJson}::text AS body
     FROM items i
     WHERE i.company_id = $1 AND i.id = $2`,
    [companyId, id],
  );
  return row?.body ?? null;
}

/** Adjustments' JSON texts by id. */
export async function adjustmentBodies(
  results: readonly { companyId: string; resultId: string }[],
): Promise<Map<string, string>> {
  const rows = await query<{ id: string; body: string }>(
    `SELECT a.id, ${adjustmentJson} AS body
     FROM unnest($1::uuid[], $2::uuid[]) AS wanted (company_id, id),
       ${lookUpOne('adjustments', 'a', 'company_id = wanted.company_id AND id = wanted.id')}`,
    [results.map(({ companyId }) => companyId), results.map(({ resultId }) => resultId)],
  );
  return new Map(rows.map(({ id, body }) => [id, body]));
}
