// Corrections of deliveries, and the undoing of other adjustments, which is their only correction.
// A correction is an adjustment with the differences between the figures that its user saw and
// those that should have been booked. It names the number of corrections that those figures
// include: if there is another one by now, the differences would be wrong.
import type { WriteInput } from '../../jobs/write-kind.js';
import { keyArrays } from '../../platform/db/arrays.js';
import { query, type Transaction } from '../../platform/db/connection.js';
import { lookUpAll } from '../../platform/db/sql.js';
import { Problem } from '../../platform/errors.js';
import type { AdjustmentRequest } from '../schema.js';

/** The number of corrections by delivery, for the deliveries that a batch corrects. */
export type CorrectionCounts = Map<string, number>;

/** Counts the corrections of these deliveries. Requires the locks of the companies. */
export async function countCorrections(
  inputs: readonly WriteInput<AdjustmentRequest>[],
  tx: Transaction,
): Promise<CorrectionCounts> {
  const wanted = new Map(
    inputs.flatMap(({ companyId, payload: { corrects } }) =>
      corrects === undefined ? [] : [[keyOf(companyId, corrects.id), { companyId, ...corrects }]],
    ),
  );
  if (wanted.size === 0) return new Map();
  const rows = await query<{ companyId: string; id: string; count: number }>(
    `SELECT c.company_id AS "companyId", c.corrects AS id, count(*)::int AS count
     FROM unnest($1::uuid[], $2::uuid[]) AS wanted (company_id, id),
       ${lookUpAll('adjustments', 'c', 'company_id = wanted.company_id AND corrects = wanted.id')}
     GROUP BY 1, 2`,
    keyArrays([...wanted.values()]),
    tx,
  );
  return new Map(rows.map(({ companyId, id, count }) => [keyOf(companyId, id), count]));
}

/** The refusal of a correction if the delivery has another one since; null if it may be planned. */
export function refuseOutdated(
  companyId: string,
  { corrects }: AdjustmentRequest,
  counts: CorrectionCounts,
): Problem | null {
  if (corrects === undefined) return null;
  if (corrects.after === (counts.get(keyOf(companyId, corrects.id)) ?? 0)) return null;
  return corrects.undoes ? undoneAlready() : outdated();
}

/** Counts a planned correction, so that the next one of its batch is planned after it. */
export function addCorrection(
  companyId: string,
  { corrects }: AdjustmentRequest,
  counts: CorrectionCounts,
): void {
  if (corrects) counts.set(keyOf(companyId, corrects.id), corrects.after + 1);
}

/** The problem of a correction that is based on older figures. */
export function outdated(): Problem {
  return new Problem(
    'stock_conflict',
    'This delivery was corrected in the meantime. Open it again to see its current quantities.',
  );
}

/** The problem of an adjustment that is to be undone twice. */
export function undoneAlready(): Problem {
  return new Problem('stock_conflict', 'This adjustment was already undone.');
}

const keyOf = (companyId: string, id: string) => `${companyId} ${id}`;
