// Drafts of invoices: saved forms without a number and without any effect on stock. They exist for
// the dashboard only. Every write locks the company's row first, like all writes.
import { v7 as uuidv7 } from 'uuid';
import type { Actor } from '../../companies/actor.js';
import { lockCompanies } from '../../companies/lock.js';
import { inCompanyTransaction } from '../../companies/write-turns.js';
import { keyArrays } from '../../platform/db/arrays.js';
import { query, queryOne, type Transaction } from '../../platform/db/connection.js';
import { lookUpOne, timeJson } from '../../platform/db/sql.js';
import { Problem } from '../../platform/errors.js';
import { type DraftRef, type DraftState, refuseChangedDraft } from './draft-ref.js';

/** More than a company works on at once. Bounds their size, since forms have a limit. */
export const MAX_DRAFTS = 500;

export interface DraftContent {
  /** The form's fields, application/x-www-form-urlencoded. */
  readonly fields: string;
  /** Empty without a customer. */
  readonly customerName: string;
  /** YYYY-MM-DD; null without a valid date. */
  readonly date: string | null;
  /** Decimal text; null if no line has an amount. */
  readonly total: string | null;
  /** The currency of the total. */
  readonly currency: string;
}

export interface ListedDraft extends Omit<DraftContent, 'fields'> {
  readonly id: string;
  /** Null for a draft of the release before that was not saved since. */
  readonly number: number | null;
  readonly createdBy: Actor;
  readonly savedBy: Actor;
  readonly savedAt: string;
}

export interface Draft extends ListedDraft, DraftRef {
  readonly fields: string;
}

/**
 * Saves a new draft and returns its id. `once` is a UUID of the form, which may be sent again: the
 * same content is then saved once. Throws Problem `validation_failed` if there are too many drafts.
 */
export function createDraft(
  companyId: string,
  once: string,
  content: DraftContent,
  savedBy: Actor,
): Promise<string> {
  return inCompanyTransaction(companyId, async tx => {
    const [, [same], [{ count } = { count: 0 }]] = await Promise.all([
      lockCompanies([companyId], {}, tx),
      query<{ fields: string }>(
        'SELECT fields FROM invoice_drafts WHERE company_id = $1 AND id = $2',
        [companyId, once],
        tx,
      ),
      query<{ count: number }>(
        'SELECT count(*)::int AS count FROM invoice_drafts WHERE company_id = $1',
        [companyId],
        tx,
      ),
    ]);
    if (same?.fields === content.fields) return once;
    if (count >= MAX_DRAFTS) throw new Problem('validation_failed', TOO_MANY);
    const id = same ? uuidv7() : once;
    const { fields, customerName, date, total, currency } = content;
    await query(
      `INSERT INTO invoice_drafts (company_id, id, fields, customer_name, date, total, currency,
         created_by, saved_by, number)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $8, $9)`,
      [
        companyId,
        id,
        fields,
        customerName,
        date,
        total,
        currency,
        JSON.stringify(savedBy),
        await takeNumber(companyId, tx),
      ],
      tx,
    );
    return id;
  });
}

/** The number of a new draft. The company's row is locked. */
async function takeNumber(companyId: string, tx: Transaction): Promise<number> {
  const [row] = await query<{ number: number }>(
    `UPDATE companies
     SET next_draft_number = next_draft_number + 1
     WHERE id = $1
     RETURNING next_draft_number - 1 AS number`,
    [companyId],
    tx,
  );
  if (!row) throw new Error(`there is no company ${companyId}`);
  return row.number;
}

const TOO_MANY =
  `This company has ${MAX_DRAFTS} drafts, which is the limit. ` +
  'Delete drafts that you no longer need, then save again.';

/**
 * Saves another version of a draft. The same content may be sent again. Throws Problem
 * `invalid_state` if the draft is gone or has another version.
 */
export function updateDraft(
  companyId: string,
  draft: DraftRef,
  content: DraftContent,
  savedBy: Actor,
): Promise<void> {
  return inCompanyTransaction(companyId, async tx => {
    const [, current] = await Promise.all([
      lockCompanies([companyId], {}, tx),
      findDraft(companyId, draft.id, tx),
    ]);
    if (current?.fields === content.fields) return;
    const refusal = refuseChangedDraft(draft, current);
    if (refusal) throw refusal;
    const { fields, customerName, date, total, currency } = content;
    await query(
      `UPDATE invoice_drafts
       SET number = COALESCE(number, $9), version = version + 1, fields = $3,
         customer_name = $4, date = $5, total = $6, currency = $7, saved_by = $8, saved_at = now()
       WHERE company_id = $1 AND id = $2`,
      [
        companyId,
        draft.id,
        fields,
        customerName,
        date,
        total,
        currency,
        JSON.stringify(savedBy),
        current?.number ?? (await takeNumber(companyId, tx)),
      ],
      tx,
    );
  });
}

/** Deletes a draft. Throws Problem `invalid_state` if it is gone or has another version. */
export function deleteDraft(companyId: string, draft: DraftRef): Promise<void> {
  return inCompanyTransaction(companyId, async tx => {
    const [, current] = await Promise.all([
      lockCompanies([companyId], {}, tx),
      findDraft(companyId, draft.id, tx),
    ]);
    const refusal = refuseChangedDraft(draft, current);
    if (refusal) throw refusal;
    await deleteDrafts([{ companyId, id: draft.id }], tx);
  });
}

const LISTED = `
  id, number, customer_name AS "customerName", date::text, total::text, trim(currency) AS currency,
  created_by AS "createdBy", saved_by AS "savedBy", ${timeJson('saved_at')} AS "savedAt"`;

/** Null if the company has no such draft. */
export function findDraft(companyId: string, id: string, tx?: Transaction): Promise<Draft | null> {
  return queryOne<Draft>(
    `SELECT ${LISTED}, version, fields
     FROM invoice_drafts
     WHERE company_id = $1 AND id = $2`,
    [companyId, id],
    tx,
  );
}

/** The company's drafts, the one that was saved last first. */
export function listDrafts(companyId: string): Promise<ListedDraft[]> {
  return query<ListedDraft>(
    `SELECT ${LISTED}
     FROM invoice_drafts
     WHERE company_id = $1
     ORDER BY saved_at DESC, id DESC`,
    [companyId],
  );
}

export async function countDrafts(companyId: string): Promise<number> {
  const row = await queryOne<{ count: number }>(
    'SELECT count(*)::int AS count FROM invoice_drafts WHERE company_id = $1',
    [companyId],
  );
  return row?.count ?? 0;
}

export interface DraftKey {
  readonly companyId: string;
  readonly id: string;
}

/** A text that tells the drafts of all companies apart: a form chooses the id of its draft. */
export function draftKey({ companyId, id }: DraftKey): string {
  return `${companyId} ${id}`;
}

/** The states of the drafts that exist, by `draftKey`. */
export async function readDraftStates(
  drafts: readonly DraftKey[],
  tx: Transaction,
): Promise<Map<string, DraftState>> {
  if (drafts.length === 0) return new Map();
  const rows = await query<DraftKey & DraftState>(
    `SELECT d.company_id AS "companyId", d.id, d.version, d.saved_by AS "savedBy"
     FROM unnest($1::uuid[], $2::uuid[]) AS wanted (company_id, id),
       ${lookUpOne('invoice_drafts', 'd', 'company_id = wanted.company_id AND id = wanted.id')}`,
    keyArrays(drafts),
    tx,
  );
  return new Map(rows.map(row => [draftKey(row), row]));
}

/** Deletes drafts whose companies the transaction has locked. */
export async function deleteDrafts(drafts: readonly DraftKey[], tx: Transaction): Promise<void> {
  if (drafts.length === 0) return;
  await query(
    `DELETE FROM invoice_drafts
     USING unnest($1::uuid[], $2::uuid[]) AS issued (company_id, id)
     WHERE invoice_drafts.company_id = issued.company_id AND invoice_drafts.id = issued.id`,
    keyArrays(drafts),
    tx,
  );
}
