// The batch handler of POST /inventory/adjustments.
import { v7 as uuidv7 } from 'uuid';
import { defineWriteKind, type WriteInput } from '../jobs/write-kind.js';
import type { Transaction } from '../platform/db/connection.js';
import { failPoint } from '../platform/process/fail-point.js';
import {
  ADJUSTMENT_CONFLICTS,
  negativeStockAllowed,
  stockRefs,
  writeAdjustments,
} from './adjustments.js';
import { lockStock } from './lock-stock.js';
import { adjustmentBodies } from './queries.js';
import { type AdjustmentPlan, planAdjustment } from './rules.js';
import type { AdjustmentRequest } from './schema.js';
import type { Stock } from './stock.js';

interface LockedStock {
  readonly stock: Stock;
  /** The companies that allow negative stock. */
  readonly allowNegative: ReadonlySet<string>;
}

export const stockWrites = defineWriteKind<AdjustmentRequest, LockedStock, AdjustmentPlan>({
  type: 'inventory.adjust',
  queue: 'stock',
  path: () => '/api/external/inventory/adjustments',
  readScope: 'inventory:read',
  resultSql: `(
    SELECT row_to_json(result)
    FROM (
      SELECT 'adjustment' AS type, a.id, NULL AS href, a.movements
      FROM adjustments a
      WHERE a.company_id = j.company_id AND a.id = j.result_id
    ) result
  )`,
  retryOn: ADJUSTMENT_CONFLICTS,
  weigh: ({ items }) => items?.length ?? 1,
  lock: lockAdjustments,
  plan: (writes, { stock, allowNegative }) =>
    writes.map(({ companyId, payload }) =>
      planAdjustment(companyId, payload, allowNegative.has(companyId), stock, uuidv7),
    ),
  write: (planned, { stock }, tx) => writeAdjustments(planned, stock, tx),
  readBodies: adjustmentBodies,
});

async function lockAdjustments(
  inputs: readonly WriteInput<AdjustmentRequest>[],
  tx: Transaction,
): Promise<LockedStock> {
  const refs = inputs.flatMap(({ companyId, payload }) => stockRefs(companyId, payload.items));
  const [stock, allowNegative] = await Promise.all([
    lockStock(refs, tx),
    negativeStockAllowed(
      inputs.map(({ companyId }) => companyId),
      tx,
    ),
  ]);
  failPoint('stock-locked');
  return { stock, allowNegative };
}
