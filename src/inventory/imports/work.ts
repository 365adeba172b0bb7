// The worker's side of imports: applies queued rows in chunks. Each chunk is one transaction that
// locks the import's row, applies the rows and counts them. The lock is the claim: if a worker is
// killed or hangs, its transaction is rolled back and another worker continues after the last
// applied row.
import { v5 as uuidv5, v7 as uuidv7 } from 'uuid';
import { retryTransient } from '../../jobs/settle/settlement.js';
import { pollForever } from '../../platform/async/poll.js';
import { inTransaction, type Transaction } from '../../platform/db/connection.js';
import type { FieldError } from '../../platform/errors.js';
import { isTransient } from '../../platform/postgres-errors.js';
import { failPoint } from '../../platform/process/fail-point.js';
import type { OnStop } from '../../platform/process/lifecycle.js';
import type { Log } from '../../platform/process/log.js';
import {
  ADJUSTMENT_CONFLICTS,
  negativeStockAllowed,
  type PlannedAdjustment,
  stockRefs,
  writeAdjustments,
} from '../adjustments.js';
import { type PlannedMovement, planAdjustment } from '../rules.js';
import type { AdjustmentEntry } from '../schema.js';
import { lockStock, type Stock } from '../stock.js';
import { sentenceOf } from './columns.js';
import {
  CHUNK_ROWS,
  type Claim,
  claimImport,
  countRows,
  readChunk,
  recordFailedAttempt,
  settleRows,
  type ValidRow,
} from './progress.js';

const POLL_MS = 250;

/** Applies imports until stopped, which waits for the current chunk. Safe in every worker. */
export function runImportsForever(log: Log, onStop: OnStop): void {
  pollForever('import poll', POLL_MS, () => importNext(log), log, onStop);
}

/** Applies a due import's next chunk, or all rows if it is all or nothing. False if none is due. */
async function importNext(log: Log): Promise<boolean> {
  let claimed: Claim | null = null;
  try {
    const applied = await retryTransient(
      () =>
        inTransaction(async tx => {
          claimed = await claimImport(tx);
          if (!claimed) return null;
          await applyChunk(claimed, tx);
          failPoint('job-written');
          return claimed;
        }),
      ADJUSTMENT_CONFLICTS,
    );
    if (applied === null) return false;
    failPoint('committed');
    return true;
  } catch (error) {
    if (!claimed || isTransient(error)) throw error;
    await recordFailedAttempt(claimed, error, log);
    return true;
  }
}

async function applyChunk(claimed: Claim, tx: Transaction): Promise<void> {
  const { companyId, allOrNothing } = claimed;
  const rows = await readChunk(claimed, tx);
  const entries = rows.map(({ entry }) => entry);
  const stock = await lockStock(stockRefs(companyId, entries), tx);
  failPoint('stock-locked');
  const allowsNegative = (await negativeStockAllowed([companyId], tx)).has(companyId);
  const planned = rows.map(row => ({ row, ...planRow(claimed, row, allowsNegative, stock) }));
  const refused = planned.filter(({ errors }) => errors.length > 0);
  const applied =
    allOrNothing && refused.length > 0 ? [] : planned.filter(({ errors }) => errors.length === 0);
  const adjustments: PlannedAdjustment[] = [];
  for (let start = 0; start < applied.length; start += CHUNK_ROWS)
    adjustments.push(toAdjustment(claimed, applied.slice(start, start + CHUNK_ROWS)));
  if (adjustments.length > 0) await writeAdjustments(adjustments, stock, tx);
  const appliedRows = applied.map(({ row }) => row);
  const refusedRows = refused.map(({ row, errors }) => ({ position: row.position, errors }));
  await settleRows(claimed, appliedRows, refusedRows, tx);
  const counts = { applied: applied.length, refused: refused.length, last: rows.at(-1)?.position };
  await countRows(claimed, counts, tx);
}

interface PlannedRow {
  readonly row: ValidRow;
  readonly movements: readonly PlannedMovement[];
  readonly errors: readonly string[];
}

/** Plans one row alone, on the stock that earlier rows left: a refused row affects no other. */
function planRow(
  { companyId, reason }: Claim,
  { entry }: ValidRow,
  allowsNegative: boolean,
  stock: Stock,
) {
  const request = { reason, items: [entry] };
  const decision = planAdjustment(companyId, request, allowsNegative, stock, uuidv7);
  if ('plan' in decision) return { movements: decision.plan.movements, errors: [] };
  return {
    movements: [],
    errors: (decision.refusal.details.errors ?? []).map(error => refusalOf(error, entry)),
  };
}

function refusalOf(error: FieldError, { name }: AdjustmentEntry): string {
  if (error.code !== 'unknown_item') return sentenceOf(error);
  return name === undefined
    ? 'sku: No item has this SKU. Add a name to create one.'
    : 'sku: No item has this SKU, but an item with this name has another SKU or none.';
}

/** One adjustment of up to CHUNK_ROWS rows. Its submission id is unique and the same on retries. */
function toAdjustment(
  { companyId, id, reason, reference }: Claim,
  rows: readonly PlannedRow[],
): PlannedAdjustment {
  const [first, last] = [rows[0]?.row, rows.at(-1)?.row];
  const lines =
    first?.line === last?.line ? `line ${first?.line}` : `lines ${first?.line} to ${last?.line}`;
  const note = `CSV import, ${lines}`;
  return {
    write: {
      companyId,
      submissionId: uuidv5(String(first?.position), id),
      resultId: uuidv7(),
      payload: { reason, reference, note, items: rows.map(({ row }) => row.entry) },
    },
    plan: { movements: rows.flatMap(({ movements }) => movements) },
  };
}
