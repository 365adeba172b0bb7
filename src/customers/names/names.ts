// Which record an id or a name stands for. Invoices and entries have names, not records: a name
// belongs to the record that has it as its name or an alias, and a merged record's id stands for
// the record that remains.
import { plainArray, textArray } from '../../platform/db/arrays.js';
import { query, type Transaction } from '../../platform/db/connection.js';
import { lookUpOne } from '../../platform/db/sql.js';

/** A record is identified by its id, or by the match key of its number. */
type CustomerIdentifier = 'id' | 'number_key';

/** SQL for WITH RECURSIVE: `remaining` (sent, id) has the records that the values in $2 mean. */
const remaining = (by: CustomerIdentifier) => `
  chain AS (
    SELECT wanted.sent, c.id, c.merged_into
    FROM unnest($2::${by === 'id' ? 'uuid' : 'text'}[]) AS wanted (sent),
      ${lookUpOne('customers', 'c', `company_id = $1 AND ${by} = wanted.sent`)}
    UNION ALL
    SELECT chain.sent, c.id, c.merged_into
    FROM chain,
      ${lookUpOne('customers', 'c', 'company_id = $1 AND id = chain.merged_into')}
  ),
  remaining AS (SELECT sent, id FROM chain WHERE merged_into IS NULL)`;

/**
 * Reads columns of the records that ids or the match keys of numbers stand for, by what was sent. A
 * value that no record has is absent. SQL names the record c.
 */
export async function readRemaining<Row extends object>(
  companyId: string,
  by: CustomerIdentifier,
  sent: readonly string[],
  columns: string,
): Promise<Map<string, Row>> {
  if (sent.length === 0) return new Map();
  const rows = await query<Row & { sent: string }>(
    `WITH RECURSIVE ${remaining(by)}
     SELECT remaining.sent, ${columns}
     FROM remaining,
       ${lookUpOne('customers', 'c', 'company_id = $1 AND id = remaining.id')}`,
    [companyId, textArray([...new Set(sent)])],
  );
  return new Map(rows.map(row => [row.sent, row]));
}

/** The match keys of the record that an id stands for; empty if no record has the id. */
export async function readNameKeys(companyId: string, id: string): Promise<string[]> {
  const rows = await query<{ key: string }>(
    `WITH RECURSIVE ${remaining('id')}
     SELECT n.name_key AS key
     FROM remaining
     JOIN customer_names n ON n.company_id = $1 AND n.customer_id = remaining.id
     ORDER BY n.name_key`,
    [companyId, plainArray([id])],
  );
  return rows.map(({ key }) => key);
}

/** A match key of a company. */
export interface NameRef {
  readonly companyId: string;
  readonly nameKey: string;
}

/** The ids of the records that have these names, by `nameRefKey`. Other names are absent. */
export async function readOwners(
  refs: readonly NameRef[],
  tx?: Transaction,
): Promise<Map<string, string>> {
  if (refs.length === 0) return new Map();
  const rows = await query<NameRef & { customerId: string }>(
    `SELECT n.company_id AS "companyId", n.name_key AS "nameKey", n.customer_id AS "customerId"
     FROM unnest($1::uuid[], $2::text[]) AS wanted (company_id, name_key),
       ${NAME_OF_WANTED}`,
    nameBind(refs),
    tx,
  );
  return new Map(rows.map(row => [nameRefKey(row), row.customerId]));
}

/** Whether two match keys are equal or of one record. `owners` has the records of both. */
export function haveOneOwner(
  owners: ReadonlyMap<string, string>,
  companyId: string,
  nameKey: string,
  otherKey: string,
): boolean {
  const owner = owners.get(nameRefKey({ companyId, nameKey }));
  const other = owners.get(nameRefKey({ companyId, nameKey: otherKey }));
  return nameKey === otherKey || (owner !== undefined && owner === other);
}

/** SQL for the row n of customer_names with the name of a row `wanted`. */
export const NAME_OF_WANTED = lookUpOne(
  'customer_names',
  'n',
  'company_id = wanted.company_id AND name_key = wanted.name_key',
);

/** The arrays of companies and names of a statement. */
export function nameBind(refs: readonly NameRef[]): string[] {
  return [
    plainArray(refs.map(({ companyId }) => companyId)),
    textArray(refs.map(({ nameKey }) => nameKey)),
  ];
}

export function nameRefKey({ companyId, nameKey }: NameRef): string {
  return `${companyId} ${nameKey}`;
}
