// The names that lines and entries match: an item's name, and its former names until another item
// takes them. All functions run in the transaction that has locked the item.
import { query, queryOne, type Transaction } from '../platform/db/connection.js';
import { Problem } from '../platform/errors.js';
import { fieldError } from '../platform/field-errors.js';

/**
 * Throws Problem `already_exists` with `existingId` if another item has this name or SKU. A former
 * name is free, and so are those of archived items.
 */
export async function checkUnused(
  companyId: string,
  id: string,
  { nameKey, sku }: { readonly nameKey: string; readonly sku: string | null },
  tx: Transaction,
): Promise<void> {
  // Locks the name's row: renaming an item back and taking its former name exclude each other.
  await query(
    `SELECT item_id
     FROM item_keys
     WHERE company_id = $1 AND name_key = $2 AND NOT archived
     FOR UPDATE`,
    [companyId, nameKey],
    tx,
  );
  const existing = await queryOne<{ id: string; field: 'name' | 'sku' }>(
    `SELECT id, 'name' AS field
     FROM items
     WHERE company_id = $1 AND name_key = $3 AND NOT archived AND id <> $2
     UNION ALL
     SELECT id, 'sku'
     FROM items
     WHERE company_id = $1 AND sku = $4 AND NOT archived AND id <> $2
     LIMIT 1`,
    [companyId, id, nameKey, sku],
    tx,
  );
  if (existing === null) return;
  const detail = `Another item has this ${existing.field === 'sku' ? 'SKU' : 'name'}.`;
  throw new Problem('already_exists', detail, {
    members: { existingId: existing.id },
    errors: [fieldError([existing.field], 'invalid_value', detail)],
  });
}

/** Makes the item match by this key, which no other item has as its name, and no other item. */
export async function claimName(
  companyId: string,
  id: string,
  nameKey: string,
  archived: boolean,
  tx: Transaction,
): Promise<void> {
  if (!archived)
    await query(
      `DELETE FROM item_keys
       WHERE company_id = $1 AND name_key = $3 AND NOT archived AND item_id <> $2`,
      [companyId, id, nameKey],
      tx,
    );
  await query(
    `INSERT INTO item_keys (company_id, item_id, name_key, archived)
     VALUES ($1, $2, $3, $4)
     ON CONFLICT (company_id, item_id, name_key) DO UPDATE SET archived = EXCLUDED.archived`,
    [companyId, id, nameKey, archived],
    tx,
  );
}

/** The item no longer matches by any name. */
export async function archiveNames(companyId: string, id: string, tx: Transaction): Promise<void> {
  await query(
    'UPDATE item_keys SET archived = true WHERE company_id = $1 AND item_id = $2',
    [companyId, id],
    tx,
  );
}

/** The item matches again by its former names, except for those that another item has taken. */
export async function activateNames(companyId: string, id: string, tx: Transaction): Promise<void> {
  await query(
    `DELETE FROM item_keys k
     WHERE k.company_id = $1 AND k.item_id = $2 AND k.archived
       AND EXISTS (
         SELECT FROM item_keys taken
         WHERE taken.company_id = $1 AND taken.name_key = k.name_key AND NOT taken.archived
       )`,
    [companyId, id],
    tx,
  );
  await query(
    'UPDATE item_keys SET archived = false WHERE company_id = $1 AND item_id = $2 AND archived',
    [companyId, id],
    tx,
  );
}
