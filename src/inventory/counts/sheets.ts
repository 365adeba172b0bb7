// Count sheets: the items that people count over hours, saved line by line. A sheet changes no
// stock until it is booked as one adjustment (booking.ts). Every change locks the company's row
// first, so that a line's stock is what it was when it was counted.
import { type Actor, type ShownActor, shownActor } from '../../companies/actor.js';
import { lockCompanies } from '../../companies/lock.js';
import { inCompanyTransaction } from '../../companies/write-turns.js';
import { query, queryOne, type Transaction } from '../../platform/db/connection.js';
import { timeJson } from '../../platform/db/sql.js';
import { notFound, Problem } from '../../platform/errors.js';
import { invalidField } from '../../platform/field-errors.js';
import { MAX_ITEMS } from '../../platform/http/input/validate.js';
import { fromUnits, toUnits } from '../../platform/values/money.js';
import { MAX_ON_HAND } from '../stock.js';

/** More than a company counts at once. */
const MAX_SHEETS = 100;

export interface ListedSheet {
  readonly id: string;
  readonly name: string;
  readonly lines: number;
  readonly createdBy: ShownActor;
  readonly savedAt: string;
}

/** A counted item. Quantities are decimal text. */
export interface CountedLine {
  readonly itemId: string;
  readonly name: string;
  readonly sku: string | null;
  readonly unit: string | null;
  readonly archived: boolean;
  readonly counted: string;
  /** The stock when the item was first counted, and the current one. */
  readonly onHandThen: string;
  readonly onHand: string;
  readonly countedBy: ShownActor;
  readonly countedAt: string;
  /** The key of the form that saved it last. */
  readonly once: string;
}

export interface CountSheet {
  readonly id: string;
  readonly name: string;
  readonly version: number;
  /** The line that was saved last is the first one. */
  readonly lines: readonly CountedLine[];
}

export interface ItemCount {
  readonly itemId: string;
  readonly quantity: number;
  /** For an item that is on the sheet already: undefined refuses it. */
  readonly ifCounted?: 'add' | 'replace' | undefined;
  /** A UUID of the form, which may be sent again. */
  readonly once: string;
}

/**
 * Starts a sheet and returns its id, which is `once`: a form that is sent again starts no second
 * one. Throws Problem `validation_failed` if there are too many sheets.
 */
export function startSheet(
  companyId: string,
  { name, once }: { readonly name: string; readonly once: string },
  startedBy: Actor,
): Promise<string> {
  return inCompanyTransaction(companyId, async tx => {
    await lockCompanies([companyId], {}, tx);
    const sheets = await query<{ id: string }>(
      'SELECT id FROM count_sheets WHERE company_id = $1',
      [companyId],
      tx,
    );
    if (sheets.some(({ id }) => id === once)) return once;
    if (sheets.length >= MAX_SHEETS) throw invalidField('name', TOO_MANY_SHEETS);
    await query(
      'INSERT INTO count_sheets (company_id, id, name, created_by) VALUES ($1, $2, $3, $4)',
      [companyId, once, name, JSON.stringify(startedBy)],
      tx,
    );
    return once;
  });
}

const TOO_MANY_SHEETS = `There are ${MAX_SHEETS} counts, which is the limit. Book or delete one.`;

/**
 * Saves what was counted of an item. Throws Problem `not_found` if the sheet is gone,
 * `already_exists` if the item is on it and `ifCounted` is undefined, and `validation_failed` for
 * an unknown or archived item, a full sheet, or a sum that is too large.
 */
export function saveCount(
  companyId: string,
  sheetId: string,
  { itemId, quantity, ifCounted, once }: ItemCount,
  countedBy: Actor,
): Promise<void> {
  return inCompanyTransaction(companyId, async tx => {
    await lockCompanies([companyId], {}, tx);
    const lines = await linesUnderLock(companyId, sheetId, tx);
    const line = lines.find(each => each.itemId === itemId);
    if (line?.once === once) return;
    if (line && ifCounted === undefined)
      throw new Problem('already_exists', 'This item is already on the sheet.');
    if (!line && lines.length >= MAX_ITEMS) throw invalidField('item', FULL);
    const before = line && ifCounted === 'add' ? toUnits(line.counted) : 0n;
    const counted = before + toUnits(quantity);
    if (counted > MAX_ON_HAND) throw invalidField('quantity', 'More than an item can have.');
    await addVersion(companyId, sheetId, tx);
    const saved = await query(
      `INSERT INTO count_lines
         (company_id, sheet_id, item_id, counted, on_hand, once, created_by, counted_at)
       SELECT company_id, $2, id, $4, on_hand, $5, $6, clock_timestamp()
       FROM items
       WHERE company_id = $1 AND id = $3 AND NOT archived
       ON CONFLICT (company_id, sheet_id, item_id) DO UPDATE
       SET counted = excluded.counted, once = excluded.once, created_by = excluded.created_by,
         counted_at = excluded.counted_at,
         on_hand = CASE WHEN $7 THEN count_lines.on_hand ELSE excluded.on_hand END
       RETURNING item_id`,
      [
        ...[companyId, sheetId, itemId, fromUnits(counted), once, JSON.stringify(countedBy)],
        ifCounted === 'add',
      ],
      tx,
    );
    if (saved.length === 0) throw invalidField('item', 'There is no such stock item.');
  });
}

const FULL = `A sheet has at most ${MAX_ITEMS} items. Book it, and start another one.`;

/** Takes an item off the sheet. Throws Problem `not_found` if the sheet is gone. */
export function removeCount(companyId: string, sheetId: string, itemId: string): Promise<void> {
  return inCompanyTransaction(companyId, async tx => {
    await lockCompanies([companyId], {}, tx);
    await addVersion(companyId, sheetId, tx);
    await query(
      'DELETE FROM count_lines WHERE company_id = $1 AND sheet_id = $2 AND item_id = $3',
      [companyId, sheetId, itemId],
      tx,
    );
  });
}

/** Deletes a sheet with its lines, if it is still there. */
export function deleteSheet(companyId: string, sheetId: string): Promise<void> {
  return inCompanyTransaction(companyId, async tx => {
    await lockCompanies([companyId], {}, tx);
    await query(
      'DELETE FROM count_sheets WHERE company_id = $1 AND id = $2',
      [companyId, sheetId],
      tx,
    );
  });
}

/** The company's open sheets, the one that was saved last first. */
export function listSheets(companyId: string): Promise<ListedSheet[]> {
  return query<ListedSheet>(
    `SELECT id, name, ${shownActor('s')} AS "createdBy", ${timeJson('saved_at')} AS "savedAt",
       (
         SELECT count(*)::int
         FROM count_lines l
         WHERE l.company_id = s.company_id AND l.sheet_id = s.id
       ) AS lines
     FROM count_sheets s
     WHERE company_id = $1
     ORDER BY saved_at DESC, id DESC`,
    [companyId],
  );
}

/** Null if the company has no such sheet. */
export async function findSheet(companyId: string, id: string): Promise<CountSheet | null> {
  const sheet = await queryOne<Omit<CountSheet, 'lines'>>(
    'SELECT id, name, version FROM count_sheets WHERE company_id = $1 AND id = $2',
    [companyId, id],
  );
  if (!sheet) return null;
  const lines = await query<CountedLine>(
    `SELECT l.item_id AS "itemId", i.name, i.sku, i.unit, i.archived,
       trim_scale(l.counted)::text AS counted,
       trim_scale(l.on_hand)::text AS "onHandThen",
       trim_scale(i.on_hand)::text AS "onHand",
       l.once, ${shownActor('l')} AS "countedBy", ${timeJson('l.counted_at')} AS "countedAt"
     FROM count_lines l
     JOIN items i ON i.company_id = l.company_id AND i.id = l.item_id
     WHERE l.company_id = $1 AND l.sheet_id = $2
     ORDER BY l.counted_at DESC, l.item_id`,
    [companyId, id],
  );
  return { ...sheet, lines };
}

interface LockedLine {
  readonly itemId: string;
  readonly once: string;
  readonly counted: string;
}

/** Throws Problem `not_found` if the sheet is gone. */
async function linesUnderLock(
  companyId: string,
  sheetId: string,
  tx: Transaction,
): Promise<LockedLine[]> {
  const rows = await query<{ lines: LockedLine[] }>(
    `SELECT COALESCE(
       (
         SELECT json_agg(json_build_object(
           'itemId', l.item_id, 'once', l.once, 'counted', l.counted::text
         ))
         FROM count_lines l
         WHERE l.company_id = s.company_id AND l.sheet_id = s.id
       ), '[]') AS lines
     FROM count_sheets s
     WHERE s.company_id = $1 AND s.id = $2`,
    [companyId, sheetId],
    tx,
  );
  const [sheet] = rows;
  if (!sheet) throw notFound('count sheet');
  return sheet.lines;
}

/** Throws Problem `not_found` if the sheet is gone. */
async function addVersion(companyId: string, sheetId: string, tx: Transaction): Promise<void> {
  const changed = await query(
    `UPDATE count_sheets
     SET version = version + 1, saved_at = now()
     WHERE company_id = $1 AND id = $2
     RETURNING id`,
    [companyId, sheetId],
    tx,
  );
  if (changed.length === 0) throw notFound('count sheet');
}
