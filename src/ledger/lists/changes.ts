// The rows of a list that have changed since a time: those that were created, and those that
// another row changed, as an entry changes an invoice. Nothing is written for this: the positions
// of invoices, entries and adjustments are in the order of their times.
import { readRows } from '../../platform/db/list-reads.js';
import { firstSince, lookUpOne, timeOf } from '../../platform/db/sql.js';
import type { ListedType } from '../queries.js';

type Bind = (bound: unknown) => string;

/** Changes that a page reads. If there are more, it looks for them in the rows of the list. */
const FEW_MAX = 2_000;
/** Invoices whose lines a page of items reads. */
const FEW_INVOICES = 500;

/** The rows that a list reads which is asked for changes. */
export interface Changes {
  /** The rows that have changed: running numbers, sequences or ids. Null: more than a few. */
  readonly few: readonly string[] | null;
  /** SQL: the row of the list has changed. */
  readonly condition: (value: Bind) => string;
}

/** The invoices that were created or whose settlement has changed. */
export async function changedInvoices(companyId: string, since: number): Promise<Changes> {
  const { few, sequence } = await readFew(companyId, since, CHANGED_INVOICES);
  const condition = (value: Bind) => {
    const [time, first] = [timeOf(value(since)), `${value(sequence)}::bigint`];
    return `(
      i.created_at >= ${time}
      OR EXISTS (
        SELECT
        FROM allocations a
        JOIN entries e ON e.company_id = $1 AND e.sequence = a.sequence
        WHERE a.company_id = $1 AND a.invoice_id = i.id AND a.sequence >= ${first}
          AND e.created_at >= ${time}
      )
      OR EXISTS (
        SELECT
        FROM entries e
        WHERE e.company_id = $1 AND e.invoice_id = i.id AND e.sequence >= ${first}
          AND e.created_at >= ${time} AND e.amount = 0
      )
    )`;
  };
  return { few, condition };
}

/** The entries of a type that were recorded, or whose money a later entry has moved. */
export async function changedEntries(
  companyId: string,
  type: ListedType,
  since: number,
): Promise<Changes> {
  const { few, sequence } = await readFew(companyId, since, changedEntriesOf(type));
  const condition = (value: Bind) => {
    const time = timeOf(value(since));
    return `(
      e.created_at >= ${time}
      OR EXISTS (
        SELECT
        FROM entries later
        WHERE later.company_id = $1 AND later.source_id = e.id
          AND later.sequence >= ${value(sequence)}::bigint AND later.created_at >= ${time}
      )
    )`;
  };
  return { few, condition };
}

/** The items that were created, edited, or whose stock has moved. */
export async function changedItems(companyId: string, since: number): Promise<Changes> {
  const { few } = await readFew(companyId, since, CHANGED_ITEMS);
  return { few, condition: value => `i.updated_at >= ${timeOf(value(since))}` };
}

async function readFew(
  companyId: string,
  since: number,
  sql: string,
): Promise<{ readonly few: readonly string[] | null; readonly sequence: string }> {
  const [row] = await readRows<{ changed: string[] | null; isMany: boolean; sequence: string }>(
    companyId,
    sql,
    [companyId, since],
  );
  const { changed, sequence = '0' } = row ?? {};
  return { few: row?.isMany ? null : [...new Set(changed)], sequence };
}

const SINCE = timeOf('$2');

/** The first entries since the time. */
const RECENT = `
  SELECT e.id, e.sequence, e.type, e.source_id,
    -- The end of an invoice over nothing moves no money.
    CASE WHEN e.amount = 0 THEN e.invoice_id END AS voided_id
  FROM entries e
  WHERE e.company_id = $1 AND e.sequence >= (SELECT sequence FROM first)
    AND e.created_at >= ${SINCE}
  ORDER BY e.sequence
  LIMIT ${FEW_MAX + 1}`;

/** The first invoices since the time. */
const newInvoices = (column: string, max: number) => `
  SELECT i.${column}
  FROM invoices i
  WHERE i.company_id = $1 AND i.number >= (SELECT number FROM first) AND i.created_at >= ${SINCE}
  ORDER BY i.number
  LIMIT ${max + 1}`;

/** Exported like the others for the tests of their plans. */
export const CHANGED_INVOICES = changesSql([
  newInvoices('number', FEW_MAX),
  `SELECT i.number
   FROM recent e,
     LATERAL (
       SELECT a.invoice_id AS id
       FROM allocations a
       WHERE a.company_id = $1 AND a.source_id = COALESCE(e.source_id, e.id)
         AND a.sequence = e.sequence
       UNION ALL
       SELECT e.voided_id
     ) changed,
     ${lookUpOne('invoices', 'i', 'company_id = $1 AND id = changed.id')}`,
]);

/** A refund never changes. Other entries change the payment or credit note that they concern. */
export function changedEntriesOf(type: ListedType): string {
  if (type === 'refund') return changesSql([`SELECT sequence FROM recent WHERE type = 'refund'`]);
  return changesSql([
    `SELECT changed.sequence
     FROM recent e,
       ${lookUpOne('entries', 'changed', 'company_id = $1 AND id = COALESCE(e.source_id, e.id)')}
     WHERE changed.type = '${type}'`,
  ]);
}

export const CHANGED_ITEMS = changesSql(
  [
    `SELECT i.id
     FROM items i
     WHERE i.company_id = $1 AND i.edited_at >= ${SINCE}
     ORDER BY i.edited_at
     LIMIT ${FEW_MAX + 1}`,
    `SELECT line."itemId"
     FROM (
         SELECT a.movements
         FROM adjustments a
         WHERE a.company_id = $1 AND a.stock_version >= (SELECT version FROM first)
           AND a.created_at >= ${SINCE}
         ORDER BY a.stock_version
         LIMIT ${FEW_MAX + 1}
       ) a,
       json_to_recordset(a.movements) AS line ("itemId" uuid)`,
    `SELECT line."itemId"
     FROM sold,
       json_to_recordset(sold.body::json -> 'items') AS line ("itemId" uuid)
     WHERE line."itemId" IS NOT NULL`,
    `SELECT m.item_id
     FROM recent e
     JOIN movements m ON m.company_id = $1 AND m.credit_note_id = e.id`,
  ],
  newInvoices('body', FEW_INVOICES),
);

/**
 * SQL for the rows of these statements, of one column each, and whether they are more than a few.
 * They take the time as $2, the first positions from `first`, the entries from `recent`, and
 * invoices from `sold`.
 */
function changesSql(statements: readonly string[], sold?: string): string {
  const isMany = (table: string, max: number) => `OR (SELECT count(*) > ${max} FROM ${table})`;
  return `
    WITH first AS MATERIALIZED (
      SELECT ${firstSince('invoices', 'number', SINCE)} AS number,
        ${firstSince('entries', 'sequence', SINCE)} AS sequence,
        ${firstSince('adjustments', 'stock_version', SINCE)} AS version
    ), recent AS MATERIALIZED (${RECENT}
    )${sold ? `, sold AS MATERIALIZED (${sold})` : ''}
    SELECT array_agg(changed::text) AS changed,
      count(*) > ${FEW_MAX}
        ${isMany('recent', FEW_MAX)}
        ${sold ? isMany('sold', FEW_INVOICES) : ''} AS "isMany",
      (SELECT sequence FROM first) AS sequence
    FROM (
      SELECT changed
      FROM (${statements.map(each => `(${each})`).join(' UNION ALL ')}) each_change (changed)
      LIMIT ${FEW_MAX + 1}
    ) change`;
}
