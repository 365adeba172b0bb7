// Previews of imported files: has a file read and checked, and persists its rows. Also deletes old
// imports.
import { createHash } from 'node:crypto';
import { v5 as uuidv5 } from 'uuid';
import { inTransactionOn } from '../companies/write-turns.js';
import { query, queryOne, type Transaction } from '../platform/db/connection.js';
import { deleteOldRows } from '../platform/db/retention.js';
import { Problem, unavailable } from '../platform/errors.js';
import { violatedConstraint } from '../platform/postgres-errors.js';
import type { Log } from '../platform/process/log.js';
import { cleanText, hasForbiddenCharacter } from '../platform/values/text.js';
import type { ImportedFile, ReadOptions } from './file/read-file.js';
import { type JudgedFile, judgeFile } from './judge.js';
import type { ImportKind } from './kind.js';
import { findImport } from './queries.js';
import { readInThread } from './reader.js';
import { deleteOldChanges } from './undo.js';

/** Per company and kind. A new preview replaces the oldest one beyond them. */
const MAX_PREVIEWS = 5;
const MAX_FILE_NAME = 100;
/** A finished import is shown, and its refused rows can be downloaded, for 30 days. */
const RETENTION_DAYS = 30;
/** A preview that is never started is deleted after this time. */
const PREVIEW_DAYS = 1;
/** Each import may have thousands of refused rows, which go with it. */
const IMPORTS_PER_DELETE = 20;

export interface NewImport {
  readonly companyId: string;
  readonly userId: string;
  readonly file: { readonly name: string; readonly bytes: Buffer };
  /** The key of the form: the same key and file are one import, however often sent. */
  readonly key: string;
}

/**
 * Reads a file and returns the id of its preview, which imports nothing until it is started. Throws
 * Problem `validation_failed` at /file if it is not a readable table of this kind, and
 * `service_unavailable` if too many files wait.
 */
export async function previewImport<Options extends ReadOptions>(
  kind: ImportKind<never, never, Options>,
  { companyId, userId, file: { name, bytes }, key }: NewImport,
  options: Options,
): Promise<string> {
  const hash = createHash('sha256').update(bytes).digest('hex');
  const id = uuidv5(JSON.stringify([key, hash]), companyId);
  // A repeated form with the same file finds its import, which costs far less than reading it.
  if (await findImport(kind, companyId, id)) return id;
  const file = await readAndJudge(kind, { companyId, userId }, async () => bytes, options);
  const fileName = nameOf(name) ?? kind.fileName;
  const preview = {
    company_id: companyId,
    id,
    user_id: userId,
    file_name: fileName,
    file: bytes,
    status: 'preview',
    ...columnsOf(kind, file, { fileName, options }),
  };
  const [names, values] = [Object.keys(preview), Object.values(preview).map(parameterOf)];
  try {
    await inTransactionOn(companyId, 'imports', async tx => {
      await deleteOldPreviews(kind, companyId, tx);
      await query(
        `INSERT INTO ${kind.table} (${names.join(', ')}, finished_at)
         VALUES (${names.map((_, index) => `$${index + 1}`).join(', ')}, now())`,
        values,
        tx,
      );
      await insertRows(kind, companyId, id, file, tx);
    });
  } catch (error) {
    // A concurrent upload of the same file created the import first.
    if (violatedConstraint(error) !== `${kind.table}_pkey`) throw error;
  }
  return id;
}

/**
 * Reads the file of a preview once more, with what its user chose. Does nothing if the import has
 * been started. Throws Problem `service_unavailable` as previewImport.
 */
export async function rereadPreview<Options extends ReadOptions>(
  kind: ImportKind<never, never, Options>,
  companyId: string,
  id: string,
  options: Options,
): Promise<void> {
  const found = await findImport(kind, companyId, id);
  if (found?.status !== 'preview') return;
  const file = await readAndJudge(
    kind,
    { companyId, userId: found.userId },
    () => loadFile(kind, companyId, id),
    options,
  );
  const columns = columnsOf(kind, file, { fileName: found.fileName, options });
  const changes = Object.keys(columns).map((column, index) => `${column} = $${index + 3}`);
  await inTransactionOn(companyId, 'imports', async tx => {
    const changed = await query(
      `UPDATE ${kind.table}
       SET ${changes.join(', ')}
       WHERE company_id = $1 AND id = $2 AND status = 'preview'
       RETURNING 1`,
      [companyId, id, ...Object.values(columns).map(parameterOf)],
      tx,
    );
    if (changed.length === 0) return;
    const rows = `DELETE FROM ${kind.rowsTable} WHERE company_id = $1 AND import_id = $2`;
    await query(rows, [companyId, id], tx);
    await insertRows(kind, companyId, id, file, tx);
  });
}

function readAndJudge<Options extends ReadOptions>(
  kind: ImportKind<never, never, Options>,
  { companyId, userId }: Pick<NewImport, 'companyId' | 'userId'>,
  load: () => Promise<Uint8Array>,
  options: Options,
): Promise<JudgedFile> {
  return readInThread(kind.formatModule, companyId, load, options, file =>
    judgeFile(kind, companyId, file, userId),
  );
}

/** The columns of a preview that depend on how its file was read. */
function columnsOf<Options extends ReadOptions>(
  kind: ImportKind<never, never, Options>,
  file: JudgedFile,
  { fileName, options }: { readonly fileName: string; readonly options: Options },
): Record<string, unknown> {
  const { header, decimalMark, doubt, reading, rowsTotal, rowsRefused, judgement } = file;
  return {
    header,
    reading,
    judgement,
    columns: options.chosen,
    decimal_mark: decimalMark,
    decimal_doubt: doubt,
    rows_total: rowsTotal,
    rows_failed: rowsRefused,
    ...kind.previewColumns?.(file, { fileName, judgement }),
  };
}

/** Objects and lists are stored as JSON. */
function parameterOf(value: unknown): unknown {
  const isPlain = typeof value !== 'object' || value === null || value instanceof Uint8Array;
  return isPlain ? value : JSON.stringify(value);
}

async function loadFile(
  { table }: ImportKind<never, never>,
  companyId: string,
  id: string,
): Promise<Buffer> {
  const preview = await queryOne<{ file: Buffer | null }>(
    `SELECT file FROM ${table} WHERE company_id = $1 AND id = $2 AND status = 'preview'`,
    [companyId, id],
  );
  if (!preview) throw unavailable('This import was started or deleted in the meantime.');
  // An earlier release stored no file.
  if (!preview.file) throw new Problem('validation_failed', 'Upload the file again.');
  return preview.file;
}

async function insertRows(
  { rowsTable, keys }: ImportKind<never, never>,
  companyId: string,
  id: string,
  file: ImportedFile,
  tx: Transaction,
): Promise<void> {
  const columns = ['position', 'line', 'cells', 'entry', 'errors', ...keys].join(', ');
  const keyTypes = keys.map(key => `${key} text`).join(', ');
  for (const chunk of file.chunks) {
    await query(
      `INSERT INTO ${rowsTable} (company_id, import_id, ${columns})
       SELECT $1, $2, ${columns}
       FROM json_to_recordset($3) AS row
         (position int, line int, cells json, entry json, errors json, ${keyTypes})`,
      [companyId, id, chunk],
      tx,
    );
  }
}

async function deleteOldPreviews(
  { table }: ImportKind<never, never>,
  companyId: string,
  tx: Transaction,
): Promise<void> {
  await query(
    `DELETE FROM ${table}
     WHERE company_id = $1 AND status = 'preview' AND id IN (
       SELECT id
       FROM ${table}
       WHERE company_id = $1 AND status = 'preview'
       ORDER BY created_at DESC, id
       OFFSET $2
     )`,
    [companyId, MAX_PREVIEWS - 1],
    tx,
  );
}

/** The file's name, cleaned; null if nothing is left of it. */
function nameOf(fileName: string): string | null {
  const clean = cleanText([...cleanText(fileName)].slice(0, MAX_FILE_NAME).join(''));
  return clean === '' || hasForbiddenCharacter(clean) ? null : clean;
}

/**
 * Deletes finished imports past their retention with their refused rows, previews that were not
 * started within a day, and the changes of imports that can no longer be undone.
 */
export async function deleteOldImports(kind: ImportKind, log: Log): Promise<void> {
  const [{ table, undo }, chunk] = [kind, IMPORTS_PER_DELETE];
  await deleteOldRows({ table, days: PREVIEW_DAYS, keep: "status <> 'preview'", chunk }, log);
  await deleteOldRows({ table, days: RETENTION_DAYS, chunk }, log);
  if (undo) await deleteOldChanges(table, undo.changesTable, log);
}
