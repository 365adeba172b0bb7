// The batch handler of POST /inventory/adjustments.
import { v7 as uuidv7 } from 'uuid';
import type { Outcome, Posting, WriteKind } from '../jobs/submission.js';
import type { Transaction } from '../platform/db.js';
import { passStep } from '../platform/fail-point.js';
import { negativeStockAllowed, type Posted, stockRefs, writeAdjustments } from './adjustments.js';
import { adjustmentBodies } from './queries.js';
import { planAdjustment } from './rules.js';
import type { AdjustmentRequest } from './schema.js';
import { lockStock } from './stock.js';

export const stockWrites: WriteKind<AdjustmentRequest> = {
  type: 'inventory.adjust',
  queue: 'stock',
  path: '/api/external/inventory/adjustments',
  resultSql: `(SELECT row_to_json(x) FROM (SELECT 'adjustment' AS type, a.id, NULL AS href, a.movements FROM adjustments a
    WHERE a.company_id = j.company_id AND a.id = j.result_id) x)`,
  post: postAdjustments,
  bodies: adjustmentBodies,
};

async function postAdjustments(postings: readonly Posting<AdjustmentRequest>[], tx: Transaction): Promise<Outcome[]> {
  const refs = postings.flatMap(({ companyId, payload }) => stockRefs(companyId, payload.items));
  const stock = await lockStock(refs, tx);
  passStep('stock-locked');
  const allowsNegative = await negativeStockAllowed(
    postings.map(({ companyId }) => companyId),
    tx,
  );
  const plans = postings.map(posting => ({
    posting,
    plan: planAdjustment(posting.companyId, posting.payload, allowsNegative.has(posting.companyId), stock, uuidv7),
  }));
  const posted = plans.filter((planned): planned is Posted => 'movements' in planned.plan);
  const bodies = await writeAdjustments(posted, stock, tx);
  return plans.map(({ posting, plan }) => ('problem' in plan ? plan : { body: bodies.get(posting.resultId) ?? '' }));
}
