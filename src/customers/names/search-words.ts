// The customers whose records have the words of a search: invoices and entries are found by them,
// too.
import { readRows } from '../../platform/db/list-reads.js';
import { containsPattern } from '../../platform/db/sql.js';
import { type SearchedWord, type TextQuery, textQuery } from '../../search/text-query.js';

type Bind = (bound: unknown) => string;

/** SQL: a text that `searchKey` made, or its first part, has the word. */
export function keyHasWord(key: string, { folded, phone }: SearchedWord, value: Bind): string {
  const patterns = phone === null || phone === folded ? [folded] : [folded, phone];
  const contains = patterns.map(each => `${key} LIKE ${value(containsPattern(each))}`);
  return `(${contains.join(' OR ')})`;
}

/** SQL: a record's `searchKey` has all words of a text. */
export function keyHasText(key: string, { words, whole }: TextQuery, value: Bind): string {
  const all = words.map(word => keyHasWord(key, word, value)).join(' AND ');
  return whole === null ? `(${all})` : `(${all} OR ${keyHasWord(key, whole, value)})`;
}

/** The query of a typed text, with the customers whose records have its words. */
export async function searchQuery(
  companyId: string,
  typed: string,
  withAmounts = true,
): Promise<TextQuery> {
  const query = textQuery(typed, withAmounts);
  const words = query.whole === null ? query.words : [...query.words, query.whole];
  const bind: unknown[] = [companyId];
  const value: Bind = bound => `$${bind.push(bound)}`;
  // A name that has the word itself is in the texts of its invoices.
  const conditions = words.map(
    word => `${keyHasWord('c.key', word, value)} AND strpos(n.name_key, ${value(word.folded)}) = 0`,
  );
  // A name has no line feeds. The driver takes much longer to read an array.
  const lists = conditions.map(
    (condition, index) =>
      `string_agg(n.name_key, E'\\n') FILTER (WHERE ${condition}) AS "${index}"`,
  );
  const [row = {}] = await readRows<Record<string, string | null>>(
    companyId,
    `SELECT ${lists.join(', ')}
     FROM (
         SELECT id, split_part(search_key, E'\\n\\n', 1) AS key
         FROM customers
         WHERE company_id = $1 AND merged_into IS NULL
         OFFSET 0
       ) c
     JOIN customer_names n ON n.company_id = $1 AND n.customer_id = c.id
     WHERE ${conditions.map(condition => `(${condition})`).join(' OR ')}`,
    bind,
  );
  const found = words.map((word, index) => ({ ...word, customers: row[index]?.split('\n') ?? [] }));
  return {
    ...query,
    words: found.slice(0, query.words.length),
    whole: found[query.words.length] ?? null,
  };
}
