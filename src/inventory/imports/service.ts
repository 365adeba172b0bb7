// Accepts an imported file: reads it, checks each row and persists it for the workers. Like a 202,
// an accepted import is a promise.
import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { v5 as uuidv5 } from 'uuid';
import {
  inModelTransaction,
  loadSequelize,
  type ModelTransaction,
  nowPlus,
  openModels,
} from '../../platform/db/models.js';
import { deleteOldRows } from '../../platform/db/retention.js';
import { invalidField } from '../../platform/field-errors.js';
import { violatedConstraint } from '../../platform/postgres-errors.js';
import type { Log } from '../../platform/process/log.js';
import { cleanText, hasForbiddenCharacter } from '../../platform/values/text.js';
import {
  type CheckedRow,
  type Columns,
  checkRow,
  type DecimalMark,
  readColumns,
} from './columns.js';
import { BOM, type CsvRow, csvRecord, readCsv } from './csv.js';
import { importModel } from './model.js';
import { listRowsLeft } from './queries.js';

export const MAX_FILE_BYTES = 5 * 1024 * 1024;
export const MAX_ROWS = 20_000;
/** Per company, so that one company's files cannot delay the others'. */
const MAX_QUEUED = 5;
const ROWS_PER_INSERT = 1_000;
/** Rows checked before the event loop serves other requests. */
const ROWS_PER_TURN = 100;
const MAX_REFERENCE = 100;
/** A finished import is shown, and its refused rows can be downloaded, for 30 days. */
const RETENTION_DAYS = 30;
/** Each import may have thousands of refused rows, which go with it. */
const IMPORTS_PER_DELETE = 20;

export interface ImportFile {
  readonly name: string;
  readonly bytes: Buffer;
}

export interface ImportOptions {
  readonly allOrNothing: boolean;
  readonly decimalMark: DecimalMark;
  readonly allowNegativeStock: boolean;
  /** Idempotency key: the same key, file and options are one import, however often sent. */
  readonly key: string;
}

type Row = CsvRow & { readonly position: number; readonly checked: CheckedRow };

/**
 * Accepts a file and returns the id of its import. Throws Problem `validation_failed` at /file if
 * it is not a readable table of stock, or if the company has too many unfinished imports.
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
    if (index % ROWS_PER_TURN === 0) await nextTurn();
  }
  try {
    await inModelTransaction(async tx => {
      await insertImport({ companyId, id, userId, file, allOrNothing, header, columns, rows }, tx);
      for (let at = 0; at < rows.length; at += ROWS_PER_INSERT)
        await insertRows(companyId, id, rows.slice(at, at + ROWS_PER_INSERT), tx);
    });
  } catch (error) {
    // The same file and form once more: the import exists, with its rows.
    if (violatedConstraint(error) !== 'imports_pkey') throw error;
  }
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

/** An import that has no valid row, or is refused for an error, is finished at once. */
async function insertImport(fresh: NewImport, transaction: ModelTransaction): Promise<void> {
  const { companyId, id, userId, file, allOrNothing, header, columns, rows } = fresh;
  const failed = rows.filter(({ checked }) => 'errors' in checked).length;
  const isRefused = allOrNothing && failed > 0;
  const status = isRefused ? 'refused' : failed === rows.length ? 'done' : 'queued';
  const name = nameOf(file.name);
  const Imports = await importModel();
  const { Op } = loadSequelize();
  const queued = await Imports.count({
    where: { companyId, id: { [Op.ne]: id }, status: 'queued' },
    transaction,
  });
  if (queued >= MAX_QUEUED)
    throw invalidField(
      'file',
      'Several imports are still running. Upload this file when they are done.',
    );
  const now = await nowPlus('0 s');
  await Imports.create(
    {
      ...{ companyId, id, userId, fileName: name, reference: name, reason: columns.reason },
      ...{ allOrNothing, header: header.cells, status },
      ...{ rowsTotal: rows.length, rowsFailed: failed },
      ...(status === 'queued' ? { runAt: now } : { finishedAt: now }),
    },
    { transaction },
  );
}

/** One statement for many rows: building a model for each would block other requests. */
async function insertRows(
  companyId: string,
  importId: string,
  rows: readonly Row[],
  transaction: ModelTransaction,
): Promise<void> {
  const values = rows.map(({ position, line, cells, checked }) => ({
    position,
    line,
    cells,
    ...checked,
  }));
  const sequelize = await openModels();
  await sequelize.query(
    `INSERT INTO import_rows (company_id, import_id, position, line, cells, entry, errors)
     SELECT $1, $2, position, line, cells, entry, errors
     FROM json_to_recordset($3) AS row
       (position int, line int, cells json, entry json, errors json)`,
    { bind: [companyId, importId, JSON.stringify(values)], transaction },
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
): AsyncGenerator<string> {
  yield BOM + csvRecord(['line', 'problem', ...header.map(asRead => ({ asRead }))]);
  for (let after = 0; ; ) {
    const rows = await listRowsLeft(companyId, id, { after, limit: ROWS_PER_INSERT, all: true });
    const records = rows.map(({ line, cells, errors }) =>
      csvRecord([
        { number: String(line) },
        (errors ?? ['Not imported.']).join(' '),
        ...cells.map(asRead => ({ asRead })),
      ]),
    );
    if (records.length > 0) yield records.join('');
    after = rows.at(-1)?.position ?? after;
    if (rows.length < ROWS_PER_INSERT) return;
  }
}

/** Deletes finished imports past their retention, with their refused rows. */
export function deleteOldImports(log: Log): Promise<void> {
  return deleteOldRows({ table: 'imports', days: RETENTION_DAYS, chunk: IMPORTS_PER_DELETE }, log);
}
