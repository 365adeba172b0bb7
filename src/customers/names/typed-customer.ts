// The customer that a person types into a form or a search: by name, alias or number.
import { queryOne } from '../../platform/db/connection.js';
import { lookUpOne } from '../../platform/db/sql.js';
import { matchKey } from '../../platform/values/text.js';
import { remainingCustomer } from '../queries.js';

export interface TypedCustomer {
  readonly id: string;
  readonly number: string;
  readonly name: string;
  /** What the text is of the record. A name or alias wins over another record's number. */
  readonly by: 'name' | 'alias' | 'number';
}

/** The record in use that a text means, as requests find it; null if it is a plain name. */
export function findTypedCustomer(companyId: string, typed: string): Promise<TypedCustomer | null> {
  return queryOne<TypedCustomer>(
    `SELECT c.id, c.number, c.name,
       CASE
         WHEN named.id IS NULL THEN 'number'
         WHEN c.name_key = $2 THEN 'name'
         ELSE 'alias'
       END AS by
     FROM (
         SELECT (
           SELECT customer_id FROM customer_names WHERE company_id = $1 AND name_key = $2
         ) AS id
       ) named,
       ${lookUpOne(
         'customers',
         'c',
         `company_id = $1
           AND id = COALESCE(named.id, ${remainingCustomer('$1', 'number_key = $2')})`,
       )}
     WHERE NOT c.archived`,
    [companyId, matchKey(typed)],
  );
}
