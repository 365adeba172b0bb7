// Tries rows of a file on the stock as it is, for a preview.
import type { ImportedFile } from '../../imports/file/read-file.js';
import type { ImportTrial } from '../../imports/judgement.js';
import { query } from '../../platform/db/connection.js';
import { fromUnits, toUnits } from '../../platform/values/money.js';
import { stockRefs } from '../adjustments.js';
import { readStock } from '../read-stock.js';
import type { AdjustmentEntry, Reason } from '../schema.js';
import { Stock, type StockItem } from '../stock.js';
import { isNegativeAllowed, itemOfRow, planRow } from './apply.js';

/** An item's figures before a row, as decimal text. */
export interface ItemBefore {
  readonly name: string;
  readonly onHand: string;
  readonly reorderPoint: string;
  readonly unitCost: string | null;
  readonly unitPrice: string | null;
  readonly unit: string | null;
}

/** The reason of an import's adjustments: whether rows count stock or add to it. */
export function importReason({ columns }: Pick<ImportedFile, 'columns'>): Reason {
  return columns.includes('delta') ? 'received' : 'count';
}

export async function openStockTrial(
  companyId: string,
  file: ImportedFile,
): Promise<ImportTrial<AdjustmentEntry>> {
  const rule = { companyId, reason: importReason(file), ignoresExpected: false };
  const allowsNegative = await isNegativeAllowed(companyId);
  const stock = new Stock();
  const sales = new Map<string, Pick<ItemBefore, 'unitPrice' | 'unit'>>();
  const beforeOf = (item: StockItem): ItemBefore => {
    const { name, onHand, details = {}, before } = item;
    const stored = sales.get(item.id);
    const figure = (value: number | string | null | undefined) =>
      value == null ? null : fromUnits(toUnits(value));
    return {
      name,
      onHand: fromUnits(onHand),
      reorderPoint: figure(details.reorderPoint ?? before?.reorderPoint) ?? '0',
      unitCost: figure(details.unitCost ?? before?.unitCost),
      unitPrice: figure(details.unitPrice ?? stored?.unitPrice),
      unit: (details.unit as string | undefined) ?? stored?.unit ?? null,
    };
  };
  return {
    load: async rows => {
      const refs = rows.flatMap(({ entry }) => stockRefs(companyId, [entry]));
      await readStock(refs, undefined, stock);
      const ids = rows.flatMap(({ entry }) => itemOfRow(companyId, entry, stock)?.item.id ?? []);
      for (const { id, ...row } of await readSales(companyId, ids)) sales.set(id, row);
    },
    find: async entry => {
      const found = itemOfRow(companyId, entry, stock);
      // A known name with an unknown SKU contradicts the item, and is refused when it is planned.
      if (!found || (found.by === 'name' && entry.sku !== undefined)) return null;
      return { id: found.item.id, by: found.by };
    },
    names: ({ sku, name }) => ({
      ...(sku === undefined ? {} : { sku }),
      ...(name === undefined ? {} : { name }),
    }),
    apply: async row => {
      const known = itemOfRow(companyId, row.entry, stock)?.item;
      const before = known ? beforeOf(known) : null;
      const { itemId, errors, isMoved } = planRow(rule, row, allowsNegative, stock);
      const item = itemId === null ? undefined : stock.byId(companyId, itemId);
      if (item) {
        const outcome = known ? ('changed' as const) : ('new' as const);
        return { id: item.id, outcome, label: item.name, before: before && { ...before } };
      }
      const moved = isMoved && before ? { label: before.name, before: { ...before } } : null;
      return { errors, ...(moved && { moved }) };
    },
  };
}

function readSales(companyId: string, ids: readonly string[]) {
  if (ids.length === 0) return [];
  return query<{ id: string; unitPrice: string | null; unit: string | null }>(
    `SELECT id, unit_price AS "unitPrice", unit
     FROM items
     WHERE company_id = $1 AND id = ANY($2::uuid[])`,
    [companyId, ids],
  );
}
