// The customer that a person means by a text: a record's name, another name of it, or its number.
// Other texts are new names, which may be records' names with typing errors.
import { queryOne } from '../../platform/db/connection.js';
import { readRows } from '../../platform/db/list-reads.js';
import { containsPattern } from '../../platform/db/sql.js';
import { foldText } from '../../platform/values/folded-text.js';
import { distanceOf, partsOf } from '../../platform/values/near-text.js';
import { matchKey } from '../../platform/values/text.js';
import { type NamedCustomer, remainingCustomer } from '../queries.js';
import { readNameKeys } from './names.js';

export interface MeantCustomer extends NamedCustomer {
  readonly archived: boolean;
}

/** Null for a text that is no record's. A merged record's number means the one that remains. */
export function findMeant(companyId: string, text: string): Promise<MeantCustomer | null> {
  return queryOne<MeantCustomer>(
    `SELECT c.id, c.number, c.name, c.archived
     FROM customers c
     WHERE c.company_id = $1 AND c.id = COALESCE(
       (SELECT customer_id FROM customer_names WHERE company_id = $1 AND name_key = $2),
       ${remainingCustomer('$1', 'number_key = $2')}
     )`,
    [companyId, matchKey(text)],
  );
}

/** The match keys of the customer that a text means; empty for a text that is no record's. */
export async function readMeantKeys(companyId: string, text: string): Promise<string[]> {
  const record = text === '' ? null : await findMeant(companyId, text);
  return record ? readNameKeys(companyId, record.id) : [];
}

/** Records that are compared: the ones with most parts of the text. */
const COMPARED = 200;

/** The names of records in use that the text is nearly equal to, the nearest first. */
export async function listNearNames(
  companyId: string,
  text: string,
  limit: number,
): Promise<string[]> {
  const typed = foldText(text);
  const patterns = partsOf(typed).map(containsPattern);
  const hasPart = patterns.map((_, index) => `c.search_key LIKE $${index + 2}`);
  const rows = await readRows<{ name: string; searchKey: string }>(
    companyId,
    `SELECT c.name, c.search_key AS "searchKey"
     FROM customers c
     WHERE c.company_id = $1 AND NOT c.archived AND (${hasPart.join(' OR ')})
     ORDER BY ${hasPart.map(each => `(${each})::int`).join(' + ')} DESC, c.name_key
     LIMIT ${COMPARED}`,
    [companyId, ...patterns],
  );
  return nearest(
    typed,
    rows.map(({ name, searchKey }) => ({ name, texts: searchKey.split('\n') })),
    limit,
  );
}

interface Named {
  readonly name: string;
  /** The folded texts that mean the name. */
  readonly texts: readonly string[];
}

/** The names with a text that is nearly the folded one, the nearest first. */
export function nearest(typed: string, names: readonly Named[], limit: number): string[] {
  const near = names.flatMap(({ name, texts }) => {
    const distances = texts.flatMap(text => distanceOf(typed, text) ?? []);
    return distances.length === 0 ? [] : [{ name, distance: Math.min(...distances) }];
  });
  near.sort((a, b) => a.distance - b.distance);
  return near.slice(0, limit).map(({ name }) => name);
}
