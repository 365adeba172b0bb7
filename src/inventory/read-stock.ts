// Reads the items that requests name. Requires the locks of their companies: items change under
// those alone, so what was read is true until the transaction ends.
import { plainArray, textArray } from '../platform/db/arrays.js';
import { query, type Transaction } from '../platform/db/connection.js';
import { toUnits } from '../platform/values/money.js';
import { stepsOf } from '../platform/values/steps.js';
import { Stock, type StockItem, type StockLevel } from './stock.js';

/** An item that a request may touch, by id, SKU or name (match keys). */
export interface StockRef {
  readonly companyId: string;
  readonly nameKey?: string;
  readonly skuKey?: string;
  readonly id?: string;
}

interface ItemRow
  extends Omit<StockItem, 'onHand' | 'details' | 'archived' | 'before'>,
    Omit<StockLevel, 'archived'> {
  /** The match key by which it was found, which may be a former name. */
  readonly matchedName: string | null;
}

/** One statement for all refs of a batch; an import has more. */
const REFS_PER_STEP = 5_000;

const ITEM = `
  i.company_id AS "companyId", i.id, i.sku, i.sku_key AS "skuKey", i.name, i.name_key AS "nameKey",
  i.on_hand AS "onHand", i.reorder_point AS "reorderPoint", i.unit_cost AS "unitCost"`;

/** The columns that only changes of details need. */
const DETAILS = 'i.unit, i.unit_price AS "unitPrice"';

/** The ways in which refs name items. The bind values are arrays of companies and keys. */
const waysOf = (columns: string) =>
  [
    {
      field: 'nameKey',
      sql: `
      SELECT ${columns}, wanted.key AS "matchedName"
      FROM unnest($1::uuid[], $2::text[]) AS wanted (company_id, key)
      JOIN item_keys k ON k.company_id = wanted.company_id AND k.name_key = wanted.key
      JOIN items i ON i.company_id = k.company_id AND i.id = k.item_id
      WHERE NOT k.archived`,
    },
    {
      field: 'skuKey',
      sql: `
      SELECT ${columns}, NULL AS "matchedName"
      FROM unnest($1::uuid[], $2::text[]) AS wanted (company_id, key)
      JOIN items i ON i.company_id = wanted.company_id AND i.sku_key = wanted.key
      WHERE NOT i.archived`,
    },
    {
      field: 'id',
      sql: `
      SELECT ${columns}, NULL AS "matchedName"
      FROM unnest($1::uuid[], $2::uuid[]) AS wanted (company_id, id)
      JOIN items i USING (company_id, id)
      WHERE NOT i.archived`,
    },
  ] as const;

const WAYS = waysOf(ITEM);
const DETAILED_WAYS = waysOf(`${ITEM}, ${DETAILS}`);

/** Like `readStock`, with all details, for writes that change them. */
export function readDetailedStock(refs: readonly StockRef[], tx: Transaction): Promise<Stock> {
  return readStock(refs, tx, new Stock(), DETAILED_WAYS);
}

/** Reads the items among the refs that exist and are not archived, unless the stock has them. */
export async function readStock(
  refs: readonly StockRef[],
  tx?: Transaction,
  stock = new Stock(),
  ways: ReturnType<typeof waysOf> = WAYS,
): Promise<Stock> {
  for (const step of stepsOf(refs, REFS_PER_STEP)) {
    const found = await Promise.all(
      ways.map(({ field, sql }) => {
        const wanted = new Map(
          step.flatMap(ref =>
            ref[field] === undefined ? [] : [[`${ref.companyId} ${ref[field]}`, ref]],
          ),
        );
        if (wanted.size === 0) return [];
        const companies = plainArray(Array.from(wanted.values(), ({ companyId }) => companyId));
        const keys = textArray(Array.from(wanted.values(), ref => ref[field]));
        return query<ItemRow>(sql, [companies, keys], tx);
      }),
    );
    for (const row of found.flat()) addRow(row, stock);
  }
  return stock;
}

/** Adds the item once, however often it is named. */
function addRow({ matchedName, ...row }: ItemRow, stock: Stock): void {
  const { companyId, id, sku, skuKey, name, nameKey, ...before } = row;
  if (matchedName !== null && matchedName !== nameKey)
    stock.addFormerName(companyId, matchedName, id);
  if (stock.byId(companyId, id)) return;
  const item = { companyId, id, sku, skuKey, name, nameKey };
  stock.add({ ...item, onHand: toUnits(before.onHand), before });
}
