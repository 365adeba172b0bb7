// The searchable texts of payments, credit notes and refunds: the customer, the references, the
// number, the lines and the amount, none of which ever changes.

import { query, type Transaction } from '../../platform/db/connection.js';
import { readRows } from '../../platform/db/list-reads.js';
import { arraysOf } from '../../platform/db/rows.js';
import { inRange, RANGE, RANGES, type RowRange } from '../../rollups/progress.js';
import { storeSearchTexts } from '../../search/store-texts.js';
import type { TextQuery } from '../../search/text-query.js';
import { isFound, NEW_MAX, type SearchableRow, type TextKind } from '../../search/texts.js';
import { creditNoteNumberText, type ListedType } from '../queries.js';

export const TEXT_KINDS: Readonly<Record<ListedType, TextKind>> = {
  payment: 'payments',
  creditNote: 'creditNotes',
  refund: 'refunds',
};

/** The columns of a SearchableRow. Reads the entries row as e. */
export const TEXTS = `
  e.company_id AS "companyId", e.sequence AS position, e.date::text AS date, e.type, e.amount,
  e.customer_key AS "customerKey",
  ARRAY[
    e.reference, e.external_id,
    CASE WHEN e.number IS NOT NULL THEN ${creditNoteNumberText} END
  ] || CASE WHEN e.type = 'creditNote' THEN ARRAY(
    SELECT unnest(ARRAY[line.name, line.sku])
    FROM json_to_recordset(e.body::json -> 'items') AS line (name text, sku text)
  ) END AS texts`;
const HAS_LIST = `e.type IN ('payment', 'creditNote', 'refund')`;

type EntryRow = SearchableRow & { readonly type: ListedType };

/** Stores the texts of the entries of these ranges. */
export async function addEntryTexts(ranges: readonly RowRange[], tx: Transaction): Promise<void> {
  const rows = await query<EntryRow>(
    `SELECT ${TEXTS}
     FROM ${RANGES}, ${inRange('entries', 'e', 'sequence')}
     WHERE ${HAS_LIST}
     ORDER BY e.company_id, e.sequence`,
    arraysOf(RANGE, ranges),
    tx,
  );
  for (const [type, kind] of Object.entries(TEXT_KINDS))
    await storeSearchTexts(
      kind,
      rows.filter(row => row.type === type),
      tx,
    );
}

/** The newest entries, which have no stored text yet, that a search finds. */
export async function findNewEntries(
  companyId: string,
  text: TextQuery,
): Promise<{ readonly sequence: string; readonly date: string; readonly type: ListedType }[]> {
  const rows = await readRows<EntryRow>(
    companyId,
    `SELECT ${TEXTS}
     FROM (
       SELECT *
       FROM entries e
       WHERE e.company_id = $1
         AND e.sequence > COALESCE(
           (SELECT texts_sequence FROM summaries WHERE company_id = $1), 0)
       ORDER BY e.sequence DESC
       LIMIT ${NEW_MAX}
     ) e
     WHERE ${HAS_LIST}`,
    [companyId],
  );
  return rows
    .filter(row => isFound(text, row))
    .map(({ position: sequence, date, type }) => ({ sequence, date, type }));
}
