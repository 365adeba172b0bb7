// The batch handler of POST /inventory/adjustments.
import { v7 as uuidv7 } from 'uuid';
import { lockCompanies } from '../companies/lock.js';
import type { WriteInput, WriteKind, WriteQueue } from '../jobs/write-kind.js';
import { API } from '../platform/api-path.js';
import type { Transaction } from '../platform/db/connection.js';
import { failPoint } from '../platform/process/fail-point.js';
import { STOCK_COMPANY, type StockCompany, stockRefs, writeAdjustments } from './adjustments.js';
import {
  deleteBookedSheets,
  markBooked,
  readSheetVersions,
  refuseChangedSheet,
  type SheetVersions,
} from './counts/booking.js';
import {
  addCorrection,
  type CorrectionCounts,
  countCorrections,
  refuseOutdated,
} from './deliveries/corrections.js';
import { adjustmentBodies } from './queries.js';
import { readDetailedStock } from './read-stock.js';
import { type AdjustmentPlan, planAdjustment } from './rules.js';
import type { AdjustmentRequest } from './schema.js';
import type { Stock } from './stock.js';

interface LockedStock {
  readonly stock: Stock;
  /** The companies by id. */
  readonly companies: ReadonlyMap<string, StockCompany>;
  readonly corrections: CorrectionCounts;
  readonly sheets: SheetVersions;
}

export const stockWrites: WriteKind<AdjustmentRequest, LockedStock, AdjustmentPlan> = {
  type: 'inventory.adjust',
  queue: 'stock',
  path: () => `${API}/inventory/adjustments`,
  readScope: 'inventory:read',
  resultSql: `(
    SELECT row_to_json(result)
    FROM (
      SELECT 'adjustment' AS type, a.id, NULL AS href, a.movements
      FROM adjustments a
      WHERE a.company_id = j.company_id AND a.id = j.result_id
    ) result
  )`,
  lineCount: ({ items }) => items?.length ?? 1,
  plan: (write, { stock, companies, corrections, sheets }) => {
    const { companyId, payload } = write;
    const refusal =
      refuseOutdated(companyId, payload, corrections) ?? refuseChangedSheet(write, sheets);
    if (refusal) return { refusal };
    const allowsNegative = companies.get(companyId)?.allowsNegative ?? false;
    const decision = planAdjustment(companyId, payload, allowsNegative, stock, uuidv7);
    if ('refusal' in decision) return decision;
    addCorrection(companyId, payload, corrections);
    markBooked(write, sheets);
    return decision;
  },
  readBodies: adjustmentBodies,
};

export const stockQueue: WriteQueue<AdjustmentRequest, LockedStock, AdjustmentPlan> = {
  name: stockWrites.queue,
  label: stockWrites.type,
  kinds: [stockWrites],
  lock: lockAdjustments,
  write: async (planned, { stock, companies }, tx) => {
    const writes = planned.map(({ write }) => write);
    const [bodies] = await Promise.all([
      writeAdjustments(planned, stock, companies, tx),
      deleteBookedSheets(writes, tx),
    ]);
    return bodies;
  },
};

async function lockAdjustments(
  inputs: readonly WriteInput<AdjustmentRequest>[],
  tx: Transaction,
): Promise<LockedStock> {
  const refs = inputs.flatMap(({ companyId, payload }) => stockRefs(companyId, payload.items));
  const companyIds = inputs.map(({ companyId }) => companyId);
  const [companies, stock, corrections, sheets] = await Promise.all([
    lockCompanies<StockCompany>(companyIds, STOCK_COMPANY, tx),
    readDetailedStock(refs, tx),
    countCorrections(inputs, tx),
    readSheetVersions(inputs, tx),
  ]);
  failPoint('locked');
  return { stock, companies: new Map(companies.map(row => [row.id, row])), corrections, sheets };
}
