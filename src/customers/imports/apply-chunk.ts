// Applies the next rows of an import in the transaction that claimed it. A refused row affects no
// other one, and each row sees the changes of the rows before it.
import type { Actor } from '../../companies/actor.js';
import { plainArray, textArray } from '../../platform/db/arrays.js';
import { query, type Transaction } from '../../platform/db/connection.js';
import { Problem } from '../../platform/errors.js';
import { failPoint } from '../../platform/process/fail-point.js';
import { CustomerBook } from '../book/book.js';
import { wantedBy } from '../identify.js';
import { applyRow, type RowOutcome } from './apply-row.js';
import { type RowEntry, sentenceOf } from './columns.js';

/** Rows per transaction, which has the company's lock for some 100 ms. */
const CHUNK_ROWS = 250;

/** A locked import, and the position of its last applied row. */
export interface Claim {
  readonly companyId: string;
  readonly id: string;
  readonly position: number;
  /** The user who uploaded the file. */
  readonly createdBy: Actor;
}

interface ValidRow {
  readonly position: number;
  readonly entry: RowEntry;
}

export async function applyChunk(claimed: Claim, tx: Transaction): Promise<void> {
  const { companyId, createdBy } = claimed;
  const rows = await readRows(claimed, tx);
  const book = await CustomerBook.open(companyId, wantedBy(rows.map(({ entry }) => entry)), tx);
  failPoint('stock-locked');
  const counts: Record<RowOutcome, number> = { added: 0, changed: 0, same: 0 };
  const refused: { position: number; errors: readonly string[] }[] = [];
  for (const { position, entry } of rows) {
    try {
      counts[await applyRow(book, entry)] += 1;
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      refused.push({ position, errors: sentencesOf(error, entry) });
    }
  }
  await book.write(createdBy);
  const isRefused = new Set(refused.map(({ position }) => position));
  await deleteRows(
    claimed,
    rows.map(({ position }) => position).filter(position => !isRefused.has(position)),
    tx,
  );
  await storeErrors(claimed, refused, tx);
  await count(claimed, { ...counts, refused: refused.length }, rows.at(-1)?.position, tx);
}

function sentencesOf({ message, details }: Problem, entry: RowEntry): string[] {
  const { errors = [] } = details;
  return errors.length === 0 ? [message] : errors.map(error => sentenceOf(error, entry));
}

function readRows({ companyId, id, position }: Claim, tx: Transaction): Promise<ValidRow[]> {
  return query<ValidRow>(
    `SELECT position, entry
     FROM customer_import_rows
     WHERE company_id = $1 AND import_id = $2 AND position > $3 AND errors IS NULL
     ORDER BY position
     LIMIT $4`,
    [companyId, id, position, CHUNK_ROWS],
    tx,
  );
}

async function deleteRows(
  { companyId, id }: Claim,
  positions: readonly number[],
  tx: Transaction,
): Promise<void> {
  if (positions.length === 0) return;
  await query(
    `DELETE FROM customer_import_rows
     WHERE company_id = $1 AND import_id = $2 AND position = ANY($3::int[])`,
    [companyId, id, plainArray(positions)],
    tx,
  );
}

async function storeErrors(
  { companyId, id }: Claim,
  refused: readonly { position: number; errors: readonly string[] }[],
  tx: Transaction,
): Promise<void> {
  if (refused.length === 0) return;
  await query(
    `UPDATE customer_import_rows r
     SET entry = NULL, errors = refused.errors::json
     FROM unnest($3::int[], $4::text[]) AS refused (position, errors)
     WHERE r.company_id = $1 AND r.import_id = $2 AND r.position = refused.position`,
    [
      ...[companyId, id],
      plainArray(refused.map(({ position }) => position)),
      textArray(refused.map(({ errors }) => JSON.stringify(errors))),
    ],
    tx,
  );
}

/** Counts the chunk and finishes the import after its last row; otherwise requeues it last. */
async function count(
  { companyId, id }: Claim,
  { added, changed, same, refused }: Record<RowOutcome | 'refused', number>,
  last: number | undefined,
  tx: Transaction,
): Promise<void> {
  const isLast = added + changed + same + refused < CHUNK_ROWS;
  await query(
    `UPDATE customer_imports
     SET rows_added = rows_added + $3,
       rows_changed = rows_changed + $4,
       rows_same = rows_same + $5,
       rows_failed = rows_failed + $6,
       position = COALESCE($7, position),
       attempts = 0,
       postponed = 0,
       status = CASE WHEN $8 THEN 'done' ELSE 'queued' END,
       run_at = CASE WHEN NOT $8 THEN clock_timestamp() END,
       finished_at = CASE WHEN $8 THEN clock_timestamp() END
     WHERE company_id = $1 AND id = $2`,
    [companyId, id, added, changed, same, refused, last ?? null, isLast],
    tx,
  );
}
