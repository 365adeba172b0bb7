// Open invoices that the dashboard offers to a payment: one customer's, and the customers that have
// any.

import { readMeantKeys } from '../customers/names/typed.js';
import { IS_DUE, OVERDUE } from '../invoices/overdue.js';
import { numberText, parseInvoiceNumber } from '../invoices/queries.js';
import { textArray } from '../platform/db/arrays.js';
import { query } from '../platform/db/connection.js';
import { readRows } from '../platform/db/list-reads.js';
import { containsPattern } from '../platform/db/sql.js';
import { MAX_ITEMS } from '../platform/http/input/validate.js';
import { matchKey } from '../platform/values/text.js';

export interface OpenInvoice {
  readonly id: string;
  readonly number: string;
  readonly customerName: string;
  readonly date: string;
  readonly dueDate: string | null;
  readonly isOverdue: boolean;
  /** Decimal text. */
  readonly due: string;
}

/** SQL: the match key in $2 with the other names of its record. $1 is the company. */
const NAMES_OF_CUSTOMER = `ARRAY(
    SELECT other.name_key
    FROM customer_names own
    JOIN customer_names other USING (company_id, customer_id)
    WHERE own.company_id = $1 AND own.name_key = $2
    UNION
    SELECT $2
  )`;

/**
 * The customer's invoices with something due, and the invoices with these ids; the earliest due
 * date first, invoices without one last. Limited to the number that one payment may list.
 */
export async function listOpenInvoices(
  companyId: string,
  customerName: string,
  ids: readonly string[] = [],
): Promise<OpenInvoice[]> {
  return readRows<OpenInvoice>(
    companyId,
    `SELECT i.id, ${numberText} AS number,
       i.customer_name AS "customerName",
       i.date::text AS date,
       i.due_date::text AS "dueDate",
       COALESCE(${OVERDUE}, false) AS "isOverdue",
       trim_scale(i.total - i.paid - i.credited)::text AS due
     FROM invoices i
     WHERE i.company_id = $1 AND i.customer_key = ANY(${NAMES_OF_CUSTOMER})
       AND (${IS_DUE} OR i.id = ANY($3::uuid[]))
     ORDER BY i.id = ANY($3::uuid[]) DESC, i.due_date NULLS LAST, i.date, i.number
     LIMIT ${MAX_ITEMS}`,
    [companyId, matchKey(customerName), ids],
  );
}

export interface Debtor {
  /** The name of the record, else the spelling of the newest invoice. */
  readonly customerName: string;
  readonly invoices: number;
  /** Decimal text. */
  readonly due: string;
  /** The part of it that is overdue; 0 for none. */
  readonly overdue: string;
}

/** The list of customers reads this many open invoices, which takes about 20 ms. */
const MAX_READ = 10_000;
const MAX_DEBTORS = 50;
/** Names whose records are looked up: enough for so many debtors with several names each. */
const MAX_NAMES = 500;

/** SQL: the names of the oldest open invoices that match $2, with the money of each. */
const DEBTORS = `
  SELECT i.customer_key,
    (array_agg(i.customer_name ORDER BY i.date DESC, i.number DESC))[1] AS name,
    count(*) AS invoices,
    sum(i.total - i.paid - i.credited) AS due,
    COALESCE(sum(i.total - i.paid - i.credited) FILTER (WHERE ${OVERDUE}), 0) AS overdue,
    min(i.due_date) AS due_date,
    min(i.date) AS date
  FROM (
    SELECT *
    FROM invoices i
    WHERE i.company_id = $1 AND ${IS_DUE}
    ORDER BY i.date, i.number
    LIMIT ${MAX_READ}
  ) i
  WHERE i.customer_key LIKE $2 OR i.customer_key = ANY($3::text[])
  GROUP BY i.customer_key`;

/**
 * Customers of the oldest open invoices whose names contain the text, and the one that it means by
 * a number, the earliest due date first.
 */
export async function listDebtors(companyId: string, text: string): Promise<Debtor[]> {
  const keys = await readMeantKeys(companyId, text);
  return readRows<Debtor>(
    companyId,
    `WITH debtor AS MATERIALIZED (${DEBTORS}), found AS (
       SELECT n.customer_id, min(first.customer_key) AS key,
         min(first.due_date) AS due_date,
         min(first.date) AS date
       FROM (
           SELECT * FROM debtor ORDER BY due_date NULLS LAST, date, customer_key LIMIT ${MAX_NAMES}
         ) first
         LEFT JOIN LATERAL (
           SELECT customer_id
           FROM customer_names
           WHERE company_id = $1 AND name_key = first.customer_key
           LIMIT 1
         ) n ON true
       GROUP BY n.customer_id, CASE WHEN n.customer_id IS NULL THEN first.customer_key END
       ORDER BY due_date NULLS LAST, date, key
       LIMIT ${MAX_DEBTORS}
     ), named AS (
       SELECT *, key AS name_key FROM found WHERE customer_id IS NULL
       UNION ALL
       SELECT found.*, n.name_key
       FROM found
       JOIN customer_names n ON n.company_id = $1 AND n.customer_id = found.customer_id
     )
     SELECT COALESCE(
         (SELECT name FROM customers WHERE company_id = $1 AND id = named.customer_id),
         min(debtor.name)
       ) AS "customerName",
       sum(debtor.invoices)::int AS invoices,
       trim_scale(sum(debtor.due))::text AS due,
       trim_scale(sum(debtor.overdue))::text AS overdue
     FROM named
     JOIN debtor ON debtor.customer_key = named.name_key
     GROUP BY named.customer_id, named.key, named.due_date, named.date
     ORDER BY named.due_date NULLS LAST, named.date, named.key`,
    [companyId, containsPattern(matchKey(text)), textArray(keys)],
  );
}

/** The id of the only invoice with this full number, in any case; null if there is none. */
export async function findInvoiceId(companyId: string, number: string): Promise<string | null> {
  const [row, other] = await query<{ id: string }>(
    `SELECT i.id
     FROM invoices i
     WHERE i.company_id = $1 AND i.number = ANY($2::bigint[]) AND lower(${numberText}) = lower($3)`,
    [companyId, parseInvoiceNumber(number).map(reading => reading.number), number],
  );
  return other ? null : (row?.id ?? null);
}
