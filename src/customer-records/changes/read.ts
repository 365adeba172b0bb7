// Reads the records that a change concerns, in the transaction that has locked the company.

import { LAST_VERSION } from '../../customers/record.js';
import { NEXT_EVENT } from '../../feed/append.js';
import { textArray } from '../../platform/db/arrays.js';
import { query, queryOne, type Transaction } from '../../platform/db/connection.js';
import { lookUpOne } from '../../platform/db/sql.js';
import { Problem } from '../../platform/errors.js';
import { codeKey, matchKey } from '../../platform/values/text.js';

/** The company, as the changes of its records need it. */
export interface LockedCompany {
  readonly currency: string;
  readonly next: string;
  readonly nextEvent: string;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** SQL of a LockedCompany, for `lockCompanies`. */
export const COMPANY = {
  columns: `trim(currency) AS currency, next_customer_number AS next, ${NEXT_EVENT},
    customers_changed_at`,
  computed: `floor(extract(epoch FROM GREATEST(
    date_trunc('milliseconds', clock_timestamp()),
    c.customers_changed_at + interval '1 millisecond'
  )) * 1000)::float8 AS now`,
};

/** Throws Problem `not_found`. */
export async function readCompany(companyId: string): Promise<LockedCompany> {
  const company = await queryOne<LockedCompany>(
    `SELECT ${COMPANY.columns}, ${COMPANY.computed} FROM companies c WHERE id = $1`,
    [companyId],
  );
  return existing(company, companyId);
}

export function existing<Row>(company: Row | null | undefined, companyId: string): Row {
  if (!company) throw new Problem('not_found', `There is no company ${companyId}.`);
  return company;
}

/** The values that identify the records of a change. */
export interface Wanted {
  readonly ids?: readonly string[];
  readonly numbers?: readonly string[];
  readonly externalIds?: readonly string[];
  readonly names?: readonly string[];
}

export interface StoredCustomer {
  readonly id: string;
  readonly version: number;
  readonly body: string;
}

export function customerNumberText(number: bigint): string {
  return `C-${String(number).padStart(5, '0')}`;
}

export function readRecords(
  companyId: string,
  { ids = [], numbers = [], externalIds = [], names = [] }: Wanted,
  tx?: Transaction,
): Promise<StoredCustomer[]> {
  return query<StoredCustomer>(
    `SELECT c.id, c.version, v.body
     FROM (
         SELECT id FROM customers WHERE company_id = $1 AND id = ANY($2::uuid[])
         UNION
         SELECT id FROM customers WHERE company_id = $1 AND number_key = ANY($3::text[])
         UNION
         SELECT id FROM customers WHERE company_id = $1 AND external_id = ANY($4::text[])
         UNION
         SELECT customer_id FROM customer_names WHERE company_id = $1 AND name_key = ANY($5::text[])
       ) wanted,
       ${lookUpOne('customers', 'c', 'company_id = $1 AND id = wanted.id')},
       ${LAST_VERSION}`,
    [
      companyId,
      ids,
      textArray(numbers.map(matchKey)),
      textArray(externalIds.map(codeKey)),
      textArray(names.map(matchKey)),
    ],
    tx,
  );
}

export function readMergedRecords(
  companyId: string,
  id: string,
  tx?: Transaction,
): Promise<StoredCustomer[]> {
  return query<StoredCustomer>(
    `WITH RECURSIVE merged (id) AS (
       SELECT id FROM customers WHERE company_id = $1 AND merged_into = $2
       UNION ALL
       SELECT c.id
       FROM merged
       JOIN customers c ON c.company_id = $1 AND c.merged_into = merged.id
     )
     SELECT c.id, c.version, v.body
     FROM merged,
       ${lookUpOne('customers', 'c', 'company_id = $1 AND id = merged.id')},
       ${LAST_VERSION}`,
    [companyId, id],
    tx,
  );
}

export async function findUsedNames(
  companyId: string,
  keys: readonly string[],
  tx?: Transaction,
): Promise<string[]> {
  const rows = await query<{ key: string }>(
    `SELECT key
     FROM unnest($2::text[]) AS wanted (key)
     WHERE EXISTS (
         SELECT FROM invoices WHERE company_id = $1 AND customer_key = wanted.key
       )
       OR EXISTS (
         SELECT FROM entries
         WHERE company_id = $1 AND customer_key = wanted.key
           AND type IN ('payment', 'refund', 'creditNote')
       )`,
    [companyId, textArray(keys)],
    tx,
  );
  return rows.map(({ key }) => key);
}

/** The invoices and entries with some match keys. */
export interface NameUses {
  readonly invoices: number;
  readonly entries: number;
}

export async function countUses(
  companyId: string,
  keys: readonly string[],
  tx?: Transaction,
): Promise<NameUses> {
  const [uses] = await query<NameUses>(
    `SELECT (
         SELECT count(*)::int
         FROM invoices
         WHERE company_id = $1 AND customer_key = ANY($2::text[])
       ) AS invoices,
       (
         SELECT count(*)::int
         FROM entries
         WHERE company_id = $1 AND customer_key = ANY($2::text[])
           AND type IN ('payment', 'refund', 'creditNote')
       ) AS entries`,
    [companyId, textArray(keys)],
    tx,
  );
  return uses ?? { invoices: 0, entries: 0 };
}

/** Numbers that a statement looks up: usually the first ones are free. */
const MIN_CANDIDATES = 16;
/** The same once those are taken, such as by numbers that came with an import. */
const MAX_CANDIDATES = 1_000;

/** The first numbers from `next` on that no stored record has: at least one, at most `count`. */
export async function findFreeNumbers(
  companyId: string,
  next: bigint,
  count: number,
  tx?: Transaction,
): Promise<bigint[]> {
  let step = Math.max(2 * count, MIN_CANDIDATES);
  for (let from = next; ; from += BigInt(step), step = MAX_CANDIDATES) {
    const candidates = Array.from({ length: step }, (_, index) => from + BigInt(index));
    const free = await query<{ at: string }>(
      `SELECT wanted.at
       FROM unnest($2::text[]) WITH ORDINALITY AS wanted (key, at)
       WHERE NOT EXISTS (
         SELECT FROM customers WHERE company_id = $1 AND number_key = wanted.key
       )
       ORDER BY wanted.at
       LIMIT $3`,
      [companyId, textArray(candidates.map(number => matchKey(customerNumberText(number)))), count],
      tx,
    );
    if (free.length > 0) return free.map(({ at }) => from + BigInt(at) - 1n);
  }
}
