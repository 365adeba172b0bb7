// The rows whose names or codes differ from another row's only by invisible characters. They are
// from before such characters were ignored, and keep their former keys (companies/kept-keys.ts)
// until one of the two is changed, merged or archived.
import { query } from '../../platform/db/connection.js';

export interface TextConflict {
  readonly companyId: string;
  readonly kind: string;
  /** The row with the characters: an item, a customer, a payment, a refund or a user. */
  readonly id: string;
  readonly text: string;
  /** The other row. */
  readonly existingId: string;
}

interface Holder {
  readonly kind: string;
  readonly table: string;
  readonly key: string;
  readonly id: string;
  readonly text: string;
  /** The rows that still have the key. */
  readonly where: string;
}

const ITEM = { table: 'items', id: 't.id', where: 'NOT t.archived' };
const CUSTOMER = { table: 'customers', id: 'COALESCE(t.merged_into, t.id)', where: 'true' };
const TRANSFER = { table: 'entries', key: 'external_id', id: 't.id', text: 't.external_id' };

const HOLDERS: readonly Holder[] = [
  { kind: 'itemName', key: 'name_key', text: 't.name', ...ITEM },
  { kind: 'itemSku', key: 'sku_key', text: 't.sku', ...ITEM },
  {
    kind: 'customerName',
    table: 'customer_names',
    key: 'name_key',
    id: 't.customer_id',
    text: 't.name_key',
    where: 'true',
  },
  { kind: 'customerNumber', key: 'number_key', text: 't.number', ...CUSTOMER },
  { kind: 'customerExternalId', key: 'external_id', text: 't.external_id', ...CUSTOMER },
  { kind: 'payment', ...TRANSFER, where: "t.type = 'payment' AND NOT t.reversed" },
  { kind: 'refund', ...TRANSFER, where: "t.type = 'refund'" },
];

/** Of each kept key: the rows with it, and those with another key of the same visible text. */
const found = ({ kind, table, key, id, text, where }: Holder) => `
  SELECT k.kind, k.company_id, k.key AS own, t.${key} AS key, ${id} AS id, ${text} AS text
  FROM kept k
  JOIN ${table} t ON t.company_id = k.company_id AND t.${key} = ANY(k.keys)
  WHERE k.kind = '${kind}' AND ${where}`;

const CONFLICTS = `
  WITH kept AS (
    SELECT k.kind, k.company_id, k.key,
      k.folded || ARRAY(
        SELECT o.key
        FROM kept_keys o
        WHERE o.company_id = k.company_id AND o.kind = k.kind AND o.folded = k.folded
      ) AS keys
    FROM kept_keys k
    WHERE k.key <> k.folded
  ), found AS (
    ${HOLDERS.map(found).join('\n    UNION ALL')}
    UNION ALL
    SELECT 'user', u.company_id, k.key, u.email, u.id, u.email
    FROM kept_keys k
    JOIN users u ON lower(u.email) IN (lower(k.key), lower(k.folded))
    WHERE k.kind = 'user' AND u.disabled_at IS NULL
  )
  SELECT DISTINCT mine.company_id AS "companyId", mine.kind, mine.id, mine.text,
    other.id AS "existingId"
  FROM found mine
  JOIN found other ON other.kind = mine.kind AND other.own = mine.own
    AND (other.company_id = mine.company_id OR mine.kind = 'user')
  WHERE mine.key = mine.own AND other.key <> mine.own AND other.id <> mine.id
  ORDER BY 1, 2, 3, 5`;

export function listTextConflicts(): Promise<TextConflict[]> {
  return query<TextConflict>(CONFLICTS, []);
}
