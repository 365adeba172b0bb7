// The customer of a statement: a record, or a plain name that no record has.
import { remainingCustomer } from '../customers/queries.js';
import { queryOne } from '../platform/db/connection.js';
import { matchKey } from '../platform/values/text.js';

export interface StatementCustomer {
  /** Null for a plain name, like the number. */
  readonly id: string | null;
  readonly number: string | null;
  readonly name: string;
  /** The match keys of its invoices and entries. */
  readonly keys: readonly string[];
}

/** The record; null if there is none. A merged record's id finds the record it became part of. */
export function findRecord(companyId: string, id: string): Promise<StatementCustomer | null> {
  return queryOne<StatementCustomer>(
    `${RECORD}
     WHERE c.company_id = $1 AND c.id = ${remainingCustomer('$1', 'id = $2')}`,
    [companyId, id],
  );
}

/** The record with this name or alias, else the plain name; null if no document has it. */
export async function findByName(
  companyId: string,
  name: string,
): Promise<StatementCustomer | null> {
  const key = matchKey(name);
  const record = await queryOne<StatementCustomer>(
    `${RECORD}
     WHERE c.company_id = $1 AND c.id = (
       SELECT customer_id FROM customer_names WHERE company_id = $1 AND name_key = $2
     )`,
    [companyId, key],
  );
  if (record) return record;
  const plain = await queryOne<{ name: string | null }>(
    `SELECT ${newestSpelling('$2::text')} AS name`,
    [companyId, key],
  );
  return plain?.name ? { id: null, number: null, name: plain.name, keys: [key] } : null;
}

const RECORD = `
  SELECT c.id, c.number, c.name, ARRAY(
      SELECT name_key
      FROM customer_names
      WHERE company_id = c.company_id AND customer_id = c.id
    ) AS keys
  FROM customers c`;

/**
 * SQL for a plain name's spelling on its newest invoice or payment, by date and then by creation.
 * NULL if there is none. The company is $1.
 */
export function newestSpelling(key: string): string {
  const newest = (table: string, number: string, condition: string) => `(
      SELECT customer_name, date, created_at
      FROM ${table}
      WHERE company_id = $1 AND customer_key = ${key} ${condition}
      ORDER BY date DESC, ${number} DESC
      LIMIT 1
    )`;
  return `(
    SELECT customer_name
    FROM (
      ${newest('invoices', 'number', '')}
      UNION ALL
      ${newest('entries', 'sequence', "AND type = 'payment'")}
    ) newest
    ORDER BY date DESC, created_at DESC
    LIMIT 1
  )`;
}
