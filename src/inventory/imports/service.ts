// Taking on an imported file: read, checked row by row, and kept in Postgres for the workers. What was taken on is a
// promise, like a 202.
import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { v5 as uuidv5 } from 'uuid';
import { inTransaction, query, queryOne, type Transaction } from '../../platform/db/connection.js';
import { invalidField } from '../../platform/field-errors.js';
import { cleanText, hasForbiddenCharacter } from '../../platform/values/text.js';
import {
  type CheckedRow,
  type Columns,
  checkRow,
  type DecimalMark,
  readColumns,
} from './columns.js';
import { BOM, type CsvRow, csvRecord, readCsv } from './csv.js';
import { listRowsLeft } from './queries.js';

export const MAX_FILE_BYTES = 5 * 1024 * 1024;
export const MAX_ROWS = 20_000;
/** Of one company, so that no company's files keep the others' waiting. */
const MAX_QUEUED = 5;
const ROWS_AN_INSERT = 1_000;
/** Rows checked before others have their turn in this process. */
const ROWS_A_TURN = 100;
const MAX_REFERENCE = 100;
/** Finished imports and what they refused are kept as long as jobs are. */
const RETENTION_DAYS = 30;
/** Each may take thousands of refused rows with it. */
const DELETE_CHUNK = 20;

export interface ImportFile {
  readonly name: string;
  readonly bytes: Buffer;
}

export interface ImportOptions {
  readonly allOrNothing: boolean;
  readonly decimalMark: DecimalMark;
  readonly allowNegativeStock: boolean;
  /** Tells one sending from another: the same key, file and options are one import, however often they come. */
  readonly key: string;
}

type Row = CsvRow & { readonly position: number; readonly checked: CheckedRow };

/**
 * Takes on a file and returns the id of its import. Throws Problem `validation_failed` at /file where it cannot be read as
 * a table of stock, or where the company has too many imports unfinished.
 */
export async function startImport(
  companyId: string,
  userId: string,
  file: ImportFile,
  options: ImportOptions,
): Promise<string> {
  const { allOrNothing, decimalMark, allowNegativeStock, key } = options;
  const hash = createHash('sha256').update(file.bytes).digest('hex');
  const id = uuidv5(JSON.stringify([key, hash, allOrNothing, decimalMark]), companyId);
  const [header, ...lines] = await readCsv(file.bytes, MAX_ROWS);
  if (!header || lines.length === 0) throw invalidField('file', 'The file has no rows.');
  const columns = readColumns(header.cells);
  const rows: Row[] = [];
  for (const [index, line] of lines.entries()) {
    const checked = checkRow(line.cells, columns, decimalMark, allowNegativeStock);
    rows.push({ ...line, position: index + 1, checked });
    if (index % ROWS_A_TURN === 0) await nextTurn();
  }
  await inTransaction(async tx => {
    const inserted = await insertImport(
      { companyId, id, userId, file, allOrNothing, header, columns, rows },
      tx,
    );
    for (let at = 0; inserted && at < rows.length; at += ROWS_AN_INSERT) {
      await insertRows(companyId, id, rows.slice(at, at + ROWS_AN_INSERT), tx);
    }
  });
  return id;
}

interface NewImport {
  readonly companyId: string;
  readonly id: string;
  readonly userId: string;
  readonly file: ImportFile;
  readonly allOrNothing: boolean;
  readonly header: CsvRow;
  readonly columns: Columns;
  readonly rows: readonly Row[];
}

/** False where this import is there already. One that is refused already has its outcome at once. */
async function insertImport(fresh: NewImport, tx: Transaction): Promise<boolean> {
  const { companyId, id, userId, file, allOrNothing, header, columns, rows } = fresh;
  const failed = rows.filter(({ checked }) => 'errors' in checked).length;
  const isOver = allOrNothing && failed > 0;
  const status = isOver ? 'refused' : failed === rows.length ? 'done' : 'queued';
  const name = nameOf(file.name);
  const queued = await queryOne<{ count: number }>(
    "SELECT count(*)::int AS count FROM imports WHERE company_id = $1 AND id <> $2 AND status = 'queued'",
    [companyId, id],
    tx,
  );
  if ((queued?.count ?? 0) >= MAX_QUEUED) {
    throw invalidField(
      'file',
      'Several imports are still running. Upload this file when they are done.',
    );
  }
  const inserted = await query(
    `INSERT INTO imports (company_id, id, user_id, file_name, reference, reason, all_or_nothing, header, status, rows_total,
       rows_failed, run_at, finished_at)
     VALUES ($1, $2, $3, $4, $4, $5, $6, $7, $8::text, $9, $10, CASE WHEN $8 = 'queued' THEN now() END,
       CASE WHEN $8 <> 'queued' THEN now() END)
     ON CONFLICT (company_id, id) DO NOTHING RETURNING 1`,
    [
      companyId,
      id,
      userId,
      name,
      columns.reason,
      allOrNothing,
      JSON.stringify(header.cells),
      status,
      rows.length,
      failed,
    ],
    tx,
  );
  return inserted.length > 0;
}

async function insertRows(
  companyId: string,
  importId: string,
  rows: readonly Row[],
  tx: Transaction,
): Promise<void> {
  const values = rows.map(({ position, line, cells, checked }) => ({
    position,
    line,
    cells,
    ...checked,
  }));
  await query(
    `INSERT INTO import_rows (company_id, import_id, position, line, cells, entry, errors)
     SELECT $1, $2, position, line, cells, entry, errors
     FROM json_to_recordset($3) AS r (position int, line int, cells json, entry json, errors json)`,
    [companyId, importId, JSON.stringify(values)],
    tx,
  );
}

/** The file's name as the adjustments' reference has it. */
function nameOf(fileName: string): string {
  const clean = cleanText([...cleanText(fileName)].slice(0, MAX_REFERENCE).join(''));
  return clean === '' || hasForbiddenCharacter(clean) ? 'import.csv' : clean;
}

/**
 * What was not applied, as CSV: the rows as they were, with their line and what is wrong. Corrected, it can be sent as it
 * is: an import passes over the first two columns.
 */
export async function* exportRowsLeft(
  companyId: string,
  id: string,
  header: readonly string[],
): AsyncGenerator<string> {
  yield BOM + csvRecord(['line', 'problem', ...header.map(asRead => ({ asRead }))]);
  for (let after = 0; ; ) {
    const rows = await listRowsLeft(companyId, id, { after, limit: ROWS_AN_INSERT, all: true });
    const records = rows.map(({ line, cells, errors }) =>
      csvRecord([
        { number: String(line) },
        (errors ?? ['Not imported.']).join(' '),
        ...cells.map(asRead => ({ asRead })),
      ]),
    );
    if (records.length > 0) yield records.join('');
    after = rows.at(-1)?.position ?? after;
    if (rows.length < ROWS_AN_INSERT) return;
  }
}

/** Deletes imports past their retention, and what they refused. */
export async function deleteOldImports(): Promise<void> {
  for (let deleted = DELETE_CHUNK; deleted === DELETE_CHUNK; ) {
    const rows = await query(
      `DELETE FROM imports WHERE (company_id, id) IN (
         SELECT company_id, id FROM imports WHERE finished_at < now() - $1 * interval '1 day' ORDER BY finished_at LIMIT $2)
       RETURNING 1`,
      [RETENTION_DAYS, DELETE_CHUNK],
    );
    deleted = rows.length;
  }
}
