// Changes of one item that move no stock: its name, SKU and details, archiving and restoring it.
import type { Actor } from '../companies/actor.js';
import { lockCompanies } from '../companies/lock.js';
import { inCompanyTransaction } from '../companies/write-turns.js';
import { NEXT_EVENT, NewEvents } from '../feed/append.js';
import { query, queryOne, type Transaction } from '../platform/db/connection.js';
import { Problem } from '../platform/errors.js';
import { toUnits } from '../platform/values/money.js';
import { matchKey } from '../platform/values/text.js';
import { stockAlert } from './events/stock-events.js';
import {
  activateNames,
  addArchivedName,
  archiveNames,
  checkUnused,
  claimName,
} from './names/item-names.js';
import { itemJson } from './queries.js';
import type { ItemPatch } from './schema.js';
import { Stock } from './stock.js';
import { countStockChange } from './stock-figures.js';

/** Decimals are text. */
interface ItemRow {
  readonly name: string;
  readonly nameKey: string;
  readonly sku: string | null;
  readonly unit: string | null;
  readonly onHand: string;
  readonly reorderPoint: string;
  readonly unitCost: string | null;
  readonly unitPrice: string | null;
  readonly archived: boolean;
  readonly body: string;
}

type ItemValues = Required<ItemPatch>;

/**
 * Applies a patch and returns the item's JSON text; one that changes nothing writes nothing.
 * `checkCurrent` gets the JSON text before the change and may throw. Throws Problem `not_found`,
 * `already_exists` with `existingId`, or `invalid_state` for archiving an item with stock.
 */
export function updateItem(
  companyId: string,
  id: string,
  patch: ItemPatch,
  changedBy: Actor | null,
  checkCurrent: (body: string) => void = () => undefined,
): Promise<string> {
  return inCompanyTransaction(companyId, tx =>
    patchItem(companyId, id, { patch, changedBy, checkCurrent }, tx),
  );
}

interface ItemChangeCall {
  readonly patch: ItemPatch;
  readonly changedBy: Actor | null;
  readonly checkCurrent: (body: string) => void;
}

/** Locks the company row first, like every write. */
async function patchItem(
  companyId: string,
  id: string,
  { patch, changedBy, checkCurrent }: ItemChangeCall,
  tx: Transaction,
): Promise<string> {
  const [[company], item] = await Promise.all([
    lockCompanies<{ nextEvent: string }>([companyId], { columns: NEXT_EVENT }, tx),
    readItem(companyId, id, tx),
  ]);
  if (!company || item === null) throw new Problem('not_found', 'There is no such item.');
  checkCurrent(item.body);
  const values = { ...valuesOf(item), ...patch };
  if (isSame(item, values)) return item.body;
  const { onHand, reorderPoint, unitCost, archived } = item;
  const changed = {
    companyId,
    id,
    sku: values.sku,
    skuKey: skuKeyOf(values),
    name: values.name,
    nameKey: matchKey(values.name),
    onHand: toUnits(onHand),
    archived: values.archived,
    details: { reorderPoint: values.reorderPoint, unitCost: values.unitCost },
    before: { onHand, reorderPoint, unitCost, archived },
  };
  const isRenamed =
    values.name !== item.name || values.sku !== item.sku || values.archived !== archived;
  const renamed = new Set(isRenamed ? [companyId] : []);
  if (isRenamed) await renameOrArchive(companyId, id, item, values, tx);
  const body = await writeItem(companyId, id, values, tx);
  const events = new NewEvents();
  const data: unknown = JSON.parse(body);
  events.add(companyId, { type: 'item.updated', subjectId: id, actor: changedBy, data });
  const alert = stockAlert(changed, changedBy);
  if (alert) events.add(companyId, alert);
  await Promise.all([
    countStockChange([companyId], new Stock([changed]), renamed, events, tx),
    events.append(() => company.nextEvent, tx),
  ]);
  return body;
}

const skuKeyOf = ({ sku }: Pick<ItemValues, 'sku'>) => (sku === null ? null : matchKey(sku));

function readItem(companyId: string, id: string, tx: Transaction): Promise<ItemRow | null> {
  return queryOne<ItemRow>(
    `SELECT i.name, i.name_key AS "nameKey", i.sku, i.unit,
       i.on_hand AS "onHand", i.reorder_point AS "reorderPoint",
       i.unit_cost AS "unitCost", i.unit_price AS "unitPrice",
       i.archived, ${itemJson}::text AS body
     FROM items i
     WHERE i.company_id = $1 AND i.id = $2`,
    [companyId, id],
    tx,
  );
}

function valuesOf({ name, sku, unit, archived, ...decimals }: ItemRow): ItemValues {
  const { reorderPoint, unitCost, unitPrice } = decimals;
  const orNull = (decimal: string | null) => (decimal === null ? null : Number(decimal));
  return {
    name,
    sku,
    unit,
    archived,
    reorderPoint: Number(reorderPoint),
    unitCost: orNull(unitCost),
    unitPrice: orNull(unitPrice),
  };
}

function isSame(item: ItemRow, values: ItemValues): boolean {
  const current = valuesOf(item);
  return (Object.keys(current) as (keyof ItemValues)[]).every(
    field => current[field] === values[field],
  );
}

/** Updates the names that lines match. The checks come first: a refused patch writes nothing. */
async function renameOrArchive(
  companyId: string,
  id: string,
  item: ItemRow,
  values: ItemValues,
  tx: Transaction,
): Promise<void> {
  const { name, sku, archived } = values;
  const [nameKey, skuKey] = [matchKey(name), skuKeyOf(values)];
  const isRestored = item.archived && !archived;
  const isRenamed = nameKey !== item.nameKey;
  if (archived && !item.archived && toUnits(item.onHand) !== 0n) {
    const current = `${item.name} has ${Number(item.onHand)} on hand.`;
    throw new Problem('invalid_state', `${current} Only an item with 0 on hand can be archived.`);
  }
  if (!archived && (isRestored || isRenamed || sku !== item.sku))
    await checkUnused(companyId, id, { nameKey, skuKey }, tx);
  if (archived && isRenamed) await addArchivedName(companyId, id, nameKey, tx);
  else if (isRenamed || isRestored) await claimName(companyId, id, nameKey, tx);
  if (isRestored) await activateNames(companyId, id, tx);
  if (archived && !item.archived) await archiveNames(companyId, [id], tx);
}

/** Returns the item's JSON text. */
async function writeItem(
  companyId: string,
  id: string,
  { name, sku, unit, reorderPoint, unitCost, unitPrice, archived }: ItemValues,
  tx: Transaction,
): Promise<string> {
  const [row] = await query<{ body: string }>(
    `UPDATE items i
     SET name = $3, name_key = $4, sku = $5, sku_key = $6, unit = $7,
       reorder_point = $8, unit_cost = $9, unit_price = $10, archived = $11, updated_at = now()
     WHERE i.company_id = $1 AND i.id = $2
     RETURNING ${itemJson}::text AS body`,
    [
      ...[companyId, id, name, matchKey(name), sku, skuKeyOf({ sku }), unit],
      ...[reorderPoint, unitCost, unitPrice, archived],
    ],
    tx,
  );
  return row?.body ?? '';
}
