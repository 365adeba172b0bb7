// Checks the body of PATCH /inventory/{id}. Names and SKUs in use are found under the lock of the
// company, so only those of a body that is refused anyway are looked up here.
import type { FieldError } from '../../platform/errors.js';
import { withFoundErrors } from '../../platform/http/input/refused-body.js';
import { validateBody } from '../../platform/http/input/validate.js';
import { matchKey, possibleCode, possibleText } from '../../platform/values/text.js';
import { findItem } from '../queries.js';
import { type ItemPatch, itemPatch, MAX_ITEM_NAME, MAX_ITEM_SKU } from '../schema.js';
import { namesInUse } from './item-names.js';

/** Throws Problem `validation_failed` with all errors of the body, also a name or SKU in use. */
export function checkItemPatch(companyId: string, id: string, body: unknown): Promise<ItemPatch> {
  return withFoundErrors(
    () => validateBody(itemPatch, body),
    () => findNamesInUse(companyId, id, body),
  );
}

type LoosePatch = { readonly [field in 'name' | 'sku' | 'archived']?: unknown };
type Named = Pick<Required<ItemPatch>, 'name' | 'sku' | 'archived'>;

/** Finds the names in use of a body that may be invalid. An archived item takes none. */
export async function findNamesInUse(
  companyId: string,
  id: string,
  body: unknown,
): Promise<FieldError[]> {
  const text = await findItem(companyId, id);
  if (text === null) return [];
  const item = JSON.parse(text) as Named;
  const patch = (body ?? {}) as LoosePatch;
  const archived = typeof patch.archived === 'boolean' ? patch.archived : item.archived;
  if (archived) return [];
  const name = possibleText(patch.name, MAX_ITEM_NAME) ?? item.name;
  const sku = patch.sku === null ? null : (possibleCode(patch.sku, MAX_ITEM_SKU) ?? item.sku);
  const keys = { nameKey: matchKey(name), skuKey: sku === null ? null : matchKey(sku) };
  return namesInUse(companyId, id, keys);
}
