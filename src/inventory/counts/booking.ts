// Booking count sheets: the batch that writes a sheet's adjustment deletes the sheet, so that it is
// booked once, in the version that its review showed.
import type { WriteInput } from '../../jobs/write-kind.js';
import { keyArrays } from '../../platform/db/arrays.js';
import { query, type Transaction } from '../../platform/db/connection.js';
import { lookUpOne } from '../../platform/db/sql.js';
import { Problem } from '../../platform/errors.js';
import type { AdjustmentRequest } from '../schema.js';

type BookedWrite = Pick<WriteInput<AdjustmentRequest>, 'companyId' | 'payload'>;

/** The versions of the sheets that a batch books. A plan removes its own. */
export type SheetVersions = Map<string, number>;

/** Requires the locks of the companies. */
export async function readSheetVersions(
  inputs: readonly BookedWrite[],
  tx: Transaction,
): Promise<SheetVersions> {
  const sheets = sheetsOf(inputs);
  if (sheets.length === 0) return new Map();
  const rows = await query<{ companyId: string; id: string; version: number }>(
    `SELECT s.company_id AS "companyId", s.id, s.version
     FROM unnest($1::uuid[], $2::uuid[]) AS wanted (company_id, id),
       ${lookUpOne('count_sheets', 's', 'company_id = wanted.company_id AND id = wanted.id')}`,
    keyArrays(sheets),
    tx,
  );
  return new Map(rows.map(({ companyId, id, version }) => [keyOf(companyId, id), version]));
}

/** The refusal of a sheet that is gone or has changed since its review; null for neither. */
export function refuseChangedSheet(
  { companyId, payload: { countSheet } }: BookedWrite,
  versions: SheetVersions,
): Problem | null {
  if (countSheet === undefined) return null;
  const version = versions.get(keyOf(companyId, countSheet.id));
  if (version === countSheet.version) return null;
  return new Problem('stock_conflict', version === undefined ? GONE : CHANGED);
}

const GONE = 'This count sheet was booked or deleted in the meantime, so nothing was written.';
export const CHANGED = 'This count sheet changed in the meantime. Check it again, then book it.';

/** Keeps a second write of the batch from booking the sheet again. */
export function markBooked(
  { companyId, payload: { countSheet } }: BookedWrite,
  versions: SheetVersions,
): void {
  if (countSheet) versions.delete(keyOf(companyId, countSheet.id));
}

/** Requires the locks of the companies. */
export async function deleteBookedSheets(
  writes: readonly BookedWrite[],
  tx: Transaction,
): Promise<void> {
  const sheets = sheetsOf(writes);
  if (sheets.length === 0) return;
  await query(
    `DELETE FROM count_sheets
     USING unnest($1::uuid[], $2::uuid[]) AS booked (company_id, id)
     WHERE count_sheets.company_id = booked.company_id AND count_sheets.id = booked.id`,
    keyArrays(sheets),
    tx,
  );
}

interface SheetKey {
  readonly companyId: string;
  readonly id: string;
}

function sheetsOf(writes: readonly BookedWrite[]): SheetKey[] {
  return writes.flatMap(({ companyId, payload: { countSheet } }) =>
    countSheet ? [{ companyId, id: countSheet.id }] : [],
  );
}

const keyOf = (companyId: string, id: string) => `${companyId} ${id}`;
