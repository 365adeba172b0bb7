// Reads records of customers. They are read from the primary: a change is seen by the next read.

import { type ShownActor, shownActor } from '../companies/actor.js';
import { plainTaxId } from '../companies/parties/party-fields.js';
import { plainArray } from '../platform/db/arrays.js';
import { query, queryOne } from '../platform/db/connection.js';
import { readRows } from '../platform/db/list-reads.js';
import { keyContains, lookUpOne, timeJson, timeOf } from '../platform/db/sql.js';
import { NO_PAGE, type Page, pageOfRows, splitPage } from '../platform/http/pagination.js';
import { foldText } from '../platform/values/folded-text.js';
import { matchKey } from '../platform/values/text.js';
import { textQuery } from '../search/text-query.js';
import type { CustomerQuery } from './list-schema.js';
import { keyHasText } from './names/search-words.js';
import { customerJsonSql, LAST_VERSION } from './record.js';

/** The company's currency, for the JSON of its records. */
const CURRENCY = '(SELECT trim(currency) FROM companies WHERE companies.id = $1)';
const BODY = customerJsonSql('v.body', CURRENCY);

/** SQL: the record that a merged record ended in, of the records that `where` finds. */
export function remainingCustomer(companyId: string, where: string): string {
  return `(
    WITH RECURSIVE chain (id, merged_into) AS (
      SELECT id, merged_into FROM customers WHERE company_id = ${companyId} AND ${where}
      UNION ALL
      SELECT next.id, next.merged_into
      FROM chain,
        ${lookUpOne('customers', 'next', `company_id = ${companyId} AND id = chain.merged_into`)}
    )
    SELECT id FROM chain WHERE merged_into IS NULL
  )`;
}

/**
 * The record's JSON text; null if there is none. A merged record's id finds the record it became
 * part of.
 */
export async function findCustomer(companyId: string, id: string): Promise<string | null> {
  const row = await queryOne<{ body: string }>(
    `SELECT ${BODY} AS body
     FROM customers c, ${LAST_VERSION}
     WHERE c.company_id = $1 AND c.id = ${remainingCustomer('$1', 'id = $2')}`,
    [companyId, id],
  );
  return row?.body ?? null;
}

/** The JSON text of the record that has this id itself, even if it is merged; null without one. */
export async function findOwnCustomer(companyId: string, id: string): Promise<string | null> {
  const row = await queryOne<{ body: string }>(
    `SELECT ${BODY} AS body
     FROM customers c, ${LAST_VERSION}
     WHERE c.company_id = $1 AND c.id = $2`,
    [companyId, id],
  );
  return row?.body ?? null;
}

/** The JSON texts of these records, by id. */
export async function customerBodies(
  companyId: string,
  ids: readonly string[],
): Promise<Map<string, string>> {
  const rows = await readRows<{ id: string; body: string }>(
    companyId,
    `SELECT c.id, ${BODY} AS body
     FROM customers c, ${LAST_VERSION}
     WHERE c.company_id = $1 AND c.id = ANY($2::uuid[])`,
    [companyId, plainArray(ids)],
  );
  return new Map(rows.map(({ id, body }) => [id, body]));
}

/** Records after `position`, by match key and id in code point order. */
export async function listCustomers(
  companyId: string,
  filter: CustomerQuery,
  position: string[] | undefined,
): Promise<Page> {
  const changed = await changedRecords(companyId, filter);
  if (changed?.few?.length === 0) return NO_PAGE;
  const bind: unknown[] = [companyId, filter.limit + 1];
  const value = (bound: unknown) => `$${bind.push(bound)}`;
  const where = customerConditions(filter, value);
  if (changed?.few) where.push(`c.id = ANY(${value(plainArray(changed.few))}::uuid[])`);
  else if (changed) where.push(`c.updated_at >= ${timeOf(value(changed.since))}`);
  if (position) {
    const [key, id] = position.map(value);
    where.push(`(c.name_key, c.id) > (${key}, ${id}::uuid)`);
  }
  const rows = await readRows<{ id: string; key: string; body: string }>(
    companyId,
    `SELECT c.id, c.name_key AS key, ${BODY} AS body
     FROM (
         SELECT c.company_id, c.id, c.name_key, c.version
         FROM ${customersOf(filter, value)}
         WHERE c.company_id = $1 AND ${where.join(' AND ')}
         ORDER BY c.name_key, c.id
         LIMIT $2
       ) c,
       ${LAST_VERSION}
     ORDER BY c.name_key, c.id`,
    bind,
  );
  return pageOfRows(rows, filter.limit, ({ key, id }) => [key, id]);
}

/** Changes that are looked up by themselves. If there are more, the list is read for them. */
const FEW_MAX = 2_000;

/** The records that were changed since the time of a filter; null without one. */
async function changedRecords(companyId: string, { updatedSince: since }: CustomerQuery) {
  if (since === undefined) return null;
  const [row] = await readRows<{ ids: string[] }>(
    companyId,
    `SELECT ARRAY(
       SELECT id::text
       FROM customers
       WHERE company_id = $1 AND updated_at >= ${timeOf('$2')}
       ORDER BY updated_at
       LIMIT ${FEW_MAX + 1}
     ) AS ids`,
    [companyId, since],
  );
  const ids = row?.ids ?? [];
  return { since, few: ids.length > FEW_MAX ? null : ids };
}

export interface NamedCustomer {
  readonly id: string;
  readonly number: string;
  readonly name: string;
}

/** Names of the records in use that contain the text, by match key. */
export async function listCustomerNames(
  companyId: string,
  { text, limit }: { readonly text: string | null; readonly limit: number },
  position: string[] | undefined,
): Promise<{ rows: NamedCustomer[]; next: string[] | null }> {
  const bind: unknown[] = [companyId, limit + 1];
  const value = (bound: unknown) => `$${bind.push(bound)}`;
  const where = text === null ? [] : [keyContains('c.name_key', foldText(text), value)];
  if (position) {
    const [key, id] = position.map(value);
    where.push(`(c.name_key, c.id) > (${key}, ${id}::uuid)`);
  }
  const rows = await readRows<NamedCustomer & { readonly key: string }>(
    companyId,
    `SELECT c.id, c.number, c.name, c.name_key AS key
     FROM customers c
     WHERE ${['c.company_id = $1', 'NOT c.archived', ...where].join(' AND ')}
     ORDER BY c.name_key, c.id
     LIMIT $2`,
    bind,
  );
  const { page, next } = splitPage(rows, limit, ({ key, id }) => [key, id]);
  return { rows: page, next };
}

/** The other conditions of a filter, on the records of `customersOf`. */
export function customerConditions(
  { q, taxId, hold, archived }: Pick<CustomerQuery, 'q' | 'taxId' | 'hold' | 'archived'>,
  value: (bound: unknown) => string,
): string[] {
  const where = [archived ? 'c.archived' : 'NOT c.archived'];
  if (hold) where.push('c.hold');
  if (q !== undefined) where.push(keyHasText('c.search_key', textQuery(q), value));
  if (taxId !== undefined) where.push(`c.tax_id = ${value(plainTaxId(taxId))}`);
  return where;
}

/**
 * SQL for the records c among which a filter selects: all, or those that a name, a number and an
 * external id find. These are looked up apart: with a condition on the rows of a list, the planner
 * may read all records of the company.
 */
export function customersOf(
  { name, number, externalId }: CustomerQuery,
  value: (bound: unknown) => string,
): string {
  const found: string[] = [];
  if (name !== undefined)
    found.push(`id = (
      SELECT customer_id FROM customer_names
      WHERE company_id = $1 AND name_key = ${value(matchKey(name))}
    )`);
  if (number !== undefined) found.push(isFoundBy(`number_key = ${value(matchKey(number))}`));
  if (externalId !== undefined) found.push(isFoundBy(`external_id = ${value(externalId)}`));
  if (found.length === 0) return 'customers c';
  return `(
    SELECT * FROM customers WHERE company_id = $1 AND ${found.join(' AND ')} OFFSET 0
  ) c`;
}

/** A merged record's number and external id also find the record it became part of. */
function isFoundBy(condition: string): string {
  const own = `(SELECT id FROM customers WHERE company_id = $1 AND ${condition})`;
  return `id = ANY(ARRAY[${own}, ${remainingCustomer('$1', condition)}])`;
}

export interface ShownVersion {
  readonly version: number;
  readonly at: string;
  readonly changedBy: ShownActor | null;
  /** The record's stored JSON; null if it was deleted. */
  readonly body: string | null;
}

/**
 * Versions of a record before the one with the number `before`, newest first, and one more, which
 * the last of them changed. Empty if the company never had the record.
 */
export function listVersions(
  companyId: string,
  id: string,
  { before, limit }: { readonly before: number | null; readonly limit: number },
): Promise<ShownVersion[]> {
  return query<ShownVersion>(
    `SELECT v.version, ${timeJson('v.valid_from')} AS at, ${shownActor('v')} AS "changedBy", v.body
     FROM (
         SELECT *, changed_by AS created_by
         FROM customer_versions
         WHERE company_id = $1 AND customer_id = $2 AND version < $3
         ORDER BY version DESC
         LIMIT $4
       ) v
     ORDER BY v.version DESC`,
    [companyId, id, before ?? MAX_VERSION, limit + 1],
  );
}
const MAX_VERSION = 2 ** 31 - 1;
