// Checks the body of POST /inventory/adjustments. A worker finds unknown items under the lock of
// their company, so only the items of a body that is refused anyway are looked up here.
import type { Auth } from '../api-keys/authenticate.js';
import type { FieldError } from '../platform/errors.js';
import { fieldError } from '../platform/field-errors.js';
import { BodyErrors } from '../platform/http/input/body-check.js';
import { withFoundErrors } from '../platform/http/input/refused-body.js';
import { shapeOf } from '../platform/http/input/schema-shape.js';
import { MAX_ITEMS, validateBody } from '../platform/http/input/validate.js';
import { newId } from '../platform/values/ids.js';
import { stockRefs } from './adjustments.js';
import { readStock } from './read-stock.js';
import { unknownItems } from './rules.js';
import {
  type AdjustmentRequest,
  adjustmentRequest,
  MAX_QUANTITY,
  type NamedItem,
  namedItem,
  REASONS,
} from './schema.js';

/** Throws Problem `validation_failed` with all errors of the body, also unknown items. */
export function checkAdjustment(
  body: unknown,
  { companyId, allowNegativeStock }: Pick<Auth, 'companyId' | 'allowNegativeStock'>,
): Promise<AdjustmentRequest> {
  return withFoundErrors(
    () =>
      validateBody(adjustmentRequest, body, checked =>
        allowNegativeStock ? [] : negativeCounts(checked),
      ),
    () => findUnknownItems(companyId, body),
  );
}

/**
 * Finds counts below zero. The body may be otherwise invalid; counts below the schema's own minimum
 * are skipped, because the schema reports them.
 */
function negativeCounts(body: unknown): FieldError[] {
  return entriesOf(body).flatMap(({ count }, index) =>
    typeof count === 'number' && count < 0 && count >= -MAX_QUANTITY
      ? [fieldError(['items', index, 'count'], 'too_small', { limit: 0 })]
      : [],
  );
}

/** Finds the entries of an invalid body whose item does not exist, as its worker would. */
async function findUnknownItems(companyId: string, body: unknown): Promise<FieldError[]> {
  const names = entriesOf(body).slice(0, MAX_ITEMS).map(nameOf);
  const stock = await readStock(
    stockRefs(
      companyId,
      names.filter(name => name !== null),
    ),
  );
  const { reason } = (body ?? {}) as { reason?: unknown };
  // An invalid reason may stand for one that creates items.
  const given = REASONS.find(each => each === reason) ?? 'received';
  return unknownItems(companyId, names, given, stock, newId);
}

/** How the entry names its item; null if it does so in no valid way. */
function nameOf({ itemId, sku, name }: LooseEntry): NamedItem | null {
  const named = shapeOf(namedItem).check?.({ itemId, sku, name }, new BodyErrors(0));
  return (named as NamedItem | undefined) ?? null;
}

type LooseEntry = { readonly [field in 'itemId' | 'sku' | 'name' | 'count']?: unknown };

/** The entries of a body that may be invalid. One that is no object has no fields. */
function entriesOf(body: unknown): LooseEntry[] {
  const { items } = (body ?? {}) as { items?: unknown };
  return Array.isArray(items) ? items.map(entry => entry ?? {}) : [];
}
