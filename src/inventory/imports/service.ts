// Previews of imported files: has a file read and checked, and persists its rows. Also exports rows
// that were not imported, and deletes old imports.

import { createHash } from 'node:crypto';
import { v5 as uuidv5 } from 'uuid';
import { inTransactionOn } from '../../companies/write-turns.js';
import { readInThread } from '../../imports/reader.js';
import { query, queryOne, type Transaction } from '../../platform/db/connection.js';
import { deleteOldRows } from '../../platform/db/retention.js';
import { unavailable } from '../../platform/errors.js';
import { violatedConstraint } from '../../platform/postgres-errors.js';
import type { Log } from '../../platform/process/log.js';
import { BOM, type CsvFormat, csvRecord } from '../../platform/values/csv.js';
import { cleanText, hasForbiddenCharacter } from '../../platform/values/text.js';
import { findImport, listRowsLeft } from './queries.js';
import type { ReadOptions, StockFile } from './stock-file.js';
import { deleteOldChanges } from './undo/state.js';

const THREAD = new URL('./read-thread.js', import.meta.url);
export const MAX_FILE_BYTES = 5 * 1024 * 1024;
/** Per company. A new preview replaces the oldest one beyond them. */
const MAX_PREVIEWS = 5;
const ROWS_PER_EXPORT = 1_000;
const MAX_REFERENCE = 100;
/** A finished import is shown, and its refused rows can be downloaded, for 30 days. */
const RETENTION_DAYS = 30;
/** A preview that is never started is deleted after this time. */
const PREVIEW_DAYS = 1;
/** Each import may have thousands of refused rows, which go with it. */
const IMPORTS_PER_DELETE = 20;

export interface ImportFile {
  readonly name: string;
  readonly bytes: Buffer;
}

/**
 * Reads a file and returns the id of its preview, which imports nothing until it is started. The
 * same key and file are one import, however often sent. Throws Problem `validation_failed` at /file
 * if it is not a readable table of stock, and `service_unavailable` if too many files wait.
 */
export async function previewImport(
  companyId: string,
  userId: string,
  { name, bytes }: ImportFile,
  { allowNegativeStock, key }: { allowNegativeStock: boolean; key: string },
): Promise<string> {
  const hash = createHash('sha256').update(bytes).digest('hex');
  const id = uuidv5(JSON.stringify([key, hash]), companyId);
  // A repeated form with the same file finds its import, which costs far less than reading it.
  if (await findImport(companyId, id)) return id;
  const options = { decimalMark: null, chosen: null, allowNegativeStock };
  const file = await readFile(companyId, async () => bytes, options);
  try {
    await inTransactionOn(companyId, 'imports', async tx => {
      await deleteOldPreviews(companyId, tx);
      await insertPreview({ companyId, id, userId, name: nameOf(name), bytes }, file, tx);
      for (const chunk of file.chunks) await insertRows(companyId, id, chunk, tx);
    });
  } catch (error) {
    // A concurrent upload of the same file created the import first.
    if (violatedConstraint(error) !== 'imports_pkey') throw error;
  }
  return id;
}

/**
 * Reads the file of a preview once more, with the decimal separator or the columns that its user
 * chose. Does nothing if the import has been started. Throws Problem `service_unavailable` as
 * previewImport.
 */
export async function rereadPreview(
  companyId: string,
  id: string,
  options: ReadOptions,
): Promise<void> {
  if ((await findImport(companyId, id))?.status !== 'preview') return;
  const file = await readFile(companyId, () => loadFile(companyId, id), options);
  await inTransactionOn(companyId, 'imports', async tx => {
    const changed = await query(
      `UPDATE imports
       SET decimal_mark = $3, decimal_doubt = $4, reason = $5, rows_failed = $6, columns = $7
       WHERE company_id = $1 AND id = $2 AND status = 'preview'
       RETURNING 1`,
      [
        ...[companyId, id, file.decimalMark, file.doubt, file.reason, file.rowsRefused],
        options.chosen && JSON.stringify(options.chosen),
      ],
      tx,
    );
    if (changed.length === 0) return;
    const rows = 'DELETE FROM import_rows WHERE company_id = $1 AND import_id = $2';
    await query(rows, [companyId, id], tx);
    for (const chunk of file.chunks) await insertRows(companyId, id, chunk, tx);
  });
}

function readFile(
  companyId: string,
  load: () => Promise<Uint8Array>,
  options: ReadOptions,
): Promise<StockFile> {
  return readInThread<StockFile, ReadOptions>(THREAD, companyId, load, options);
}

async function loadFile(companyId: string, id: string): Promise<Buffer> {
  const preview = await queryOne<{ file: Buffer | null }>(
    'SELECT file FROM imports WHERE company_id = $1 AND id = $2',
    [companyId, id],
  );
  if (!preview?.file) throw unavailable('This import was started or deleted in the meantime.');
  return preview.file;
}

interface NewImport {
  readonly companyId: string;
  readonly id: string;
  readonly userId: string;
  readonly name: string;
  readonly bytes: Buffer;
}

async function insertPreview(
  { companyId, id, userId, name, bytes }: NewImport,
  file: StockFile,
  tx: Transaction,
): Promise<void> {
  const { header, reason, decimalMark, doubt, rowsTotal, rowsRefused } = file;
  await query(
    `INSERT INTO imports (
       company_id, id, user_id, file_name, reference,
       reason, decimal_mark, decimal_doubt, file, header, rows_total, rows_failed,
       status, finished_at
     )
     VALUES ($1, $2, $3, $4, $4, $5, $6, $7, $8, $9, $10, $11, 'preview', now())`,
    [
      ...[companyId, id, userId, name],
      ...[reason, decimalMark, doubt, bytes, JSON.stringify(header), rowsTotal, rowsRefused],
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
    `INSERT INTO import_rows (
       company_id, import_id, position, line, cells, entry, errors, name_key, sku_key
     )
     SELECT $1, $2, position, line, cells, entry, errors, "nameKey", "skuKey"
     FROM json_to_recordset($3) AS row
       (
         position int, line int, cells json, entry json, errors json,
         "nameKey" text, "skuKey" text
       )`,
    [companyId, importId, rows],
    tx,
  );
}

async function deleteOldPreviews(companyId: string, tx: Transaction): Promise<void> {
  await query(
    `DELETE FROM imports
     WHERE company_id = $1 AND status = 'preview' AND id IN (
       SELECT id
       FROM imports
       WHERE company_id = $1 AND status = 'preview'
       ORDER BY created_at DESC, id
       OFFSET $2
     )`,
    [companyId, MAX_PREVIEWS - 1],
    tx,
  );
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
  format: CsvFormat,
): AsyncGenerator<string> {
  yield BOM + csvRecord(['Line', 'Problem', ...header.map(asRead => ({ asRead }))], format);
  for (let after = 0; ; ) {
    const rows = await listRowsLeft(companyId, id, { after, limit: ROWS_PER_EXPORT, all: true });
    const records = rows.map(({ line, cells, errors }) =>
      csvRecord(
        [
          { number: String(line) },
          (errors ?? ['Not imported.']).join(' '),
          ...cells.map(asRead => ({ asRead })),
        ],
        format,
      ),
    );
    if (records.length > 0) yield records.join('');
    after = rows.at(-1)?.position ?? after;
    if (rows.length < ROWS_PER_EXPORT) return;
  }
}

/**
 * Deletes finished imports past their retention, with their refused rows, and previews that were
 * not started within a day, and what undoing an import takes once its time is over.
 */
export async function deleteOldImports(log: Log): Promise<void> {
  const chunk = IMPORTS_PER_DELETE;
  await deleteOldRows(
    { table: 'imports', days: PREVIEW_DAYS, keep: "status <> 'preview'", chunk },
    log,
  );
  await deleteOldRows({ table: 'imports', days: RETENTION_DAYS, chunk }, log);
  await deleteOldChanges(log);
}
