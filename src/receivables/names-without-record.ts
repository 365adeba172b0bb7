// The names of invoices and payments that no record has. Credit notes and refunds have the names
// of those.
import { IS_DUE } from '../invoices/overdue.js';
import { textArray } from '../platform/db/arrays.js';
import { readRows } from '../platform/db/list-reads.js';
import { matchKey } from '../platform/values/text.js';
import { newestSpelling } from './customer.js';

/** Names that a page looks at, in the order of match keys: some 40 ms. */
const LOOKED_AT = 2_000;

export interface UnrecordedName {
  /** The match key. */
  readonly key: string;
  /** The newest spelling. */
  readonly name: string;
  readonly invoices: number;
  readonly payments: number;
  /** Decimal text. */
  readonly outstanding: string;
}

interface NextName {
  readonly key: string;
  readonly isFree: boolean;
}

/**
 * Names after a match key. `next` is the match key after which the next page begins: a page may
 * have few names or none although more follow, if most of those that it looked at have records.
 */
export async function listUnrecordedNames(
  companyId: string,
  { after, limit }: { readonly after: string; readonly limit: number },
): Promise<{ rows: UnrecordedName[]; next: string | null }> {
  const looked = await readRows<NextName>(companyId, WALK, [companyId, after, limit, LOOKED_AT]);
  const free = looked.filter(({ isFree }) => isFree).map(({ key }) => key);
  const isEnd = free.length < limit && looked.length < LOOKED_AT;
  const rows =
    free.length === 0
      ? []
      : await readRows<UnrecordedName>(companyId, DETAILS, [companyId, textArray(free)]);
  return { rows, next: isEnd ? null : (looked.at(-1)?.key ?? null) };
}

/** The first name of an invoice or payment after a match key. */
const nextName = (after: string) => `LEAST(
    (
      SELECT customer_key FROM invoices
      WHERE company_id = $1 AND customer_key > ${after}
      ORDER BY customer_key
      LIMIT 1
    ),
    (
      SELECT customer_key FROM entries
      WHERE company_id = $1 AND type = 'payment' AND customer_key > ${after}
      ORDER BY customer_key
      LIMIT 1
    )
  )`;

const isFree = (key: string) => `NOT EXISTS (
    SELECT FROM customer_names WHERE company_id = $1 AND name_key = ${key}
  )`;

/** A look-up per name, in order, until $3 names without a record are found. */
const WALK = `
  WITH RECURSIVE names (key, is_free, free, looked) AS (
    SELECT first.key, ${isFree('first.key')}, (${isFree('first.key')})::int, 1
    FROM (SELECT ${nextName('$2')} AS key) first
    WHERE first.key IS NOT NULL
    UNION ALL
    SELECT next.key, next.is_free, names.free + next.is_free::int, names.looked + 1
    FROM names,
      LATERAL (SELECT ${nextName('names.key')} AS key OFFSET 0) found,
      LATERAL (SELECT found.key, ${isFree('found.key')} AS is_free OFFSET 0) next
    WHERE names.free < $3 AND names.looked < $4 AND found.key IS NOT NULL
  )
  SELECT key, is_free AS "isFree"
  FROM names
  ORDER BY key`;

const DETAILS = `
  SELECT wanted.key,
    COALESCE(newest.name, paid.name) AS name,
    counted.invoices, paid.payments, counted.outstanding
  FROM unnest($2::text[]) AS wanted (key),
    LATERAL (
      SELECT count(*)::int AS invoices,
        trim_scale(COALESCE(sum(i.total - i.paid - i.credited) FILTER (WHERE ${IS_DUE}), 0))::text
          AS outstanding
      FROM invoices i
      WHERE i.company_id = $1 AND i.customer_key = wanted.key
    ) counted,
    LATERAL (
      SELECT count(*)::int AS payments,
        (array_agg(customer_name ORDER BY date DESC, sequence DESC))[1] AS name
      FROM entries
      WHERE company_id = $1 AND type = 'payment' AND customer_key = wanted.key
    ) paid
    LEFT JOIN LATERAL (
      SELECT customer_name AS name
      FROM invoices
      WHERE company_id = $1 AND customer_key = wanted.key
      ORDER BY date DESC, number DESC
      LIMIT 1
    ) newest ON true
  ORDER BY wanted.key`;

/**
 * Names of invoices that begin with a text and have no record, by match key: few of them, and
 * none after LOOKED_AT names.
 */
export async function suggestPlainNames(
  companyId: string,
  text: string,
  limit: number,
): Promise<string[]> {
  const rows = await readRows<{ name: string }>(companyId, PLAIN_NAMES, [
    ...[companyId, matchKey(text), limit, SUGGESTED_FROM],
  ]);
  return rows.map(({ name }) => name);
}

/** Names that a suggestion looks at: a few milliseconds. */
const SUGGESTED_FROM = 200;
const nextOfInvoice = (condition: string) => `(
    SELECT customer_key FROM invoices
    WHERE company_id = $1 AND ${condition}
    ORDER BY customer_key
    LIMIT 1
  )`;

const PLAIN_NAMES = `
  WITH RECURSIVE names (key, is_free, free, looked) AS (
    SELECT first.key, ${isFree('first.key')}, (${isFree('first.key')})::int, 1
    FROM (SELECT ${nextOfInvoice('customer_key >= $2')} AS key) first
    WHERE starts_with(first.key, $2)
    UNION ALL
    SELECT next.key, next.is_free, names.free + next.is_free::int, names.looked + 1
    FROM names,
      LATERAL (SELECT ${nextOfInvoice('customer_key > names.key')} AS key OFFSET 0) found,
      LATERAL (SELECT found.key, ${isFree('found.key')} AS is_free OFFSET 0) next
    WHERE names.free < $3 AND names.looked < $4 AND starts_with(found.key, $2)
  )
  SELECT ${newestSpelling('names.key')} AS name
  FROM names
  WHERE names.is_free
  ORDER BY names.key`;
