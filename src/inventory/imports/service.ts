// Accepts an imported file: has it read and checked, and persists its rows for the workers. Like a
// 202, an accepted import is a promise.
import { createHash } from 'node:crypto';
import { v5 as uuidv5 } from 'uuid';
import { inTransaction, query, queryOne, type Transaction } from '../../platform/db/connection.js';
import { deleteOldRows } from '../../platform/db/retention.js';
import { invalidField } from '../../platform/field-errors.js';
import { violatedConstraint } from '../../platform/postgres-errors.js';
import type { Log } from '../../platform/process/log.js';
import { cleanText, hasForbiddenCharacter } from '../../platform/values/text.js';
import { BOM, csvRecord } from './csv.js';
import { countQueued, findImport, listRowsLeft } from './queries.js';
import { readInThread } from './reader.js';
import type { ReadOptions, StockFile } from './stock-file.js';

export const MAX_FILE_BYTES = 5 * 1024 * 1024;
/** Per company, so that one company's files cannot delay the others'. */
const MAX_QUEUED = 5;
const ROWS_PER_EXPORT = 1_000;
const MAX_REFERENCE = 100;
/** A finished import is shown, and its refused rows can be downloaded, for 30 days. */
const RETENTION_DAYS = 30;
/** Each import may have thousands of refused rows, which go with it. */
const IMPORTS_PER_DELETE = 20;

export interface ImportFile {
  readonly name: string;
  readonly bytes: Buffer;
}

export interface ImportOptions extends ReadOptions {
  readonly allOrNothing: boolean;
  /** Idempotency key: the same key, file and options are one import, however often sent. */
  readonly key: string;
}

/**
 * Accepts a file and returns the id of its import. Throws Problem `validation_failed` at /file if
 * it is not a readable table of stock, or if the company has too many unfinished imports, and
 * `service_unavailable` if too many files wait to be read.
 */
export async function startImport(
  companyId: string,
  userId: string,
  { name, bytes }: ImportFile,
  options: ImportOptions,
): Promise<string> {
  const { allOrNothing, decimalMark, allowNegativeStock, key } = options;
  const hash = createHash('sha256').update(bytes).digest('hex');
  const id = uuidv5(JSON.stringify([key, hash, allOrNothing, decimalMark]), companyId);
  // The same file and form once more: the import exists, with its rows. Reading costs far more.
  if (await findImport(companyId, id)) return id;
  if ((await countQueued(companyId)) >= MAX_QUEUED) throw tooManyQueued();
  const file = await readInThread(companyId, bytes, { decimalMark, allowNegativeStock });
  try {
    await inTransaction(async tx => {
      const status = statusOf(file, allOrNothing);
      await insertImport({ companyId, id, userId, name: nameOf(name), allOrNothing }, file, tx);
      for (const chunk of file.chunks) await insertRows(companyId, id, chunk, tx);
      if (status === 'queued') await refuseAboveLimit(companyId, tx);
    });
  } catch (error) {
    // As above, with both at once.
    if (violatedConstraint(error) !== 'imports_pkey') throw error;
  }
  return id;
}

interface NewImport {
  readonly companyId: string;
  readonly id: string;
  readonly userId: string;
  readonly name: string;
  readonly allOrNothing: boolean;
}

/** An import that has no valid row, or is refused for an error, is finished at once. */
function statusOf({ rowsTotal, rowsRefused }: StockFile, allOrNothing: boolean) {
  if (allOrNothing && rowsRefused > 0) return 'refused';
  return rowsRefused === rowsTotal ? 'done' : 'queued';
}

async function insertImport(
  { companyId, id, userId, name, allOrNothing }: NewImport,
  file: StockFile,
  tx: Transaction,
): Promise<void> {
  const { header, reason, rowsTotal, rowsRefused } = file;
  await query(
    `INSERT INTO imports (
       company_id, id, user_id, file_name, reference,
       reason, all_or_nothing, header, rows_total, rows_failed,
       status, run_at, finished_at
     )
     SELECT $1, $2, $3, $4, $4,
       $5, $6, $7, $8, $9,
       status,
       CASE WHEN status = 'queued' THEN now() END,
       CASE WHEN status <> 'queued' THEN now() END
     FROM (SELECT $10::text AS status) status`,
    [
      ...[companyId, id, userId, name],
      ...[reason, allOrNothing, JSON.stringify(header), rowsTotal, rowsRefused],
      statusOf(file, allOrNothing),
    ],
    tx,
  );
}

async function insertRows(
  companyId: string,
  importId: string,
  rows: string,
  tx: Transaction,
): Promise<void> {
  await query(
    `INSERT INTO import_rows (company_id, import_id, position, line, cells, entry, errors)
     SELECT $1, $2, position, line, cells, entry, errors
     FROM json_to_recordset($3) AS row
       (position int, line int, cells json, entry json, errors json)`,
    [companyId, importId, rows],
    tx,
  );
}

/**
 * Throws if the company has too many queued imports, this one included. The lock lets transactions
 * count one after the other, so each one sees the earlier ones. It is the last one before COMMIT.
 */
async function refuseAboveLimit(companyId: string, tx: Transaction): Promise<void> {
  await queryOne(
    `SELECT pg_advisory_xact_lock(hashtextextended('imports of ' || id, 0))
     FROM companies
     WHERE id = $1`,
    [companyId],
    tx,
  );
  if ((await countQueued(companyId, tx)) > MAX_QUEUED) throw tooManyQueued();
}

function tooManyQueued(): Error {
  const sentence = 'Several imports are still running. Upload this file when they are done.';
  return invalidField('file', sentence);
}

/** The file's name, cleaned for use as the adjustments' reference. */
function nameOf(fileName: string): string {
  const clean = cleanText([...cleanText(fileName)].slice(0, MAX_REFERENCE).join(''));
  return clean === '' || hasForbiddenCharacter(clean) ? 'import.csv' : clean;
}

/**
 * The rows that were not applied, as CSV: their original cells after two columns with the line and
 * the problem. Corrected, the file can be imported as it is, since an import ignores those two
 * columns.
 */
export async function* exportRowsLeft(
  companyId: string,
  id: string,
  header: readonly string[],
): AsyncGenerator<string> {
  yield BOM + csvRecord(['line', 'problem', ...header.map(asRead => ({ asRead }))]);
  for (let after = 0; ; ) {
    const rows = await listRowsLeft(companyId, id, { after, limit: ROWS_PER_EXPORT, all: true });
    const records = rows.map(({ line, cells, errors }) =>
      csvRecord([
        { number: String(line) },
        (errors ?? ['Not imported.']).join(' '),
        ...cells.map(asRead => ({ asRead })),
      ]),
    );
    if (records.length > 0) yield records.join('');
    after = rows.at(-1)?.position ?? after;
    if (rows.length < ROWS_PER_EXPORT) return;
  }
}

/** Deletes finished imports past their retention, with their refused rows. */
export function deleteOldImports(log: Log): Promise<void> {
  return deleteOldRows({ table: 'imports', days: RETENTION_DAYS, chunk: IMPORTS_PER_DELETE }, log);
}
