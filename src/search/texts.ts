// The searchable texts of invoices, payments, credit notes and refunds: one line per row, many
// lines per stored text, so reading a company's whole history takes some 30 ms per 100,000 rows.
// Lines hold only what never changes.
import { textArray } from '../platform/db/arrays.js';
import { queryOne } from '../platform/db/connection.js';
import { foldText } from '../platform/values/folded-text.js';
import { fromUnits, toUnits } from '../platform/values/money.js';
import { isOfCustomer, type SearchedWord, type TextQuery } from './text-query.js';

/** Earlier releases have stored texts of the kinds invoice, payment and creditNote. */
export type TextKind = 'invoices' | 'payments' | 'creditNotes' | 'refunds';

/** A row as searches find it. */
export interface SearchableRow {
  readonly companyId: string;
  /** An invoice's number or an entry's sequence. */
  readonly position: string;
  readonly date: string;
  /** Decimal text. */
  readonly amount: string;
  /** The match key of the customer. */
  readonly customerKey: string;
  readonly texts: readonly (string | null)[];
}

/** After each field before the texts. */
export const FIELD_END = '\u0001';
/** After each text. The first one is the customer's match key. */
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
         c.next_invoice_number - COALESCE(s.texts_number, 0),
         c.next_entry_sequence - COALESCE(s.texts_sequence, 0)
       ) - 1 > ${NEW_MAX} AS "isBehind"
     FROM companies c
     LEFT JOIN summaries s ON s.company_id = c.id
     WHERE c.id = $1`,
    [companyId],
  );
  return row?.isBehind !== true;
}

/** The line of a row in a stored text. */
export function lineOf({ position, date, amount, ...row }: SearchableRow): string {
  const fields = [position, date, fromUnits(toUnits(amount))].map(each => each + FIELD_END);
  return fields.join('') + foldedTexts(row);
}

function foldedTexts({ customerKey, texts }: Pick<SearchableRow, 'customerKey' | 'texts'>): string {
  const folded = texts.flatMap(text => (text === null ? [] : [foldText(text)]));
  return [...new Set([customerKey, foldText(customerKey), ...folded])]
    .map(text => text + TEXT_END)
    .join('');
}

/** Whether a search finds a row, like `positionsInTexts` for stored ones. */
export function isFound({ words, whole }: TextQuery, row: SearchableRow): boolean {
  const texts = foldedTexts(row);
  const amount = fromUnits(toUnits(row.amount));
  const hasWord = (word: SearchedWord) =>
    texts.includes(word.isWhole ? wholeText(word.folded) : word.folded) ||
    word.amounts.includes(amount) ||
    isOfCustomer(word, row.customerKey);
  return words.every(hasWord) || (whole !== null && hasWord(whole));
}

/** The customer's match key is before all others. */
const wholeText = (folded: string) => TEXT_END + folded + TEXT_END;

type Bind = (bound: unknown) => string;

/**
 * SQL for the rows of these kinds with a stored text that a search finds, with the columns
 * company_id, position, date and customer_key. $1 is the company.
 */
export function positionsInTexts(
  kinds: readonly TextKind[],
  { words, whole }: TextQuery,
  value: Bind,
): string {
  const conditions = rarestFirst(words).map(word => wordConditions(word, value));
  const alternative = whole && wordConditions(whole, value);
  const found = (where: keyof WordConditions) => {
    const all = conditions.map(each => each[where]).join(' AND ');
    return alternative ? `(${all} OR ${alternative[where]})` : all;
  };
  return `
    SELECT t.company_id,
      ${field(1)}::bigint AS position,
      ${field(2)}::date AS date,
      ${CUSTOMER} AS customer_key
    FROM search_texts t,
      unnest(string_to_array(t.lines, E'\\n')) AS line
    WHERE t.company_id = $1 AND t.kind IN (${kinds.map(kind => `'${kind}'`).join(', ')})
      AND ${found('inText')}
      AND CASE WHEN ${found('mayBeInLine')} THEN ${found('inLine')} ELSE false END`;
}

/**
 * The words in the order in which they are looked for in a line, until one is missing: words with
 * digits are rarer than others, and those in customers' records take longest to look for.
 */
function rarestFirst(words: readonly SearchedWord[]): SearchedWord[] {
  const placeOf = ({ folded, customers }: SearchedWord) =>
    customers.length > 0 ? 2 : /\d/u.test(folded) ? 0 : 1;
  return words.toSorted((a, b) => placeOf(a) - placeOf(b));
}

const field = (place: number) => `split_part(line, ${sqlControl(FIELD_END)}, ${place})`;
const CUSTOMER = `split_part(${field(4)}, ${sqlControl(TEXT_END)}, 1)`;

/** So many customers are looked for in a text of many lines before its lines are read. */
const FEW_CUSTOMERS = 20;

/** SQL: a text of many lines may have the word, a line may have it, and that line has it. */
interface WordConditions {
  readonly inText: string;
  /** Cheap, and also true for some other lines. CASE has it checked first. */
  readonly mayBeInLine: string;
  readonly inLine: string;
}

function wordConditions(
  { folded, isWhole, amounts, customers }: SearchedWord,
  value: Bind,
): WordConditions {
  const text = value(isWhole ? wholeText(folded) : folded);
  const inText = [`strpos(t.lines, ${text}) > 0`];
  const mayBeInLine = [`strpos(line, ${text}) > 0`];
  const inLine = [`strpos(${field(4)}, ${text}) > 0`];
  for (const amount of amounts) {
    const between = value(FIELD_END + amount + FIELD_END);
    inText.push(`strpos(t.lines, ${between}) > 0`);
    mayBeInLine.push(`strpos(line, ${between}) > 0`);
    inLine.push(`strpos(line, ${between}) > 0`);
  }
  if (customers.length > FEW_CUSTOMERS) inText.splice(0, inText.length, 'true');
  else
    for (const key of customers)
      inText.push(`strpos(t.lines, ${value(FIELD_END + key + TEXT_END)}) > 0`);
  if (customers.length > 0) {
    mayBeInLine.splice(0, mayBeInLine.length, 'true');
    // A subquery becomes a hash table, also for very many names.
    inLine.push(`${CUSTOMER} IN (SELECT unnest(${value(textArray(customers))}::text[]))`);
  }
  const any = (conditions: readonly string[]) => `(${conditions.join(' OR ')})`;
  return { inText: any(inText), mayBeInLine: any(mayBeInLine), inLine: any(inLine) };
}

function sqlControl(character: string): string {
  return `E'\\x0${character.codePointAt(0)}'`;
}
