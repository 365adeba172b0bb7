// The batch handler of POST /inventory/adjustments.
import { v7 as uuidv7 } from 'uuid';
import type { Asked, Posted, Posting, WriteKind } from '../jobs/write-kind.js';
import type { Transaction } from '../platform/db/connection.js';
import { failPoint } from '../platform/process/fail-point.js';
import {
  ADJUSTMENT_RACES,
  negativeStockAllowed,
  type PlannedAdjustment,
  stockRefs,
  writeAdjustments,
} from './adjustments.js';
import { adjustmentBodies } from './queries.js';
import { planAdjustment } from './rules.js';
import type { AdjustmentRequest } from './schema.js';
import { lockStock, type Stock } from './stock.js';

interface Ground {
  readonly stock: Stock;
  /** The companies that let stock go below zero. */
  readonly allowsNegative: ReadonlySet<string>;
}

export const stockWrites: WriteKind<AdjustmentRequest, Ground> = {
  type: 'inventory.adjust',
  queue: 'stock',
  path: '/api/external/inventory/adjustments',
  resultSql: `(SELECT row_to_json(x) FROM (SELECT 'adjustment' AS type, a.id, NULL AS href, a.movements FROM adjustments a
    WHERE a.company_id = j.company_id AND a.id = j.result_id) x)`,
  read: readGround,
  post: postAdjustments,
  retryOn: ADJUSTMENT_RACES,
  bodies: adjustmentBodies,
};

async function readGround(
  asked: readonly Asked<AdjustmentRequest>[],
  tx: Transaction,
): Promise<Ground> {
  const refs = asked.flatMap(({ companyId, payload }) => stockRefs(companyId, payload.items));
  const companyIds = asked.map(({ companyId }) => companyId);
  const [stock, allowsNegative] = await Promise.all([
    lockStock(refs, tx),
    negativeStockAllowed(companyIds, tx),
  ]);
  failPoint('stock-locked');
  return { stock, allowsNegative };
}

function postAdjustments(
  postings: readonly Posting<AdjustmentRequest>[],
  { stock, allowsNegative }: Ground,
  tx: Transaction,
): Posted {
  const plans = postings.map(posting => ({
    posting,
    plan: planAdjustment(
      posting.companyId,
      posting.payload,
      allowsNegative.has(posting.companyId),
      stock,
      uuidv7,
    ),
  }));
  const planned = plans.filter((each): each is PlannedAdjustment => 'movements' in each.plan);
  return {
    refusals: plans.map(({ plan }) => ('problem' in plan ? plan.problem : null)),
    written: writeAdjustments(planned, stock, tx),
  };
}
