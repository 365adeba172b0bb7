// The names that lines and entries match: an item's name, and its former names until another item
// takes them. All changes run in the transaction that has locked the company's row: names change
// under that lock alone, so no transaction waits for another one's name.
import { query, type Transaction } from '../../platform/db/connection.js';
import { type FieldError, Problem } from '../../platform/errors.js';
import { fieldError } from '../../platform/field-errors.js';

/** The match keys that no other active item may have. */
interface UniqueKeys {
  readonly nameKey: string;
  readonly skuKey: string | null;
}

/**
 * Throws Problem `already_exists` with `existingId` if another item has this name or SKU. Former
 * names and the names of archived items are free.
 */
export async function checkUnused(
  companyId: string,
  id: string,
  keys: UniqueKeys,
  tx: Transaction,
): Promise<void> {
  const errors = await namesInUse(companyId, id, keys, tx);
  const [first] = errors;
  if (!first) return;
  throw new Problem('already_exists', first.detail, {
    members: { existingId: first.existingId },
    errors,
  });
}

/** An error for the name and the SKU, if another item has it. It may be outdated without a lock. */
export async function namesInUse(
  companyId: string,
  id: string,
  { nameKey, skuKey }: UniqueKeys,
  tx?: Transaction,
): Promise<FieldError[]> {
  const taken = await query<{ id: string; field: 'name' | 'sku' }>(
    `SELECT id, 'name' AS field
     FROM items
     WHERE company_id = $1 AND name_key = $3 AND NOT archived AND id <> $2
     UNION ALL
     SELECT id, 'sku'
     FROM items
     WHERE company_id = $1 AND sku_key = $4 AND NOT archived AND id <> $2`,
    [companyId, id, nameKey, skuKey],
    tx,
  );
  return taken.map(({ id: existingId, field }) => {
    const detail = `Another item has this ${field === 'sku' ? 'SKU' : 'name'}.`;
    return { ...fieldError([field], 'already_exists', detail), existingId };
  });
}

/** SQL for the next invoice of a company: the first one that a change of names concerns. */
export function nextInvoice(companyId: string): string {
  return `(SELECT next_invoice_number FROM companies WHERE companies.id = ${companyId})`;
}

/** Makes this key match the item and no other item. No other item may have it as its name. */
export async function claimName(
  companyId: string,
  id: string,
  nameKey: string,
  tx: Transaction,
): Promise<void> {
  await query(
    `WITH released AS (
       DELETE FROM item_keys
       WHERE company_id = $1 AND name_key = $3 AND NOT archived AND item_id <> $2
       RETURNING matches_from
     )
     INSERT INTO item_keys AS k (company_id, item_id, name_key, matches_from)
     SELECT $1, $2, $3, COALESCE((SELECT matches_from FROM released), ${nextInvoice('$1')})
     ON CONFLICT (company_id, item_id, name_key) DO UPDATE
       SET archived = false,
         matches_from = CASE WHEN k.archived THEN excluded.matches_from ELSE k.matches_from END,
         matches_until = NULL`,
    [companyId, id, nameKey],
    tx,
  );
}

/** Gives an archived item another name, by which no line matches it yet. */
export async function addArchivedName(
  companyId: string,
  id: string,
  nameKey: string,
  tx: Transaction,
): Promise<void> {
  await query(
    `INSERT INTO item_keys (company_id, item_id, name_key, archived, matches_from, matches_until)
     SELECT $1, $2, $3, true, next, next
     FROM ${nextInvoice('$1')} AS company (next)
     ON CONFLICT DO NOTHING`,
    [companyId, id, nameKey],
    tx,
  );
}

/** The items no longer match by any name. */
export async function archiveNames(
  companyId: string,
  ids: readonly string[],
  tx: Transaction,
): Promise<void> {
  await query(
    `UPDATE item_keys
     SET archived = true, matches_until = ${nextInvoice('$1')}
     WHERE company_id = $1 AND item_id = ANY($2::uuid[]) AND NOT archived`,
    [companyId, ids],
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
    `UPDATE item_keys
     SET archived = false, matches_from = ${nextInvoice('$1')}, matches_until = NULL
     WHERE company_id = $1 AND item_id = $2 AND archived`,
    [companyId, id],
    tx,
  );
}
