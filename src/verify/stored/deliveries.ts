// Compares the search text and the unit costs of deliveries with their rows. The text is rendered
// here and not in SQL, because matchKey is TypeScript.
import type pg from 'pg';
import { visibleKey } from '../../platform/values/text.js';
import type { Violation } from '../violation.js';
import { readEachRow } from './read-rows.js';

export const DELIVERY_PARTS = "a delivery's search text and unit costs match its row";

interface Delivery {
  readonly companyId: string;
  readonly id: string;
  readonly reason: string;
  readonly reference: string | null;
  readonly note: string | null;
  readonly supplier: string | null;
  readonly movements: readonly { readonly itemId: string; readonly name: string }[];
  /** Empty: received stock that is not a delivery. */
  readonly deliveryKey: string | null;
  readonly unitCosts: readonly (number | null)[] | null;
}

const DELIVERIES = `
  SELECT company_id AS "companyId", id, reason, reference, note, supplier, movements,
    delivery_key AS "deliveryKey", unit_costs AS "unitCosts"
  FROM adjustments
  WHERE delivery_key IS NOT NULL OR unit_costs IS NOT NULL`;

export async function* checkDeliveries(client: pg.Client): AsyncGenerator<Violation> {
  for await (const delivery of readEachRow<Delivery>(client, DELIVERIES)) {
    const { companyId, id } = delivery;
    if (!hasRightParts(delivery)) yield { violation: DELIVERY_PARTS, companyId, adjustmentId: id };
  }
}

function hasRightParts({ reason, movements, deliveryKey, unitCosts, ...texts }: Delivery) {
  if (reason !== 'received' || deliveryKey === null) return false;
  if (unitCosts !== null && unitCosts.length !== movements.length) return false;
  if (deliveryKey === '') return texts.supplier === null;
  const own = [texts.reference, texts.note, texts.supplier, ...movements.map(({ name }) => name)];
  // Deliveries are never changed, so old ones have former keys.
  const lines = new Set(deliveryKey.split('\n').map(visibleKey));
  const expected = new Set(own.map(text => visibleKey(text ?? '')).filter(Boolean));
  for (const text of expected) if (!lines.delete(text)) return false;
  // The others are the SKUs that the items had.
  return lines.size <= new Set(movements.map(({ itemId }) => itemId)).size;
}
