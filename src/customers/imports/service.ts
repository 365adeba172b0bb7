// Imports of customers until a worker takes them: a file is read and its rows are stored as a
// preview, which its user starts. Like a 202, a started import is a promise.
import { createHash } from 'node:crypto';
import { v5 as uuidv5 } from 'uuid';
import { inTransactionOn } from '../../companies/write-turns.js';
import type { DecimalMark } from '../../imports/decimals.js';
import { readInThread } from '../../imports/reader.js';
import { query, queryOne, type Transaction } from '../../platform/db/connection.js';
import { deleteOldRows } from '../../platform/db/retention.js';
import { Problem } from '../../platform/errors.js';
import { violatedConstraint } from '../../platform/postgres-errors.js';
import type { Log } from '../../platform/process/log.js';
import { cleanText, hasForbiddenCharacter } from '../../platform/values/text.js';
import type { CustomerFile, ReadOptions } from './customer-file.js';
import { findImport } from './queries.js';

export const MAX_FILE_BYTES = 10 * 1024 * 1024;
const THREAD = new URL('./read-thread.js', import.meta.url);
/** Per company. A new preview replaces the oldest one beyond them. */
const MAX_PREVIEWS = 5;
/** Per company, so that one company's files cannot delay the others'. */
const MAX_QUEUED = 5;
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
  /** Null: detected from the file. */
  readonly decimalMark: DecimalMark | null;
}

/**
 * Reads a file and returns the id of its preview, which imports nothing until it is started. Throws
 * Problem `validation_failed` at /file if it is not a readable table of customers, and
 * `service_unavailable` if too many files wait.
 */
export async function previewCustomers(request: NewImport): Promise<string> {
  const { companyId, key, file, decimalMark } = request;
  const hash = createHash('sha256').update(file.bytes).digest('hex');
  const id = uuidv5(JSON.stringify([key, hash]), companyId);
  // A repeated form with the same file finds its import, which costs far less than reading it.
  if (await findImport(companyId, id)) return id;
  const read = await readInThread<CustomerFile, ReadOptions>(
    ...([THREAD, companyId, async () => file.bytes, { decimalMark }] as const),
  );
  try {
    await inTransactionOn(companyId, 'imports', async tx => {
      await deleteOldPreviews(companyId, tx);
      await insertPreview(request, id, read, tx);
      for (const chunk of read.chunks) await query(INSERT_ROWS, [companyId, id, chunk], tx);
      await query(COUNT_NEW, [companyId, id], tx);
    });
  } catch (error) {
    // A concurrent upload of the same file created the import first.
    if (violatedConstraint(error) !== 'customer_imports_pkey') throw error;
  }
  return id;
}

async function insertPreview(
  { companyId, userId, file }: NewImport,
  id: string,
  { header, doubt, rowsTotal, rowsRefused }: CustomerFile,
  tx: Transaction,
): Promise<void> {
  await query(
    `INSERT INTO customer_imports (
       company_id, id, user_id, file_name, header, decimal_doubt, status,
       rows_total, rows_new, rows_failed, finished_at
     )
     VALUES ($1, $2, $3, $4, $5, $6, 'preview', $7, 0, $8, now())`,
    [
      ...[companyId, id, userId, nameOf(file.name), JSON.stringify(header), doubt],
      ...[rowsTotal, rowsRefused],
    ],
    tx,
  );
}

const INSERT_ROWS = `
  INSERT INTO customer_import_rows (
    company_id, import_id, position, line, cells, entry, errors, external_id, number_key, name_key
  )
  SELECT $1, $2, position, line, cells, entry, errors, "externalId", "numberKey", "nameKey"
  FROM json_to_recordset($3) AS row
    (
      position int, line int, cells json, entry json, errors json,
      "externalId" text, "numberKey" text, "nameKey" text
    )`;

/** Rows whose record does not exist. Two rows of one new customer both count. */
const COUNT_NEW = `
  UPDATE customer_imports
  SET rows_new = (
    SELECT count(*)
    FROM customer_import_rows r
    WHERE r.company_id = $1 AND r.import_id = $2 AND r.errors IS NULL
      AND NOT EXISTS (
        SELECT FROM customers c WHERE c.company_id = $1 AND c.external_id = r.external_id
      )
      AND NOT EXISTS (
        SELECT FROM customers c WHERE c.company_id = $1 AND c.number_key = r.number_key
      )
      AND NOT EXISTS (
        SELECT FROM customer_names n WHERE n.company_id = $1 AND n.name_key = r.name_key
      )
  )
  WHERE company_id = $1 AND id = $2`;

async function deleteOldPreviews(companyId: string, tx: Transaction): Promise<void> {
  await query(
    `DELETE FROM customer_imports
     WHERE company_id = $1 AND status = 'preview' AND id IN (
       SELECT id
       FROM customer_imports
       WHERE company_id = $1 AND status = 'preview'
       ORDER BY created_at DESC, id
       OFFSET $2
     )`,
    [companyId, MAX_PREVIEWS - 1],
    tx,
  );
}

function nameOf(fileName: string): string {
  const clean = cleanText([...cleanText(fileName)].slice(0, MAX_FILE_NAME).join(''));
  return clean === '' || hasForbiddenCharacter(clean) ? 'customers.csv' : clean;
}

/**
 * Queues a preview for the workers. Without effect if it has been started. Throws Problem
 * `validation_failed` if its numbers are in doubt, no row is valid, or the company has too many
 * queued imports.
 */
export async function startImport(companyId: string, id: string): Promise<void> {
  await inTransactionOn(companyId, 'imports', async tx => {
    const preview = await queryOne<{ doubt: string | null; total: number; failed: number }>(
      `SELECT decimal_doubt AS doubt, rows_total AS total, rows_failed AS failed
       FROM customer_imports
       WHERE company_id = $1 AND id = $2 AND status = 'preview'
       FOR NO KEY UPDATE`,
      [companyId, id],
      tx,
    );
    if (!preview) return;
    if (preview.doubt !== null)
      throw refused('Upload the file again and choose its decimal separator.');
    if (preview.failed === preview.total) throw refused('No row of this file can be imported.');
    await query(
      `UPDATE customer_imports
       SET status = 'queued', run_at = now(), finished_at = NULL
       WHERE company_id = $1 AND id = $2`,
      [companyId, id],
      tx,
    );
    await refuseAboveLimit(companyId, tx);
  });
}

/** The lock lets transactions count one after the other. It is the last one before COMMIT. */
async function refuseAboveLimit(companyId: string, tx: Transaction): Promise<void> {
  await query(
    `SELECT pg_advisory_xact_lock(hashtextextended('imports of ' || id, 0))
     FROM companies
     WHERE id = $1`,
    [companyId],
    tx,
  );
  const row = await queryOne<{ count: number }>(
    `SELECT count(*)::int AS count
     FROM customer_imports
     WHERE company_id = $1 AND status = 'queued'`,
    [companyId],
    tx,
  );
  if ((row?.count ?? 0) > MAX_QUEUED)
    throw refused('Several imports are still running. Start this one when they are done.');
}

function refused(sentence: string): Problem {
  return new Problem('validation_failed', sentence);
}

/** Deletes finished imports past their retention, and previews that were not started in a day. */
export async function deleteOldCustomerImports(log: Log): Promise<void> {
  const chunk = IMPORTS_PER_DELETE;
  const table = 'customer_imports';
  await deleteOldRows({ table, days: PREVIEW_DAYS, keep: "status <> 'preview'", chunk }, log);
  await deleteOldRows({ table, days: RETENTION_DAYS, chunk }, log);
}
