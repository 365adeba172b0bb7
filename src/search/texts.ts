// The searchable texts of invoices, payments and credit notes: one line per row, many lines per
// stored text, so reading a company's whole history takes some 30 ms per 100,000 rows. Lines hold
// only what never changes.
import { queryOne } from '../platform/db/connection.js';
import { foldText } from '../platform/values/folded-text.js';
import { fromUnits, toUnits } from '../platform/values/money.js';
import type { TextQuery } from './text-query.js';

export type TextKind = 'invoice' | 'payment' | 'creditNote';

/** A row as searches find it. */
export interface SearchableRow {
  readonly companyId: string;
  /** An invoice's number or an entry's sequence. */
  readonly position: string;
  readonly date: string;
  /** Decimal text. */
  readonly amount: string;
  readonly texts: readonly (string | null)[];
}

/** After each field before the texts. */
export const FIELD_END = '\u0001';
/** After each text. */
export const TEXT_END = '\u0002';

/**
 * Rows without a stored text that a search reads. There are more only after very many creates
 * within a few seconds, and for some minutes after an upgrade.
 */
export const NEW_MAX = 2_000;

/** False if a search may miss rows, because too many have no stored text yet. */
export async function hasTexts(companyId: string): Promise<boolean> {
  const row = await queryOne<{ isBehind: boolean }>(
    `SELECT greatest(
         c.next_invoice_number - COALESCE(s.searchable_number, 0),
         c.next_entry_sequence - COALESCE(s.searchable_sequence, 0)
       ) - 1 > ${NEW_MAX} AS "isBehind"
     FROM companies c
     LEFT JOIN summaries s ON s.company_id = c.id
     WHERE c.id = $1`,
    [companyId],
  );
  return row?.isBehind !== true;
}

/** The line of a row in a stored text. */
export function lineOf({ position, date, amount, texts }: SearchableRow): string {
  const fields = [position, date, fromUnits(toUnits(amount))].map(each => each + FIELD_END);
  return fields.join('') + foldedTexts(texts);
}

function foldedTexts(texts: SearchableRow['texts']): string {
  const folded = texts.flatMap(text => (text === null ? [] : [foldText(text)]));
  return [...new Set(folded)].map(text => text + TEXT_END).join('');
}

/** Whether a search finds a row, like `positionsInTexts` for stored ones. */
export function isFound({ folded, amounts }: TextQuery, row: SearchableRow): boolean {
  return (
    foldedTexts(row.texts).includes(folded) || amounts.includes(fromUnits(toUnits(row.amount)))
  );
}

/**
 * SQL for the rows of these kinds with a stored text that a search finds, with the columns
 * company_id, position and date. $1 is the company.
 */
export function positionsInTexts(
  kinds: readonly TextKind[],
  { folded, amounts }: TextQuery,
  value: (bound: unknown) => string,
): string {
  const text = value(folded);
  const inTexts = [`strpos(t.lines, ${text}) > 0`];
  const inLine = [
    `strpos(line, ${text}) > 0
      AND strpos(split_part(line, ${sqlControl(FIELD_END)}, 4), ${text}) > 0`,
  ];
  for (const amount of amounts) {
    const field = value(FIELD_END + amount + FIELD_END);
    inTexts.push(`strpos(t.lines, ${field}) > 0`);
    inLine.push(`strpos(line, ${field}) > 0`);
  }
  const field = (place: number) => `split_part(line, ${sqlControl(FIELD_END)}, ${place})`;
  return `
    SELECT t.company_id,
      ${field(1)}::bigint AS position,
      ${field(2)}::date AS date
    FROM search_texts t,
      unnest(string_to_array(t.lines, E'\\n')) AS line
    WHERE t.company_id = $1 AND t.kind IN (${kinds.map(kind => `'${kind}'`).join(', ')})
      AND (${inTexts.join(' OR ')})
      AND (${inLine.join(' OR ')})`;
}

function sqlControl(character: string): string {
  return `E'\\x0${character.codePointAt(0)}'`;
}
